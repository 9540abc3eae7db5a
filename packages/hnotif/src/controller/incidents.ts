import type { Stall } from '../dispatch/delivery.ts';
import { sinkKey, type SinkAddress } from '../resources/sink-address.ts';

/** What waited for a sink in a trouble that is over. */
export interface Recovery {
  /** The most that was told to wait at once. */
  readonly waiting: number;
  /** When the oldest of it was accepted (milliseconds since the epoch); Infinity: that is not known. */
  readonly since: number;
}

interface Incident {
  waiting: number;
  since: number;
  /** Whether something waits for longer than a moment, as was told last. */
  waits: boolean;
  /** Whether something has arrived since it was told. */
  arrived: boolean;
}

/**
 * The sinks of which a Warning has told that something waits. Such a trouble is over when a message has arrived and nothing waits for
 * longer than a moment: what merely expired, or was dropped with its plan, is no recovery.
 */
export class Incidents {
  readonly #open = new Map<string, Incident>();

  /** A Warning tells of it. Another one for the same sink belongs to the same trouble. */
  opened(to: SinkAddress, stall: Pick<Stall, 'waiting' | 'since'>): void {
    const known = this.#open.get(sinkKey(to));
    if (known === undefined) {
      const { waiting, since } = stall;
      this.#open.set(sinkKey(to), { waiting, since, waits: true, arrived: false });
      return;
    }
    known.arrived = false;
    this.waits(to, stall);
  }

  /** Something waits still, or again. */
  waits(to: SinkAddress, { waiting, since }: Pick<Stall, 'waiting' | 'since'>): void {
    const known = this.#open.get(sinkKey(to));
    if (known === undefined) return;
    known.waits = true;
    known.waiting = Math.max(known.waiting, waiting);
    known.since = Math.min(known.since, since);
  }

  /** Nothing waits any more. Answers with the trouble that is over by it. */
  flows(to: SinkAddress): Recovery | undefined {
    const known = this.#open.get(sinkKey(to));
    if (known === undefined) return undefined;
    known.waits = false;
    return known.arrived ? this.released(to) : undefined;
  }

  /** A message has arrived. Answers with the trouble that is over by it. */
  arrived(to: SinkAddress): Recovery | undefined {
    // Nearly always there is none, and a key is a long text to make for each message.
    if (this.#open.size === 0) return undefined;
    const known = this.#open.get(sinkKey(to));
    if (known === undefined) return undefined;
    known.arrived = true;
    return known.waits ? undefined : this.released(to);
  }

  /** It takes messages again, whatever waits still. Answers with the trouble that is over by it. */
  released(to: SinkAddress): Recovery | undefined {
    const known = this.#open.get(sinkKey(to));
    this.forget(to);
    return known;
  }

  /** The sink is gone. */
  forget(to: SinkAddress): void {
    this.#open.delete(sinkKey(to));
  }
}
