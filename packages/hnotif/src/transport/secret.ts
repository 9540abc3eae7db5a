import {
  folded,
  inBase64,
  inOneLine,
  type SecretPattern,
  type SecretPatterns,
  secretPatternsOf,
} from './secret-pattern.ts';
import { unescaped, type TextView, textViewOf } from './text-view.ts';

const REDACTED = '[redacted]';

/**
 * A credential on its way through the process. It prints as `[redacted]` wherever an object may be printed by
 * accident: string concatenation, JSON, `console.log`, an assertion's diff. Only `reveal()` gives the value.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself: call it where the value leaves for its receiver, and nowhere else. */
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

/** How many layers of escapes are taken off: a text in JSON in a page of HTML has three. */
const LAYERS = 3;

/**
 * `text` with every known credential replaced by `[redacted]`: for texts that came from outside (a receiver's
 * error body may echo the request).
 *
 * Found are, of a credential of 4 characters or more: itself; percent-encoded, JSON-escaped, as references of HTML, as `\xNN`,
 * in several layers and in whatever mixture; decoded where it is configured encoded; in hex, and base64 of either alphabet.
 * Of 8 characters or more, besides: in other letters' case; with blanks, line breaks or invisible characters in between; within
 * the base64 of something longer (`user:password`, a whole header; of that, and of longer hex, nothing is left); and, where a text breaks off (at
 * its end, before `…`, `...` or `***`), the first 8 characters or more, of base64 12, of hex 16.
 *
 * Of more than 8 characters its end of 8 or more, where it stands by itself and has a digit.
 *
 * Not found, on purpose: other fragments (the last four characters with which services name a token; a middle piece), which
 * could be told from words only by guessing; base64 whose case was changed, which nobody can read back; what was encrypted,
 * hashed, reversed or otherwise computed; values under 4 characters. A cut that we make ourselves leaves no fragment if it
 * comes afterwards: redact first, shorten then.
 */
export function redact(text: string, secrets: readonly string[]): string {
  const needles = secretPatternsOf(secrets);
  if (needles === undefined) return text;
  const found: Range[] = [];
  let view: TextView | undefined = textViewOf(text);
  // An escape may be broken over two lines.
  let joined: TextView | undefined = inOneLine(view);
  for (let layer = 0; layer <= LAYERS; layer++) {
    if (view !== undefined) {
      find(view, needles.exact, found);
      findEnds(view, needles.exact, found);
    }
    if (joined !== undefined) found.push(...findAnyhow(text, joined, needles));
    view = view && unescaped(view);
    const more: TextView | undefined = joined && unescaped(joined);
    joined = more && inOneLine(more);
  }
  return without(text, found);
}

/** Credentials in other letters, and what shows them within something longer. */
function findAnyhow(text: string, view: TextView, { folded: letters, hex, base64 }: SecretPatterns): Range[] {
  const [found, tokens]: [Range[], Range[]] = [[], []];
  const lower = folded(view);
  find(lower, letters, found);
  find(lower, hex, tokens);
  find(inBase64(view), base64, tokens);
  return [...found, ...tokens.map((token) => wholeToken(text, token))];
}

type Range = readonly [start: number, end: number];

/** Where receivers break a text off, or hide its rest. */
const CUT = /…|\.{3}|\*{3}/g;
/** A text full of them is no text that was cut. */
const MOST_CUTS = 50;
/** No credential is longer that anybody would echo. */
const LONGEST_PREFIX = 2_000;
/** The beginning of an escape, or of a character of UTF-8, that a cut has left. */
const STUMP = /(?:%[\da-f]?|\\(?:[ux][\da-f]{0,3})?|&#?[\da-z]{0,7}|\ufffd+)$/i;
const LONGEST_STUMP = 10;

/** So much of a credential's end, standing by itself, is no name of a token any more. */
const LEAST_END = 8;

/** Adds where the ends of needles stand as words of their own. With a digit in them: a word without may end any address. */
function findEnds({ text, starts, ends }: TextView, needles: readonly SecretPattern[], found: Range[]): void {
  for (const { text: needle } of needles) {
    const last = needle.slice(-LEAST_END);
    if (needle.length <= LEAST_END) continue;
    for (let at = text.indexOf(last); at !== -1; at = text.indexOf(last, at + 1)) {
      const end = at + last.length;
      if (/[\p{L}\p{N}]/u.test(text.charAt(end))) continue;
      let length = last.length;
      while (length < needle.length && text.charAt(end - length - 1) === needle.at(-length - 1)) length++;
      const start = end - length;
      if (/[\p{L}\p{N}]/u.test(text.charAt(start - 1)) || !/\d/.test(text.slice(start, end))) continue;
      found.push([starts[start] ?? 0, ends[end - 1] ?? 0]);
    }
  }
}

/** Adds where the needles stand, in the text that the view is one of. */
function find({ text, starts, ends }: TextView, needles: readonly SecretPattern[], found: Range[]): void {
  const add = (start: number, end: number): void => {
    found.push([starts[start] ?? 0, ends[end - 1] ?? 0]);
  };
  for (const { text: needle } of needles)
    for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + 1))
      add(at, at + needle.length);
  for (const cut of cutsOf(text))
    for (const { text: needle, least } of needles) {
      const length = prefixBefore(text, cut, needle, least);
      if (length > 0) add(cut - length, cut);
    }
}

function cutsOf(text: string): number[] {
  const marks = [...text.matchAll(CUT)].slice(0, MOST_CUTS).map(({ index }) => index);
  return [...marks, text.length].flatMap((cut) => {
    const stump = STUMP.exec(text.slice(Math.max(0, cut - LONGEST_STUMP), cut))?.[0] ?? '';
    return stump === '' ? [cut] : [cut - stump.length, cut];
  });
}

/** How much of the needle's beginning, but not all, stands right before the cut: `least` at least, or 0. */
function prefixBefore(text: string, cut: number, needle: string, least: number): number {
  for (let length = Math.min(needle.length - 1, cut, LONGEST_PREFIX); length >= least; length--)
    if (text.startsWith(needle.slice(0, length), cut - length)) return length;
  return 0;
}

/** Base64 and hex show what stands around the credential, too. */
function wholeToken(text: string, [start, end]: Range): Range {
  let [first, last] = [start, end];
  while (first > 0 && TOKEN.test(text.charAt(first - 1))) first--;
  while (last < text.length && TOKEN.test(text.charAt(last))) last++;
  return [first, last];
}

const TOKEN = /[\w+/=%-]/;

/** What overlaps or touches becomes one. */
function without(text: string, found: readonly Range[]): string {
  let clean = '';
  let done = -1;
  for (const [start, end] of [...found].sort(([a], [b]) => a - b)) {
    if (start > done) clean += text.slice(Math.max(done, 0), start) + REDACTED;
    done = Math.max(done, end);
  }
  return clean + text.slice(Math.max(done, 0));
}
