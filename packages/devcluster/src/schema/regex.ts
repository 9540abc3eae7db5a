import { RE2JS } from 're2js';

/** A pattern of Go's dialect (RE2). It matches anywhere in a text unless it is anchored. */
export type Pattern = (text: string) => boolean;

/**
 * Compiles a pattern.
 *
 * @throws Error in Go's words if the pattern is invalid
 */
export function compilePattern(pattern: string): Pattern {
  const compiled = re2(pattern);
  return (text) => compiled.test(text);
}

/** Why a pattern does not compile, or undefined when it does. */
export function patternError(pattern: string): string | undefined {
  try {
    re2(pattern);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The most compiled patterns that are cached, because expressions can create patterns. */
const maxCached = 500;
const cache = new Map<string, RE2JS>();

/** The compiled pattern, cached. */
export function re2(pattern: string): RE2JS {
  const known = cache.get(pattern);
  if (known !== undefined) return known;
  const compiled = RE2JS.compile(pattern);
  if (cache.size >= maxCached) cache.clear();
  cache.set(pattern, compiled);
  return compiled;
}
