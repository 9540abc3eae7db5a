/** Searches a text in another by bytes, like Go's package `strings`. */
import type { Budget } from '../../budget.ts';
import { fromBinary, toBinary } from '../../value/binary.ts';
import { pay } from './paid.ts';

/** Pays for a search. In the worst case it compares each character with each. */
function payForSearch(budget: Budget, text: string, needle: string): void {
  pay(budget, needle);
  budget.spend((text.length * (needle.length + 4)) / 256);
  if (!isWhole(needle)) pay(budget, text);
}

export function contains(budget: Budget, text: string, needle: string): boolean {
  payForSearch(budget, text, needle);
  return isWhole(needle) ? text.includes(needle) : toBinary(text).includes(toBinary(needle));
}

export function hasPrefix(text: string, prefix: string): boolean {
  return isWhole(prefix) ? text.startsWith(prefix) : toBinary(text).startsWith(toBinary(prefix));
}

export function hasSuffix(text: string, suffix: string): boolean {
  return isWhole(suffix) ? text.endsWith(suffix) : toBinary(text).endsWith(toBinary(suffix));
}

export function trimPrefix(text: string, prefix: string): string {
  if (!hasPrefix(text, prefix)) return text;
  if (isWhole(prefix)) return text.slice(prefix.length);
  return fromBinary(toBinary(text).slice(toBinary(prefix).length));
}

export function trimSuffix(text: string, suffix: string): string {
  if (!hasSuffix(text, suffix)) return text;
  if (isWhole(suffix)) return text.slice(0, text.length - suffix.length);
  const bytes = toBinary(text);
  return fromBinary(bytes.slice(0, bytes.length - toBinary(suffix).length));
}

/** Replaces all occurrences. The empty string occurs before each character and at the end. */
export function replace(budget: Budget, text: string, old: string, replacement: string): string {
  if (old === '') {
    const characters = split(budget, text, '', -1n);
    budget.grow(text.length + (characters.length + 1) * replacement.length);
    return replacement + characters.map((character) => character + replacement).join('');
  }
  const parts = split(budget, text, old, -1n);
  if (parts.length === 1) return text;
  budget.grow(text.length + (parts.length - 1) * replacement.length);
  return parts.join(replacement);
}

/** Steps for a text of bytes that may be invalid UTF-8. */
const BROKEN = 96;

/** The parts between separators, at most `limit`; all if it is negative. An empty separator splits into characters. */
export function split(budget: Budget, text: string, separator: string, limit: bigint): string[] {
  payForSearch(budget, text, separator);
  if (limit === 0n) return [];
  if (!isWhole(separator))
    return splitWhole(budget, toBinary(text), toBinary(separator), limit).map((part) => {
      budget.spend(BROKEN);
      return fromBinary(part);
    });
  return splitWhole(budget, text, separator, limit);
}

function splitWhole(budget: Budget, text: string, separator: string, limit: bigint): string[] {
  const most = limit < 0n ? Infinity : Number(limit) - 1;
  const parts: string[] = [];
  let from = 0;
  while (parts.length < most) {
    const to = separator === '' ? endOfCharacter(text, from) : text.indexOf(separator, from);
    if (to < 0) break;
    budget.spend(1);
    budget.grow(16);
    parts.push(text.slice(from, to));
    from = to + separator.length;
  }
  // After the last separator there is always a part, even an empty one.
  if (separator !== '' || from < text.length) parts.push(text.slice(from));
  return parts;
}

function endOfCharacter(text: string, from: number): number {
  const point = text.codePointAt(from);
  return point === undefined ? -1 : from + (point > 0xffff ? 2 : 1);
}

/** Whether a search can use the text directly. A text with a part of a character must be searched as bytes. */
function isWhole(...needles: readonly string[]): boolean {
  return needles.every((needle) => needle.isWellFormed());
}
