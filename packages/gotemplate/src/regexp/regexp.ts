import type { Matcher, RE2JS } from 're2js';
import type { Budget } from '../budget.ts';
import type { Pattern } from './pattern.ts';
import { type Replacement, readReplacement } from './replacement.ts';
import { isAssigned, withoutUnassigned } from '../unicode/assigned.ts';

/** A text that was split, and how many matches were found in it. */
export interface Parts {
  readonly parts: readonly string[];
  readonly matches: number;
}

/** Offsets in UTF-16 units. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** In the worst case, a search executes each instruction for each character. Usually the work is this many times smaller. */
const SHARE = 16;
/** Characters times instructions, about a second in the worst case. */
const MOST = 2 ** 25;

/**
 * A compiled regular expression, matched as in Go: leftmost, first alternative first, in linear time. Bytes that are not
 * UTF-8 match as U+FFFD.
 */
export class Regexp {
  readonly #re: RE2JS;
  readonly #size: number;
  readonly #names: readonly string[];
  readonly #source: string;
  readonly #unicode: boolean;
  /** The size in the cache, in instructions. */
  readonly weight: number;

  constructor(re: RE2JS, { names, cost, unicode }: Pattern, source: string) {
    this.#re = re;
    this.#size = re.programSize();
    this.#names = names;
    this.#source = source;
    this.#unicode = unicode && isAssigned(source);
    this.weight = cost + this.#size * names.length;
  }

  /** Whether there is a match. */
  match(budget: Budget, text: string): boolean {
    return this.#search(budget, text).find(0);
  }

  /** The first match; '' if there is none. */
  find(budget: Budget, text: string): string {
    const matcher = this.#search(budget, text);
    return matcher.find(0) ? text.slice(matcher.start(), matcher.end()) : '';
  }

  /**
   * Up to `limit` matches that do not overlap; all if it is negative. Undefined if there is none. An empty match directly
   * after another match does not count.
   */
  findAll(budget: Budget, text: string, limit: bigint): string[] | undefined {
    const spans = this.#findAll(budget, text, limit);
    return spans.length === 0 ? undefined : spans.map(({ start, end }) => text.slice(start, end));
  }

  #findAll(budget: Budget, text: string, limit: bigint): Span[] {
    const matcher = this.#search(budget, text);
    const most = limit < 0n ? Infinity : Number(limit);
    const found: Span[] = [];
    let behind = -1;
    for (let at = 0; found.length < most && at <= text.length && matcher.find(at);) {
      const span = { start: matcher.start(), end: matcher.end() };
      if (span.end !== at || span.start !== behind) {
        budget.grow(32);
        found.push(span);
      }
      at = span.end === at ? at + width(text, at) : span.end;
      behind = span.end;
      budget.check();
    }
    return found;
  }

  /** Replaces each match. `$1`, `${name}` and `$$` in the replacement are expanded. */
  replaceAll(budget: Budget, text: string, replacement: string): string {
    return this.#replaceAll(budget, text, readReplacement(replacement, this.#names));
  }

  /** Replaces each match by exactly this text. */
  replaceAllLiteral(budget: Budget, text: string, replacement: string): string {
    return this.#replaceAll(budget, text, [replacement]);
  }

  #replaceAll(budget: Budget, text: string, replacement: Replacement): string {
    const matcher = this.#search(budget, text);
    const grouped = replacement.some((part) => typeof part !== 'string');
    if (grouped) budget.grow(8 * this.#size * this.#names.length);
    const write = (groups: readonly number[]): string => {
      const group = groups.find((group) => matcher.start(group) >= 0);
      return group === undefined ? '' : text.slice(matcher.start(group), matcher.end(group));
    };
    let result = '';
    let done = 0;
    for (let at = 0; at <= text.length && matcher.find(at);) {
      const start = matcher.start();
      const end = matcher.end();
      result += text.slice(done, start);
      // Ignore an empty match directly after another match.
      if (end > done || start === 0) {
        for (const part of replacement) {
          const written = typeof part === 'string' ? part : write(part);
          budget.grow(written.length);
          result += written;
        }
      }
      done = end;
      at = Math.max(end, at + width(text, at));
      budget.check();
    }
    return result + text.slice(done);
  }

  /** Splits the text at matches, into at most `limit` parts; all if it is negative. Undefined if `limit` is 0. */
  split(budget: Budget, text: string, limit: bigint): Parts | undefined {
    if (limit === 0n) return undefined;
    if (text === '' && this.#source !== '') return { parts: [''], matches: 1 };
    const parts: string[] = [];
    let from = 0;
    let to = 0;
    const spans = this.#findAll(budget, text, limit);
    for (const { start, end } of spans) {
      if (limit > 0n && parts.length >= Number(limit) - 1) break;
      to = start;
      if (end !== 0) parts.push(text.slice(from, to));
      from = end;
    }
    if (to !== text.length) parts.push(text.slice(from));
    return { parts, matches: spans.length };
  }

  /** A matcher for the text. Charges for one search of the whole text. */
  #search(budget: Budget, text: string): Matcher {
    const work = text.length * this.#size;
    budget.spend(work > MOST ? Infinity : 1 + work / SHARE);
    const subject = text.toWellFormed();
    return this.#re.matcher(this.#unicode ? withoutUnassigned(subject) : subject);
  }
}

/** The width of the character at an offset; 1 at the end. */
function width(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}
