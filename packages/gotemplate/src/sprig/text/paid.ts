import type { Budget } from '../../budget.ts';
import { contextual, type Func } from '../../value/func.ts';
import { isAscii } from '../../value/text.ts';
import type { Value } from '../../value/value.ts';

/** The cost of each character of the arguments: steps, and bytes of memory in addition to the result. */
interface Cost {
  readonly steps: number;
  readonly bytes: number;
}

const LITTLE: Cost = { steps: 1 / 16, bytes: 0 };
/** Added for texts that are not ASCII: they are split into bytes or characters. */
const NOT_ASCII: Cost = { steps: 4, bytes: 8 };

export function pay(budget: Budget, text: string, { steps, bytes } = LITTLE): void {
  budget.spend(text.length * steps);
  if (bytes > 0) budget.grow(text.length * bytes);
  if (!isAscii(text)) {
    budget.spend(text.length * NOT_ASCII.steps);
    budget.grow(text.length * NOT_ASCII.bytes);
  }
}

/** A function that pays for the length of its texts before each call. The default pays for a few scans. */
export function paid(signature: string, impl: (...args: never[]) => Value, cost?: Cost): Func {
  return contextual(signature, ({ budget }, ...args) => {
    for (const arg of args as readonly unknown[]) if (typeof arg === 'string') pay(budget, arg, cost);
    return impl(...args);
  });
}
