/** Shortens texts by bytes. As in Go, a character can be cut in two. */
import { GoError } from '../../errors.ts';
import { byteLength, byteSlice } from '../../value/text.ts';
import { fromBinary, toBinary } from '../../value/binary.ts';

/** `abbrevboth`: at most `width` bytes from near `left`, including dots. If `width` is too small for dots, no change. */
export function abbreviate(text: string, left: bigint, width: bigint): string {
  if (width < 4n || (left > 0n && width < 7n)) return text;
  const bytes = toBinary(text);
  if (BigInt(bytes.length) <= width) return text;
  const kept = Number(width) - 3;
  const from = Math.min(Number(left), bytes.length - kept);
  if (from <= 4) return fromBinary(bytes.slice(0, kept)) + '...';
  if (from + kept >= bytes.length) return '...' + fromBinary(bytes.slice(-kept));
  return `...${fromBinary(bytes.slice(from, from + kept - 3))}...`;
}

/** `trunc`: the first bytes, or the last ones if `count` is negative. */
export function truncate(text: string, count: bigint): string {
  const length = byteLength(text);
  if (count >= 0n) return BigInt(length) > count ? byteSlice(text, 0, Number(count)) : text;
  const from = BigInt(length) + count;
  return from > 0n ? byteSlice(text, Number(from), length) : text;
}

/** `substr`: from `start` to `end`. A negative `start` means 0. A negative or too large `end` means the end of the text. */
export function substring(text: string, start: bigint, end: bigint): string {
  const length = BigInt(byteLength(text));
  if (start < 0n) {
    if (end < 0n) throw outOfRange(`[:${end}]`);
    if (end > length) throw outOfRange(`[:${end}] with length ${length}`);
    return byteSlice(text, 0, Number(end));
  }
  const to = end < 0n || end > length ? length : end;
  if (start > to) throw outOfRange(`[${start}:${to}]`);
  return byteSlice(text, Number(start), Number(to));
}

function outOfRange(range: string): GoError {
  return new GoError(`runtime error: slice bounds out of range ${range}`);
}
