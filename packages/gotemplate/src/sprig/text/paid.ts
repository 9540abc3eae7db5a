import { contextual, type Func } from '../../value/func.ts';
import type { Value } from '../../value/value.ts';

/** Characters that cost a step. */
const SHARE = 16;

/** A function that passes over its texts a few times at most, and pays for that by their lengths. */
export function paid(signature: string, impl: (...args: never[]) => Value): Func {
  return contextual(signature, ({ budget }, ...args) => {
    for (const arg of args as readonly unknown[])
      if (typeof arg === 'string') budget.spend(arg.length / SHARE);
    return impl(...args);
  });
}
