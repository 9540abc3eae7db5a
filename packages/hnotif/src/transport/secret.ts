import {
  foldedView,
  base64View,
  withoutBlanks,
  type SecretPattern,
  type SecretPatterns,
  secretPatternsOf,
} from './secret-pattern.ts';
import { unescaped, type TextView, textViewOf } from './text-view.ts';

const REDACTED = '[redacted]';

/**
 * A credential. String concatenation, JSON, `console.log` and assertion diffs show `[redacted]`. Only `reveal()` gives the value.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value. Call it only where the value is sent to its receiver. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return REDACTED;
  }
}

/** Layers of escapes to decode: a text in JSON in an HTML page has three. */
const LAYERS = 3;

/**
 * Replaces every known credential in `text` by `[redacted]`. For texts from outside: a receiver's error body may repeat the request.
 *
 * Credentials of 4 characters or more are found:
 * - as they are, and decoded where they are configured encoded;
 * - percent-encoded, JSON-escaped, as HTML references, as `\xNN`, in several layers and any mixture;
 * - in hex, and in base64 of both alphabets.
 *
 * Credentials of 8 characters or more are also found:
 * - in another case, and with blanks, line breaks or invisible characters between;
 * - within longer base64 or hex (`user:password`, a whole header): all of that is replaced;
 * - where a text is cut (at its end, before `…`, `...` or `***`): a prefix of 8 characters, of base64 12, of hex 16;
 * - as a suffix of 8 characters or more that is a word of its own and has a digit, if the credential is longer than that.
 *
 * Not found: other fragments, such as the last four characters of a token; base64 in another case; encrypted, hashed or reversed
 * values; values under 4 characters. To shorten a text, redact it first.
 */
export function redact(text: string, secrets: readonly string[]): string {
  const patterns = secretPatternsOf(secrets);
  if (patterns === undefined) return text;
  const found: Range[] = [];
  let view: TextView | undefined = textViewOf(text);
  // A line break may be in the middle of an escape.
  let joined: TextView | undefined = withoutBlanks(view);
  for (let layer = 0; layer <= LAYERS; layer++) {
    if (view !== undefined) {
      findPatterns(view, patterns.exact, found);
      findSuffixes(view, patterns.exact, found);
    }
    if (joined !== undefined) found.push(...findEncoded(text, joined, patterns));
    view = view && unescaped(view);
    const more: TextView | undefined = joined && unescaped(joined);
    joined = more && withoutBlanks(more);
  }
  return withoutRanges(text, found);
}

/** Credentials in another case, in hex and in base64. */
function findEncoded(
  text: string,
  view: TextView,
  { folded: letters, hex, base64 }: SecretPatterns,
): Range[] {
  const [found, tokens]: [Range[], Range[]] = [[], []];
  const lower = foldedView(view);
  findPatterns(lower, letters, found);
  findPatterns(lower, hex, tokens);
  findPatterns(base64View(view), base64, tokens);
  return [...found, ...tokens.map((token) => wholeToken(text, token))];
}

type Range = readonly [start: number, end: number];

/** Where receivers cut a text, or hide its rest. */
const TRUNCATION_MARK = /…|\.{3}|\*{3}/g;
/** More of them are not marks of a cut. */
const MOST_TRUNCATION_MARKS = 50;
/** Longer prefixes are not searched. */
const LONGEST_PREFIX = 2_000;
/** Part of an escape, or of a UTF-8 character, at the end of a cut text. */
const PARTIAL_ESCAPE = /(?:%[\da-f]?|\\(?:[ux][\da-f]{0,3})?|&#?[\da-z]{0,7}|\ufffd+)$/i;
const LONGEST_PARTIAL_ESCAPE = 10;

/** Services name a token by its last four characters: only longer suffixes are redacted. */
const SHORTEST_SUFFIX = 8;

/** Adds the suffixes that are words of their own and have a digit: any address may end with a word. */
function findSuffixes(
  { text, starts, ends }: TextView,
  patterns: readonly SecretPattern[],
  found: Range[],
): void {
  for (const { text: pattern } of patterns) {
    const last = pattern.slice(-SHORTEST_SUFFIX);
    if (pattern.length <= SHORTEST_SUFFIX) continue;
    for (let at = text.indexOf(last); at !== -1; at = text.indexOf(last, at + 1)) {
      const end = at + last.length;
      if (/[\p{L}\p{N}]/u.test(text.charAt(end))) continue;
      let length = last.length;
      while (length < pattern.length && text.charAt(end - length - 1) === pattern.at(-length - 1)) length++;
      const start = end - length;
      if (/[\p{L}\p{N}]/u.test(text.charAt(start - 1)) || !/\d/.test(text.slice(start, end))) continue;
      found.push([starts[start] ?? 0, ends[end - 1] ?? 0]);
    }
  }
}

/** Adds the places of the patterns, as ranges of the original text. */
function findPatterns(
  { text, starts, ends }: TextView,
  patterns: readonly SecretPattern[],
  found: Range[],
): void {
  const add = (start: number, end: number): void => {
    found.push([starts[start] ?? 0, ends[end - 1] ?? 0]);
  };
  for (const { text: pattern } of patterns)
    for (let at = text.indexOf(pattern); at !== -1; at = text.indexOf(pattern, at + 1))
      add(at, at + pattern.length);
  for (const cut of cutsOf(text))
    for (const { text: pattern, shortestPrefix } of patterns) {
      const length = prefixBefore(text, cut, pattern, shortestPrefix);
      if (length > 0) add(cut - length, cut);
    }
}

function cutsOf(text: string): number[] {
  const marks = [...text.matchAll(TRUNCATION_MARK)].slice(0, MOST_TRUNCATION_MARKS).map(({ index }) => index);
  return [...marks, text.length].flatMap((cut) => {
    const stump = PARTIAL_ESCAPE.exec(text.slice(Math.max(0, cut - LONGEST_PARTIAL_ESCAPE), cut))?.[0] ?? '';
    return stump === '' ? [cut] : [cut - stump.length, cut];
  });
}

/** The length of the pattern's prefix right before the cut, or 0. */
function prefixBefore(text: string, cut: number, pattern: string, shortestPrefix: number): number {
  for (let length = Math.min(pattern.length - 1, cut, LONGEST_PREFIX); length >= shortestPrefix; length--)
    if (text.startsWith(pattern.slice(0, length), cut - length)) return length;
  return 0;
}

/** Base64 and hex show the text around the credential, too. */
function wholeToken(text: string, [start, end]: Range): Range {
  let [first, last] = [start, end];
  while (first > 0 && TOKEN.test(text.charAt(first - 1))) first--;
  while (last < text.length && TOKEN.test(text.charAt(last))) last++;
  return [first, last];
}

const TOKEN = /[\w+/=%-]/;

/** Ranges that overlap or touch become one. */
function withoutRanges(text: string, found: readonly Range[]): string {
  let clean = '';
  let done = -1;
  for (const [start, end] of [...found].sort(([a], [b]) => a - b)) {
    if (start > done) clean += text.slice(Math.max(done, 0), start) + REDACTED;
    done = Math.max(done, end);
  }
  return clean + text.slice(Math.max(done, 0));
}
