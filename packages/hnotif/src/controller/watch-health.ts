import type { Clock } from '../clock.ts';
import type { Cause } from '../dispatch/circuit-breaker.ts';

/** What is followed is looked at so often (milliseconds). */
const LOOK_MS = 5_000;

export interface WatchHealthOptions {
  readonly clock: Clock;
  /** What cannot be followed, and why; undefined: all can. */
  readonly failing: () => string | undefined;
  /** Whether the API server is away as a whole: then no status can be written either. */
  readonly isAway: () => boolean;
  /** Told with each look. */
  readonly told: (why: Cause | undefined) => void;
}

/**
 * Tells why no event can be derived: a resource that is needed for it is not served, or may not be read. What lasts for less than two
 * looks is not told: an API server that starts refuses everything for seconds.
 */
export class WatchHealth {
  readonly #options: WatchHealthOptions;
  #before: string | undefined;
  #cancel: (() => void) | undefined;

  constructor(options: WatchHealthOptions) {
    this.#options = options;
  }

  start(): void {
    this.#cancel = this.#options.clock.after(LOOK_MS, () => {
      this.#look();
      this.start();
    });
  }

  close(): void {
    this.#cancel?.();
  }

  #look(): void {
    const { failing, isAway, told } = this.#options;
    const trouble = isAway() ? undefined : failing();
    if (trouble === undefined) told(undefined);
    else if (this.#before === trouble)
      told({ reason: 'PlansNotFollowed', message: `no event is derived from plans: ${trouble}` });
    this.#before = trouble;
  }
}
