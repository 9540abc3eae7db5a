import type { SinkAddress } from '../resources/sink-address.ts';

/** The key of a value that a sink stores for a plan. */
export interface MemoryKey {
  readonly address: SinkAddress;
  readonly planUid: string;
  readonly key: string;
}

/**
 * How soon a value is stored. `now`: a request waits for it, and others wait for the request. `soon`: a request waits for it that may wait;
 * in a burst it joins the next write of other changes. `later`: nothing waits; it joins the next outcome of the plan, or is stored after
 * half a second, in a burst later.
 */
export type SavePriority = 'now' | 'soon' | 'later';

/**
 * What a sink stores for a plan beyond the process, as JSON of its own. For a sink and plan the newest eight values are kept, and 256
 * for all sinks of a plan.
 */
export interface SinkMemory {
  /** Undefined: nothing is stored. Parse the value: it comes from the journal, or `save` got it in this process. */
  load(at: MemoryKey): unknown;
  /**
   * Saves a value: JSON, or an object whose `toJSON` makes it when it is written. Resolves when the value is stored, or cannot be. Must
   * not reject.
   */
  save(at: MemoryKey, value: unknown, priority: SavePriority): void | Promise<void>;
}
