import type { Clock } from '@hnotif/core/clock';
import type { Outage } from '../cluster/outage.ts';
import type { StatusTracker } from '../status/status-tracker.ts';
import type { Watches } from './watches.ts';

/** The time between two checks of the watches (milliseconds). */
const CHECK_MS = 5_000;

interface WatchHealthOptions {
  readonly clock: Clock;
  readonly watches: Pick<Watches, 'failing'>;
  /** While the API server is away as a whole, no status can be written either. */
  readonly outage: Pick<Outage, 'isAway'>;
  readonly statusTracker: Pick<StatusTracker, 'unserved'>;
}

/**
 * Shows in statuses that a resource is not served, or may not be read, without which no event is derived or changes are not seen. A
 * problem that ends before the next check is not shown: an API server that starts refuses everything for some seconds.
 */
export class WatchHealth {
  readonly #options: WatchHealthOptions;
  #before: Watches['failing'] = new Map();
  #cancel: (() => void) | undefined;

  constructor(options: WatchHealthOptions) {
    this.#options = options;
  }

  start(): void {
    this.#cancel = this.#options.clock.after(CHECK_MS, () => {
      this.#check();
      this.start();
    });
  }

  close(): void {
    this.#cancel?.();
  }

  #check(): void {
    const { outage, statusTracker, watches } = this.#options;
    const failing: Watches['failing'] = outage.isAway ? new Map() : watches.failing;
    for (const scope of this.#before.keys())
      if (!failing.has(scope)) statusTracker.unserved(scope, undefined);
    for (const [scope, trouble] of failing)
      if (this.#before.has(scope)) statusTracker.unserved(scope, trouble);
    this.#before = failing;
  }
}
