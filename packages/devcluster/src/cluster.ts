import type { Registry } from './registry.ts';
import type { Store } from './store.ts';

/** What every verb works on. */
export interface Cluster {
  readonly store: Store;
  readonly registry: Registry;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}
