/**
 * Patterns in Go's syntax, made ready for the matcher, which is a port of Go's own. Three things are done here: names of
 * groups are taken out, since Go lets several groups share one; names of Unicode classes are written as the matcher has
 * them; and it is found out what compiling the pattern will cost, before anything is done about it.
 */
import { canonicalClassName } from './class-names.ts';
import { Size } from './size.ts';

export interface Pattern {
  /** For the matcher. */
  readonly text: string;
  /** The names of the groups by number, '' for those without; the first stands for the whole match. */
  readonly names: readonly string[];
  /** About how many instructions compiling takes, with what is as much work as an instruction. */
  readonly cost: number;
  /** Whether the tables of Unicode have a part in it. */
  readonly unicode: boolean;
  /** What a part of `text` that an error shows was in the source. */
  readonly original: (part: string) => string;
}

const TOKEN =
  /\\Q[^]*?(?:\\E|$)|\\[pP](?:\{[^}]*\}|[^{])|\\x\{[^}]*\}|\\[^]|\(\?P?<([^>]*)>|\(\?[imsU-]*[:)]|\{(\d+)(?:,(\d*))?\}|[^]/uy;
const CLASS_TOKEN = /\[:[^]*?:\]|\\[pP](?:\{[^}]*\}|[^{])|\\x\{[^}]*\}|\\[^]|[^]/uy;

const CLASS = /^\\[pP]/;
const FLAGS = /^\(\?([imsU-]*)[:)]$/;

/** In instructions. A class of many ranges is slow to make, one that ignores case slower. */
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
  /** What stands in the source where something else stands in the text. */
  readonly #originals = new Map<string, string>();
  /** Offsets in `text` behind what was changed, and what to add to those that follow to find the place in the source. */
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
    // The last alternative takes anything.
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
    // A name that is none is left for the matcher to refuse.
    const valid = name !== undefined && /^\w+$/.test(name);
    this.#write(token, valid ? '(' : token);
    this.names.push(name ?? '');
  }

  /** The rest of a class behind its bracket. */
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
    // No name is left for the matcher to refuse.
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
