import type { SinkWait } from '../dispatch/delivery.ts';
import { sinkKey, type SinkAddress } from '@hnotif/core/resources';

/** An incident that is over. */
export interface Recovery {
  /** The largest number of deliveries that waited. */
  readonly waiting: number;
  /** When the oldest of them was accepted (milliseconds since the epoch); Infinity: not known. */
  readonly since: number;
}

interface Incident {
  waiting: number;
  since: number;
  /** Whether deliveries wait for longer than a moment. */
  waits: boolean;
  /** Whether a message has arrived since the last Warning. */
  arrived: boolean;
}

/**
 * Sinks with waiting deliveries that a Warning has reported. An incident is over when a message has arrived and nothing waits for longer
 * than a moment. Deliveries that only expired, or were dropped with their plan, do not end it.
 */
export class Incidents {
  readonly #open = new Map<string, Incident>();

  /** A Warning was sent. A further Warning for the same sink belongs to the same incident. */
  opened(to: SinkAddress, wait: Pick<SinkWait, 'waiting' | 'since'>): void {
    const known = this.#open.get(sinkKey(to));
    if (known === undefined) {
      const { waiting, since } = wait;
      this.#open.set(sinkKey(to), { waiting, since, waits: true, arrived: false });
      return;
    }
    known.arrived = false;
    this.waits(to, wait);
  }

  /** Deliveries still wait, or wait again. */
  waits(to: SinkAddress, { waiting, since }: Pick<SinkWait, 'waiting' | 'since'>): void {
    const known = this.#open.get(sinkKey(to));
    if (known === undefined) return;
    known.waits = true;
    known.waiting = Math.max(known.waiting, waiting);
    known.since = Math.min(known.since, since);
  }

  /** Nothing waits any more. Returns the incident if it is over. */
  resumed(to: SinkAddress): Recovery | undefined {
    const known = this.#open.get(sinkKey(to));
    if (known === undefined) return undefined;
    known.waits = false;
    return known.arrived ? this.released(to) : undefined;
  }

  /** A message has arrived. Returns the incident if it is over. */
  arrived(to: SinkAddress): Recovery | undefined {
    // Usually there are no incidents. This saves making a key for each message.
    if (this.#open.size === 0) return undefined;
    const known = this.#open.get(sinkKey(to));
    if (known === undefined) return undefined;
    known.arrived = true;
    return known.waits ? undefined : this.released(to);
  }

  /** The circuit is closed again. Returns the incident, which is over. */
  released(to: SinkAddress): Recovery | undefined {
    const known = this.#open.get(sinkKey(to));
    this.forget(to);
    return known;
  }

  /** The sink was deleted. */
  forget(to: SinkAddress): void {
    this.#open.delete(sinkKey(to));
  }
}
