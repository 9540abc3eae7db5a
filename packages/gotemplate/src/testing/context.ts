import { Budget, DEFAULT_LIMITS, type Limits } from '../budget.ts';
import type { Context } from '../context.ts';

/** The default limits, except the given ones. The clock stands still. */
export function budgetOf(limits?: Partial<Limits>, now = () => 0): Budget {
  return new Budget({ ...DEFAULT_LIMITS, ...limits }, now);
}

/** An execution in 1970, in UTC, whose random bytes are zeros. */
export function contextOf(limits?: Partial<Limits>, now?: () => number): Context {
  return { budget: budgetOf(limits, now), now: () => 0n, random: (n) => new Uint8Array(n), zone: 'UTC' };
}
