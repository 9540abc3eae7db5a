import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '@hnotif/core/clock';
import type { NamespaceScope } from '@hnotif/core/resources';
import type { Cause } from '@hnotif/core/sinks';
import type { Outage } from '../cluster/outage.ts';
import type { Watches } from './watches.ts';

/** The time between two checks of the watches (milliseconds). */
const CHECK_MS = 5_000;

interface WatchHealthOptions {
  readonly clock: Clock;
  readonly watches: Pick<Watches, 'failing'>;
  /** While the API server is away as a whole, no status can be written either. */
  readonly outage: Pick<Outage, 'isAway'>;
}

/**
 * Where a resource is not served, or may not be read, without which no event is derived or changes are not seen. A problem that ends
 * before the next check is not known: an API server that starts refuses everything for some seconds.
 */
export class WatchHealth {
  readonly #options: WatchHealthOptions;
  /** What failed at the last check… */
  #failing: Watches['failing'] = new Map();
  /** …and at the one before, too. */
  #lasting: Watches['failing'] = new Map();
  #cancel: (() => void) | undefined;

  constructor(options: WatchHealthOptions) {
    this.#options = options;
  }

  /** Why no event can be derived from plans of a namespace; undefined: events can be derived. */
  problemIn(namespace: string): Cause | undefined {
    return this.#lasting.get(namespace) ?? this.#lasting.get(undefined);
  }

  /** `changed` is called for each scope with another problem than before. */
  start(changed: (scope: NamespaceScope) => void): void {
    this.#cancel = this.#options.clock.after(CHECK_MS, () => {
      this.#check(changed);
      this.start(changed);
    });
  }

  close(): void {
    this.#cancel?.();
  }

  #check(changed: (scope: NamespaceScope) => void): void {
    const { outage, watches } = this.#options;
    const [before, lasted] = [this.#failing, this.#lasting];
    this.#failing = outage.isAway ? new Map() : watches.failing;
    this.#lasting = new Map([...this.#failing].filter(([scope]) => before.has(scope)));
    for (const scope of new Set([...lasted.keys(), ...this.#lasting.keys()]))
      if (!isDeepStrictEqual(lasted.get(scope), this.#lasting.get(scope))) changed(scope);
  }
}
