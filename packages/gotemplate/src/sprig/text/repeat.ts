/** Functions whose result can be much longer than their arguments. */
import type { Budget } from '../../budget.ts';
import { GoError } from '../../errors.ts';
import { byteLength } from '../../value/text.ts';

const MAX_INT = 2n ** 63n - 1n;

/** `strings.Repeat` */
export function repeat(budget: Budget, text: string, count: bigint): string {
  if (count < 0n) throw new GoError('strings: negative Repeat count');
  if (count === 0n || text === '') return '';
  if (count === 1n) return text;
  const length = BigInt(byteLength(text)) * count;
  if (length > MAX_INT) throw new GoError('strings: Repeat output length overflow');
  budget.grow(Number(length));
  return text.repeat(Number(count));
}

/** Adds spaces before each line. */
export function indent(budget: Budget, text: string, spaces: bigint): string {
  const pad = repeat(budget, ' ', spaces);
  budget.spend(1 + text.length / 16);
  let breaks = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) breaks++;
  // Each line break costs a search.
  budget.spend(3 * breaks);
  budget.grow((pad.length + 16) * breaks);
  return pad + text.replaceAll('\n', `\n${pad}`);
}
