import type { SinkAddress } from '../resources/sink-address.ts';

/** What one sink remembers of one plan, under a key of its own. */
export interface MemoryKey {
  readonly address: SinkAddress;
  readonly planUid: string;
  readonly key: string;
}

/**
 * What a sink has to remember of a plan beyond the process: JSON that it alone understands. Of one sink and plan the eight values that
 * were saved last are kept, and 256 of all sinks of a plan.
 */
export interface SinkMemory {
  /** undefined: nothing is remembered. The value is as the journal has it: parse it. */
  load(at: MemoryKey): unknown;
  /** Resolves when the value is kept, or cannot be. Must not reject. */
  save(at: MemoryKey, value: unknown): void | Promise<void>;
}
