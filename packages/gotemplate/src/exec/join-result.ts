import { join, needsJoin } from '../value/text.ts';
import type { Value } from '../value/value.ts';
import type { Frame } from './frame.ts';

/** Shorter texts are checked without cost. */
const SHORT = 256;

/** Joins the parts of characters in a function's result (see `join`). Pays for the check and the repair. */
export function joinResult({ context: { budget } }: Frame, value: Value): Value {
  if (typeof value !== 'string') return value;
  if (value.length > SHORT) budget.spend(value.length >> 4);
  if (!needsJoin(value)) return value;
  budget.spend(value.length);
  budget.grow(value.length * 8);
  return join(value);
}
