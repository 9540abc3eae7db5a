import { join, needsJoin } from '../value/text.ts';
import type { Value } from '../value/value.ts';
import type { Frame } from './frame.ts';

/** Texts that are looked at for nothing. */
const SHORT = 256;

/** The result of a function, which may have put halves of characters together. Pays for looking, and for mending. */
export function mend({ context: { budget } }: Frame, value: Value): Value {
  if (typeof value !== 'string') return value;
  if (value.length > SHORT) budget.spend(value.length >> 4);
  if (!needsJoin(value)) return value;
  budget.spend(value.length);
  budget.grow(value.length * 8);
  return join(value);
}
