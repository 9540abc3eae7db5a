import type { Fields } from '@hnotif/judges/msteams';

/** A message in a channel of Teams. */
export interface MsteamsMessage {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The Adaptive Cards. */
  readonly cards: readonly Fields[];
}
