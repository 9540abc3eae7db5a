/**
 * A reading of a text in which some of its characters are gone or are others. It knows where each of its UTF-16 units stands in
 * the text itself: from `starts` to before `ends`.
 */
export interface TextView {
  readonly text: string;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

/** The text as it is. */
export const textViewOf = (text: string): TextView => ({
  text,
  starts: Int32Array.from({ length: text.length }, (_, index) => index),
  ends: Int32Array.from({ length: text.length }, (_, index) => index + 1),
});

/**
 * What servers write for a character: percent-encoding (also as `\xNN`, as some languages print bytes), escapes of JSON and of
 * programming languages, references of HTML.
 */
const ESCAPE = new RegExp(
  [
    '(?:%|\\\\x)[0-7][\\da-f]',
    '(?:%|\\\\x)[c-f][\\da-f](?:(?:%|\\\\x)[89ab][\\da-f]){1,3}',
    '\\\\u[\\da-f]{4}',
    '\\\\[\\\\/"\'bfnrt]',
    '&(?:amp|lt|gt|quot|apos|nbsp|plus|sol|equals);',
    '&#\\d{1,7};',
    '&#x[\\da-f]{1,6};',
  ].join('|'),
  'gi',
);

const NAMED: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', plus: '+', sol: '/', equals: '=' },
  ...{ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' },
};

function characterOf(escape: string): string {
  const body = escape.slice(1);
  if (escape.startsWith('&')) {
    const [, hex, decimal] = /^#x([^;]+);|#(\d+);/i.exec(body) ?? [];
    const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
    if (Number.isNaN(code)) return NAMED[body.slice(0, -1).toLowerCase()] ?? escape;
    return code <= 0x10ffff ? String.fromCodePoint(code) : escape;
  }
  if (escape.startsWith('%') || /^\\x/i.test(escape))
    return Buffer.from(escape.replace(/%|\\x/gi, ''), 'hex').toString();
  if (/^\\u/i.test(escape)) return String.fromCharCode(parseInt(body.slice(1), 16));
  return NAMED[body] ?? body;
}

/** The same with every escape replaced by what it stands for, once; undefined: there is none. */
export function unescaped(view: TextView): TextView | undefined {
  const { text } = view;
  const escapes = [...text.matchAll(ESCAPE)];
  if (escapes.length === 0) return undefined;
  const made = new Maker(view);
  let at = 0;
  for (const { 0: escape, index } of escapes) {
    made.copy(at, index);
    at = index + escape.length;
    made.put(characterOf(escape), index, at);
  }
  made.copy(at, text.length);
  return made.view();
}

/** The same with each unit replaced by what `change` gives for it: one unit, or none. */
export function changed(view: TextView, change: (unit: string) => string): TextView {
  const made = new Maker(view);
  const { text } = view;
  for (let index = 0; index < text.length; index++) made.put(change(text.charAt(index)), index, index + 1);
  return made.view();
}

/** Writes a view of a view. No change makes a text longer. */
class Maker {
  readonly #of: TextView;
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  readonly #parts: string[] = [];
  #length = 0;

  constructor(of: TextView) {
    this.#of = of;
    this.#starts = new Int32Array(of.text.length);
    this.#ends = new Int32Array(of.text.length);
  }

  /** What stands from `start` to `end`, as it is. */
  copy(start: number, end: number): void {
    if (start === end) return;
    this.#parts.push(this.#of.text.slice(start, end));
    this.#starts.set(this.#of.starts.subarray(start, end), this.#length);
    this.#ends.set(this.#of.ends.subarray(start, end), this.#length);
    this.#length += end - start;
  }

  /** `text` in the place of what stands from `start` to `end`. */
  put(text: string, start: number, end: number): void {
    this.#parts.push(text);
    const next = this.#length + text.length;
    this.#starts.fill(this.#of.starts[start] ?? 0, this.#length, next);
    this.#ends.fill(this.#of.ends[end - 1] ?? 0, this.#length, next);
    this.#length = next;
  }

  view(): TextView {
    const starts = this.#starts.subarray(0, this.#length);
    return { text: this.#parts.join(''), starts, ends: this.#ends.subarray(0, this.#length) };
  }
}
