import type { Clock } from '@hnotif/core/clock';
import type { Subject } from '@hnotif/core/lifecycle';
import type { MemoryKey } from '@hnotif/core/sinks';
import type { Dispatcher } from '../dispatch/dispatcher.ts';
import type { JournalListener } from './listener.ts';

export interface OutboxOptions {
  readonly clock: Clock;
  /** The age of an event, from its acceptance time (milliseconds since the epoch). Default: by the machine's clock. */
  readonly ageOf?: ((at: number) => number) | undefined;
  readonly dispatcher: Pick<Dispatcher, 'append' | 'release'>;
  readonly listener: Pick<JournalListener, 'appended' | 'released'>;
}

/** What the journals of all plans share. */
export interface PlanJournalOptions extends OutboxOptions {
  /** Outcomes of nights are kept for this time (milliseconds). Default: three nights. */
  readonly nightsKeptMs?: number | undefined;
  /** Holds the logs of events that wait. */
  readonly dispatcher: Pick<Dispatcher, 'open' | 'append' | 'release' | 'halveLongest'>;
  readonly listener: Pick<JournalListener, 'appended' | 'released' | 'rebase' | 'memoryFound'>;
  /** Whether a sink still works on the message of a value that it stored. Default: never. */
  readonly isOpen?: ((at: MemoryKey, value: unknown) => boolean) | undefined;
  /** The plan was deleted, and nothing waits any more. Its entry has been discarded. */
  readonly finished?: ((plan: Subject) => void) | undefined;
}
