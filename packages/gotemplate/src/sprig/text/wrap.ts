import type { Budget } from '../../budget.ts';
import { fromBinary, toBinary } from '../../value/binary.ts';
import { pay } from './paid.ts';

/**
 * Breaks a text at spaces, into lines of at most `width` bytes. With `cut`, longer words are cut. Otherwise they stay
 * whole, and their line is longer.
 */
export function wrap(budget: Budget, text: string, width: bigint, lineBreak: string, cut: boolean): string {
  pay(budget, text);
  const most = width < 1n ? 1 : Number(width);
  const bytes = toBinary(text);
  const between = toBinary(lineBreak === '' ? '\n' : lineBreak);
  let wrapped = '';
  let from = 0;
  const line = (to: number, next: number): void => {
    budget.spend(4);
    budget.grow(to - from + between.length);
    wrapped += bytes.slice(from, to) + between;
    from = next;
  };
  while (bytes.length - from > most) {
    if (bytes.charCodeAt(from) === SPACE) {
      from++;
      continue;
    }
    const limit = from + most;
    const space = bytes.slice(from, limit + 1).lastIndexOf(' ');
    if (space >= 0) line(from + space, from + space + 1);
    else if (cut) line(limit, limit);
    else {
      const end = bytes.indexOf(' ', limit);
      if (end < 0) break;
      line(end, end + 1);
    }
  }
  return fromBinary(wrapped + bytes.slice(from));
}

const SPACE = 0x20;
