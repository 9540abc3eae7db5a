/**
 * Prepares patterns in Go's syntax for the matcher, which is a port of Go's. It removes names of groups, because in Go
 * several groups may have the same name. It replaces names of Unicode classes by the matcher's. It estimates the cost of
 * compiling, before that begins.
 */
import { canonicalClassName } from './class-names.ts';
import { Size } from './size.ts';

export interface Pattern {
  /** The pattern for the matcher. */
  readonly text: string;
  /** The names of the groups by number; '' for groups without a name. The first is the whole match. */
  readonly names: readonly string[];
  /** The estimated cost of compiling, in instructions. */
  readonly cost: number;
  /** Whether it uses Unicode tables. */
  readonly unicode: boolean;
  /** The source of a part of `text`, for error messages. */
  readonly original: (part: string) => string;
}

const TOKEN =
  /\\Q[^]*?(?:\\E|$)|\\[pP](?:\{[^}]*\}|[^{])|\\x\{[^}]*\}|\\[^]|\(\?P?<([^>]*)>|\(\?[imsU-]*[:)]|\{(\d+)(?:,(\d*))?\}|[^]/uy;
const CLASS_TOKEN = /\[:[^]*?:\]|\\[pP](?:\{[^}]*\}|[^{])|\\x\{[^}]*\}|\\[^]|[^]/uy;

const CLASS = /^\\[pP]/;
const FLAGS = /^\(\?([imsU-]*)[:)]$/;

/** Costs in instructions. A class of many ranges is slow to compile, one that ignores case even slower. */
const UNICODE_CLASS = 120;
const FOLDED_RANGE = 4000;

export function readPattern(source: string): Pattern {
  const reader = new Reader(source);
  reader.read();
  return reader;
}

class Reader implements Pattern {
  readonly #source: string;
  #at = 0;
  #folds = false;
  /** The sources of the parts that were changed. */
  readonly #originals = new Map<string, string>();
  /** For offsets in `text` from `at` on, add `shift` to get the offset in the source. */
  readonly #shifts: { readonly at: number; readonly shift: number }[] = [];
  text = '';
  readonly names = [''];
  cost = 0;
  unicode = false;

  constructor(source: string) {
    this.#source = source;
  }

  read(): void {
    const size = new Size();
    while (this.#at < this.#source.length) {
      const from = this.#at;
      const [token, name, min, max] = this.#next(TOKEN);
      if (token === '[') {
        this.#class();
        size.atom(from, 1);
      } else if (CLASS.test(token)) {
        this.#unicodeClass(token);
        size.atom(from, 1);
      } else if (token.startsWith('(')) {
        const flags = FLAGS.exec(token)?.[1];
        if (flags?.includes('i')) this.#folds = this.unicode = true;
        if (!token.endsWith(')')) size.open(from);
        if (flags === undefined) this.#group(token, name);
        else this.text += token;
      } else {
        this.text += token;
        if (token === ')') size.close();
        else if (min !== undefined) size.repeat(this.#at, Number(min), Number(max ?? 0));
        else if ('*+?'.includes(token)) size.repeat(this.#at, 1, 1);
        else size.atom(from, token.startsWith('\\Q') ? token.length : 1);
      }
    }
    this.cost += size.total() + this.#source.length / 2;
  }

  #next(token: RegExp): RegExpExecArray {
    token.lastIndex = this.#at;
    // The last alternative matches any character.
    const match = token.exec(this.#source)!;
    this.#at = token.lastIndex;
    return match;
  }

  #write(token: string, written: string): void {
    this.text += written;
    if (token === written) return;
    if (!this.#originals.has(written)) this.#originals.set(written, token);
    this.#shifts.push({ at: this.text.length, shift: this.#at - this.text.length });
  }

  #group(token: string, name: string | undefined): void {
    // The matcher refuses an invalid name.
    const valid = name !== undefined && /^\w+$/.test(name);
    this.#write(token, valid ? '(' : token);
    this.names.push(name ?? '');
  }

  /** Reads the rest of a class, after its bracket. */
  #class(): void {
    this.text += '[';
    const begin = /\^?\]?/y;
    begin.lastIndex = this.#at;
    const start = begin.exec(this.#source)?.[0] ?? '';
    this.#at += start.length;
    this.text += start;
    while (this.#at < this.#source.length) {
      const [token] = this.#next(CLASS_TOKEN);
      if (CLASS.test(token)) this.#unicodeClass(token);
      else {
        this.text += token;
        if (token === ']') break;
        if (
          this.#folds &&
          token === '-' &&
          /^(?:[^\0-\x7f]|\\x\{)/.test(this.#source.slice(this.#at, this.#at + 3))
        )
          this.cost += FOLDED_RANGE;
      }
    }
  }

  #unicodeClass(token: string): void {
    this.unicode = true;
    this.cost += this.#folds ? 3 * UNICODE_CLASS : UNICODE_CLASS;
    const [, start = '', not = '', name = ''] = /^(\\[pP])\{?(\^?)([^}]*)/u.exec(token) ?? [];
    // The matcher refuses an empty name.
    this.#write(token, name === '' ? token : `${start}{${not}${canonicalClassName(name)}}`);
  }

  readonly original = (part: string): string => {
    if (part === this.text) return this.#source;
    if (part !== '' && this.text.endsWith(part)) {
      const from = this.text.length - part.length;
      const shift = this.#shifts.findLast(({ at }) => at <= from)?.shift ?? 0;
      return this.#source.slice(from + shift);
    }
    return this.#originals.get(part) ?? part;
  };
}
