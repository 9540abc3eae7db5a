import type { Registry } from './registry.ts';
import type { Store } from './store.ts';

/** The state that all verbs use. */
export interface Cluster {
  readonly store: Store;
  readonly registry: Registry;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}
