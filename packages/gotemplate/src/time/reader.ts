/** The text does not match the element. */
export const BAD = Symbol('bad');

/** The name of an element that is out of range, or {@link BAD}. */
export type Fault = string | typeof BAD | undefined;

/** Reads a binary string from its beginning. */
export class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get rest(): string {
    return this.#text.slice(this.#at);
  }

  /** The number of unread bytes. */
  get length(): number {
    return this.#text.length - this.#at;
  }

  /** The byte at a distance; '' after the end. */
  peek(distance = 0): string {
    return this.#text.charAt(this.#at + distance);
  }

  isDigit(distance = 0): boolean {
    const character = this.peek(distance);
    return character >= '0' && character <= '9';
  }

  /** The number of digits from a distance on. */
  digits(distance = 0): number {
    let end = distance;
    while (this.isDigit(end)) end++;
    return end - distance;
  }

  startsWith(text: string): boolean {
    return this.#text.startsWith(text, this.#at);
  }

  /** The same, ignoring case. `text` is ASCII. */
  startsLike(text: string): boolean {
    const there = this.#text.slice(this.#at, this.#at + text.length);
    return there.toLowerCase() === text.toLowerCase();
  }

  /** Reads one or two digits; two if it is `fixed`. */
  number(fixed: boolean): number | undefined {
    if (!this.isDigit()) return undefined;
    if (this.isDigit(1)) return Number(this.take(2));
    return fixed ? undefined : Number(this.take(1));
  }

  /** The next bytes; fewer at the end. */
  take(length: number): string {
    const taken = this.#text.slice(this.#at, this.#at + length);
    this.#at += length;
    return taken;
  }

  skip(length: number): void {
    this.#at += length;
  }

  /** Skips a text; the number of spaces in a row does not matter. Stops at a difference, and returns whether all matched. */
  match(text: string): boolean {
    for (let i = 0; i < text.length;) {
      if (text[i] === ' ') {
        if (this.length > 0 && this.peek() !== ' ') return false;
        while (text[i] === ' ') i++;
        while (this.peek() === ' ') this.#at++;
      } else {
        if (this.peek() !== text[i]) return false;
        this.#at++;
        i++;
      }
    }
    return true;
  }
}
