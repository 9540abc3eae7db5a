import { RE2JS } from 're2js';

/** A pattern of Go's dialect (RE2), which matches anywhere in a text unless it is anchored. */
export type Pattern = (text: string) => boolean;

/**
 * Compiles a pattern.
 *
 * @throws Error with Go's kind of words when the pattern is not well formed.
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

/** Expressions may make patterns as they run: beyond this many, compiled ones are forgotten. */
const maxCached = 500;
const cache = new Map<string, RE2JS>();

/** The compiled pattern, kept for the next time. */
export function re2(pattern: string): RE2JS {
  const known = cache.get(pattern);
  if (known !== undefined) return known;
  const compiled = RE2JS.compile(pattern);
  if (cache.size >= maxCached) cache.clear();
  cache.set(pattern, compiled);
  return compiled;
}
