import { cutsOf } from './cuts.ts';
import { decoded, unescaped } from './encodings.ts';
import { foldedView, secretPatternsOf } from './secret-pattern.ts';
import { REDACTED } from './secret.ts';
import { type TextView, textViewOf } from './text-view.ts';

/** How often a text is decoded: base64 of percent-encoded text, in JSON in an HTML page, has four layers. */
const LAYERS = 4;
/** All decoded texts together are at most so many times as long as the text. Encodings of credentials need far less. */
const MOST_DECODED = 8;

/**
 * A text that needs more steps is not shown. One step is one character of a search, about a nanosecond. Ten credentials and an answer
 * of 16 KiB need about a million.
 */
const MOST_STEPS = 500_000_000;
/** Of a search, besides its characters. */
const PER_SEARCH = 100;
/** Of each place that a search finds. */
const PER_PLACE = 100;
/** Of each character that is compared there. */
const PER_COMPARED = 10;
/** Of each credential that is found: it needs memory, too. */
const PER_FOUND = 1_000;

/** The steps that are left. Below 0, all searches end. */
interface Work {
  left: number;
}

/** A range of the original text. `whole`: the credential is within base64 or hex. */
interface Found {
  readonly start: number;
  readonly end: number;
  readonly whole: boolean;
}

/** A text to search. `whole`: it was within base64 or hex. */
interface Layer {
  readonly view: TextView;
  readonly depth: number;
  readonly whole: boolean;
}

/**
 * Replaces every known credential in `text` by `[redacted]`. For texts from outside: a receiver's error body may repeat the request.
 *
 * Credentials of 4 characters or more are found:
 * - as they are, and decoded where they are configured encoded;
 * - percent-encoded, JSON-escaped, as HTML references, as `\xNN`, in hex, and in base64 of both alphabets: up to four layers, in any
 *   order and any mixture. Base64 and hex may be longer (`user:password`, a whole header): all of that is replaced.
 *
 * Credentials of 8 characters or more are also found, encoded or not:
 * - in another case, and with blanks, line breaks or invisible characters between;
 * - where a text is cut (at its end, before `…`, `...` or `***`): a prefix of 8 characters;
 * - as a suffix of 8 characters or more that is a word of its own and has a digit, if the credential is longer than that.
 *
 * Not found: other fragments, such as the last four characters of a token; base64 in another case; encrypted, hashed or reversed
 * values; values under 4 characters; what a text shows only after more than 8 times its length was decoded. To shorten a text, redact
 * it first.
 *
 * The work is bounded. A text that would need more (thousands of credentials, and a text that is made to be slow) becomes `[redacted]`
 * as a whole.
 */
export function redact(text: string, secrets: readonly string[]): string {
  const patterns = secretPatternsOf(secrets);
  if (patterns === undefined) return text;
  const found: Found[] = [];
  const work: Work = { left: MOST_STEPS };
  for (const { view, whole } of layersOf(text)) {
    const add = ({ starts, ends }: TextView, start: number, length: number): void => {
      work.left -= PER_FOUND;
      found.push({ start: starts[start] ?? 0, end: ends[start + length - 1] ?? 0, whole });
    };
    findPatterns(view, patterns.exact, work, add);
    findSuffixes(view, patterns.exact, work, add);
    const folded = foldedView(view);
    findPatterns(folded, patterns.folded, work, add);
    findPrefixes(folded, patterns.folded, work, add);
    if (work.left < 0) return REDACTED;
  }
  return withoutRanges(text, found);
}

/** The text, and all that it shows decoded, the fewest layers first. */
function* layersOf(text: string): Generator<Layer> {
  const layers: Layer[] = [{ view: textViewOf(text), depth: 0, whole: false }];
  let left = MOST_DECODED * text.length;
  // The list grows meanwhile.
  for (const layer of layers) {
    yield layer;
    const { view, whole } = layer;
    const depth = layer.depth + 1;
    if (depth > LAYERS) continue;
    for (const next of [
      { view: unescaped(view), depth, whole },
      { view: decoded(view), depth, whole: true },
    ]) {
      const { length } = next.view.text;
      if (next.view === view || length === 0 || length > left) continue;
      left -= length;
      layers.push(next);
    }
  }
}

/** Takes the place of a credential in a view. */
type Add = (view: TextView, start: number, length: number) => void;

function findPatterns(view: TextView, patterns: readonly string[], work: Work, add: Add): void {
  for (const pattern of patterns)
    for (const at of placesOf(pattern, view.text, work)) add(view, at, pattern.length);
}

/** Where `part` is in `text`, until no steps are left. */
function* placesOf(part: string, text: string, work: Work): Generator<number> {
  work.left -= PER_SEARCH + text.length;
  if (work.left < 0) return;
  for (let at = text.indexOf(part); at !== -1 && work.left >= 0; at = text.indexOf(part, at + 1)) {
    work.left -= PER_PLACE;
    yield at;
  }
}

/** Services name a token by its last four characters: only longer suffixes are redacted. */
const SHORTEST_SUFFIX = 8;

/** Adds the suffixes that are words of their own and have a digit: any address may end with a word. */
function findSuffixes(view: TextView, patterns: readonly string[], work: Work, add: Add): void {
  const { text } = view;
  for (const pattern of patterns) {
    const last = pattern.slice(-SHORTEST_SUFFIX);
    if (pattern.length <= SHORTEST_SUFFIX) continue;
    for (const at of placesOf(last, text, work)) {
      const end = at + last.length;
      if (/[\p{L}\p{N}]/u.test(text.charAt(end))) continue;
      let length = last.length;
      while (length < pattern.length && text.charAt(end - length - 1) === pattern.at(-length - 1)) length++;
      work.left -= PER_COMPARED * length;
      const start = end - length;
      if (/[\p{L}\p{N}]/u.test(text.charAt(start - 1)) || !/\d/.test(text.slice(start, end))) continue;
      add(view, start, length);
    }
  }
}

const SHORTEST_PREFIX = 8;
/** Longer prefixes are not searched. */
const LONGEST_PREFIX = 2_000;

/** Adds the prefixes right before a cut. */
function findPrefixes(view: TextView, patterns: readonly string[], work: Work, add: Add): void {
  for (const cut of cutsOf(view.text))
    for (const pattern of patterns) {
      const before = view.text.slice(Math.max(0, cut - Math.min(LONGEST_PREFIX, pattern.length)), cut);
      for (const at of placesOf(pattern.slice(0, SHORTEST_PREFIX), before, work)) {
        const length = before.length - at;
        work.left -= PER_COMPARED * length;
        if (!pattern.startsWith(before.slice(at))) continue;
        add(view, cut - length, length);
        break;
      }
    }
}

/** Base64 and hex, also with percent-encoding. */
const TOKEN = /[\w+/=%-]/;

/** Ranges that overlap or touch become one. Of base64 and hex nothing is left: they show the text around the credential, too. */
function withoutRanges(text: string, found: readonly Found[]): string {
  let clean = '';
  let done = 0;
  let isRedacted = false;
  for (const { start, end, whole } of [...found].sort((one, other) => one.start - other.start)) {
    if (end <= done) continue;
    let [first, last] = [Math.max(start, done), end];
    while (whole && first > done && TOKEN.test(text.charAt(first - 1))) first--;
    while (whole && last < text.length && TOKEN.test(text.charAt(last))) last++;
    if (first > done || !isRedacted) clean += text.slice(done, first) + REDACTED;
    done = last;
    isRedacted = true;
  }
  return clean + text.slice(done);
}
