import type { Clock } from '@hnotif/core/clock';
import { overflowOf } from '@hnotif/core/fair';
import { codeOf } from './failure.ts';

interface Refused {
  /** The namespace whose request found it. */
  readonly owner: string;
  readonly error: Error;
  /** Monotonic milliseconds. */
  readonly until: number;
}

/**
 * After a refused connection, requests to the same addresses and port fail for this time (milliseconds) without a connection of their
 * own: hundreds of sinks may have the same dead receiver.
 */
const REFUSED_MS = 1_000;
const MOST_REFUSED = 1_000;

/** The refused connections of the last second, by addresses and port. */
export class RefusedConnections {
  readonly #clock: Clock;
  /** The oldest first. */
  readonly #refused = new Map<string, Refused>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Throws the error of a connection to this place that was refused just now. */
  check(at: string): void {
    const before = this.#refused.get(at);
    if (before !== undefined && before.until > this.#clock.monotonic()) throw before.error;
  }

  /** A connection was opened for a request of this namespace, or has failed. */
  connected(at: string, owner: string, error: Error | null): void {
    this.#refused.delete(at);
    if (error === null || codeOf(error) !== 'ECONNREFUSED') return;
    this.#refused.set(at, { owner, error, until: this.#clock.monotonic() + REFUSED_MS });
    for (const [oldest] of overflowOf(this.#refused, MOST_REFUSED, (refused) => refused.owner))
      this.#refused.delete(oldest);
  }
}
