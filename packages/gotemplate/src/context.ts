import type { Budget } from './budget.ts';

/** The environment of an execution. Functions that need it are declared with `contextual`. */
export interface Context {
  readonly budget: Budget;
  /** Nanoseconds since 1970. */
  readonly now: () => bigint;
  /** `n` random bytes. Cryptographically strong by default. */
  readonly random: (n: number) => Uint8Array;
  /** The IANA name of Go's local zone. Default `UTC`, whatever the zone of the process is. */
  readonly zone: string;
}
