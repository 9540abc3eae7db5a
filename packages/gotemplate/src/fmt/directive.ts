/** Parses format strings. */
import { PLAIN, type Spec } from './spec.ts';

/** The steps before a verb prints, in order: choose an operand, or take a width or a precision from one. */
type Step =
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'width' }
  | { readonly kind: 'precision' };

export interface Directive {
  readonly kind: 'directive';
  readonly spec: Spec;
  readonly steps: readonly Step[];
  /** One character, or empty at the end of the format. */
  readonly verb: string;
  /** The index of an operand is invalid or at a wrong place: `%[x]d`, `%[3]2d`. */
  readonly isBadIndex: boolean;
}

type Piece = { readonly kind: 'text'; readonly text: string } | Directive;

const CACHED_LENGTH = 256;
const CACHED_FORMATS = 256;
const cache = new Map<string, readonly Piece[]>();

/** The pieces of a format. Short formats are cached. Long ones are parsed lazily, to save memory. */
export function pieces(format: string): Iterable<Piece> {
  if (format.length > CACHED_LENGTH) return read(format);
  let found = cache.get(format);
  if (found === undefined) {
    if (cache.size >= CACHED_FORMATS) cache.clear();
    cache.set(format, (found = [...read(format)]));
  }
  return found;
}

function* read(format: string): Generator<Piece, void> {
  for (let at = 0; at < format.length;) {
    const percent = format.indexOf('%', at);
    const end = percent < 0 ? format.length : percent;
    if (end > at) yield { kind: 'text', text: format.slice(at, end) };
    if (percent < 0) return;
    const reader = new Reader(format, percent + 1);
    yield reader.piece();
    at = reader.at;
  }
}

/** The largest width and precision from an operand. Digits in a format can be slightly larger, as in Go. */
const LARGEST = 1_000_000;

export function isTooLarge(number: bigint | number): boolean {
  return number > LARGEST || number < -LARGEST;
}

/** An invalid index. */
const NO_INDEX = -1;

const FLAGS = new Map<string, 'minus' | 'plus' | 'sharp' | 'space' | 'zero'>([
  ['-', 'minus'],
  ['+', 'plus'],
  ['#', 'sharp'],
  [' ', 'space'],
  ['0', 'zero'],
]);

class Reader {
  readonly #format: string;
  #at: number;
  readonly #spec: { -readonly [Name in keyof Spec]: Spec[Name] } = { ...PLAIN };
  readonly #steps: Step[] = [];
  #isBadIndex = false;
  /** The last token is an index. */
  #afterIndex = false;

  /** @param at the position after a percent sign. */
  constructor(format: string, at: number) {
    this.#format = format;
    this.#at = at;
  }

  get at(): number {
    return this.#at;
  }

  piece(): Piece {
    const start = this.#at;
    this.#readFlags();
    this.#readIndex();
    this.#readWidth();
    this.#readPrecision();
    if (!this.#afterIndex) this.#readIndex();
    const isPlain = this.#at === start;
    const verb = this.#readVerb();
    if (verb === '%' && this.#steps.length === 0) return { kind: 'text', text: '%' };
    const spec = isPlain ? PLAIN : this.#spec;
    return { kind: 'directive', spec, steps: this.#steps, verb, isBadIndex: this.#isBadIndex };
  }

  #take(character: string): boolean {
    if (this.#format[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #readFlags(): void {
    for (;;) {
      const flag = FLAGS.get(this.#format.charAt(this.#at));
      if (flag === undefined) return;
      this.#spec[flag] = true;
      this.#at++;
    }
  }

  #readIndex(): void {
    const start = this.#at;
    this.#afterIndex = false;
    if (!this.#take('[')) return;
    // Go does not search for the end if the rest is too short for an index.
    const end = start + 3 > this.#format.length ? -1 : this.#format.indexOf(']', start);
    const number = end < 0 ? undefined : this.#readNumber(end);
    this.#afterIndex = number !== undefined && this.#at === end;
    this.#steps.push({ kind: 'index', index: this.#afterIndex ? (number ?? 0) - 1 : NO_INDEX });
    this.#at = end < 0 ? start + 1 : end + 1;
  }

  #readWidth(): void {
    if (this.#take('*')) {
      this.#steps.push({ kind: 'width' });
      this.#afterIndex = false;
      return;
    }
    const width = this.#readNumber();
    if (width === undefined) return;
    this.#spec.width = width;
    if (this.#afterIndex) this.#isBadIndex = true;
  }

  #readPrecision(): void {
    // A point at the very end is a verb.
    if (this.#at + 1 >= this.#format.length || !this.#take('.')) return;
    if (this.#afterIndex) this.#isBadIndex = true;
    this.#readIndex();
    if (this.#take('*')) {
      this.#steps.push({ kind: 'precision' });
      this.#afterIndex = false;
    } else this.#spec.precision = this.#readNumber() ?? 0;
  }

  /** Reads digits before `end`. Undefined if there are none, or too many: reading then stops at `end`. */
  #readNumber(end = this.#format.length): number | undefined {
    const start = this.#at;
    let number = 0;
    for (; this.#at < end; this.#at++) {
      const digit = this.#format.charCodeAt(this.#at) - 0x30;
      if (!(digit >= 0 && digit <= 9)) break;
      if (isTooLarge(number)) {
        this.#at = end;
        return undefined;
      }
      number = number * 10 + digit;
    }
    return this.#at === start ? undefined : number;
  }

  #readVerb(): string {
    const point = this.#format.codePointAt(this.#at);
    if (point === undefined) return '';
    const verb = point >= 0xdc80 && point <= 0xdcff ? '\ufffd' : String.fromCodePoint(point);
    this.#at += verb.length;
    const spec = this.#spec;
    if (verb === 'v' || verb === 'w') {
      [spec.sharpV, spec.sharp] = [spec.sharp, false];
      [spec.plusV, spec.plus] = [spec.plus, false];
    }
    return verb;
  }
}
