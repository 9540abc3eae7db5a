import type { Budget } from './budget.ts';

/** What an execution has from outside; a function that needs any of it is declared with `contextual`. */
export interface Context {
  readonly budget: Budget;
  /** Nanoseconds since 1970. */
  readonly now: () => bigint;
  /** Cryptographically strong by default: `n` bytes. */
  readonly random: (n: number) => Uint8Array;
  /** The IANA name of what Go calls the local zone. Default `UTC`, whatever the process says. */
  readonly zone: string;
}
