/**
 * A text with some characters removed or replaced. For each of its UTF-16 units it knows the range in the original text: from
 * `starts`, up to and without `ends`.
 */
export interface TextView {
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** The unchanged text. */
export const textViewOf = (text: string): TextView => ({
  text,
  starts: Array.from({ length: text.length }, (_, index) => index),
  ends: Array.from({ length: text.length }, (_, index) => index + 1),
});

/** Replaces each match of `pattern` by the result of `change`. The same view: there is none. */
export function replaced(view: TextView, pattern: RegExp, change: (match: string) => string): TextView {
  const builder = new ViewBuilder(view);
  let at = 0;
  for (const { 0: match, index } of view.text.matchAll(pattern)) {
    builder.copy(at, index);
    at = index + match.length;
    builder.add(change(match), index, at);
  }
  if (at === 0) return view;
  builder.copy(at, view.text.length);
  return builder.build();
}

/** Builds a view from parts of another one. */
export class ViewBuilder {
  readonly #original: TextView;
  readonly #parts: string[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  constructor(of: TextView) {
    this.#original = of;
  }

  /** Appends the units from `start` to `end`. */
  copy(start: number, end: number): void {
    if (start === end) return;
    this.#parts.push(this.#original.text.slice(start, end));
    for (let index = start; index < end; index++) this.#map(index, index + 1);
  }

  /** Appends `text`, which stands for the units from `start` to `end`. */
  add(text: string, start: number, end: number): void {
    this.#parts.push(text);
    for (let left = text.length; left > 0; left--) this.#map(start, end);
  }

  build(): TextView {
    return { text: this.#parts.join(''), starts: this.#starts, ends: this.#ends };
  }

  #map(start: number, end: number): void {
    this.#starts.push(this.#original.starts[start] ?? 0);
    this.#ends.push(this.#original.ends[end - 1] ?? 0);
  }
}
