/**
 * A text with some characters removed or replaced. For each of its UTF-16 units it knows the range in the original text: from
 * `starts`, up to and without `ends`.
 */
export interface TextView {
  readonly text: string;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

/** The unchanged text. */
export const textViewOf = (text: string): TextView => ({
  text,
  starts: Int32Array.from({ length: text.length }, (_, index) => index),
  ends: Int32Array.from({ length: text.length }, (_, index) => index + 1),
});

/** Percent-encoding (also `\xNN`, as some languages print bytes), escapes of JSON and programming languages, HTML references. */
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

/** Decodes one layer of escapes. Undefined: there is none. */
export function unescaped(view: TextView): TextView | undefined {
  const { text } = view;
  const escapes = [...text.matchAll(ESCAPE)];
  if (escapes.length === 0) return undefined;
  const builder = new ViewBuilder(view);
  let at = 0;
  for (const { 0: escape, index } of escapes) {
    builder.copy(at, index);
    at = index + escape.length;
    builder.replace(characterOf(escape), index, at);
  }
  builder.copy(at, text.length);
  return builder.build();
}

/** Replaces each unit by the result of `change`: one unit, or none. */
export function mapUnits(view: TextView, change: (unit: string) => string): TextView {
  const builder = new ViewBuilder(view);
  const { text } = view;
  for (let index = 0; index < text.length; index++)
    builder.replace(change(text.charAt(index)), index, index + 1);
  return builder.build();
}

/** Builds a view from another one. No change makes the text longer. */
class ViewBuilder {
  readonly #original: TextView;
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  readonly #parts: string[] = [];
  #length = 0;

  constructor(of: TextView) {
    this.#original = of;
    this.#starts = new Int32Array(of.text.length);
    this.#ends = new Int32Array(of.text.length);
  }

  /** Appends the units from `start` to `end`. */
  copy(start: number, end: number): void {
    if (start === end) return;
    this.#parts.push(this.#original.text.slice(start, end));
    this.#starts.set(this.#original.starts.subarray(start, end), this.#length);
    this.#ends.set(this.#original.ends.subarray(start, end), this.#length);
    this.#length += end - start;
  }

  /** Appends `text` instead of the units from `start` to `end`. */
  replace(text: string, start: number, end: number): void {
    this.#parts.push(text);
    const next = this.#length + text.length;
    this.#starts.fill(this.#original.starts[start] ?? 0, this.#length, next);
    this.#ends.fill(this.#original.ends[end - 1] ?? 0, this.#length, next);
    this.#length = next;
  }

  build(): TextView {
    const starts = this.#starts.subarray(0, this.#length);
    return { text: this.#parts.join(''), starts, ends: this.#ends.subarray(0, this.#length) };
  }
}
