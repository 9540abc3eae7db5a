import type { Logger } from 'pino';
import { nextTurn, type Clock } from '@hnotif/core/clock';
import { TokenBucket, WorkQueue } from '@hnotif/core/fair';
import { groupedBy } from '@hnotif/core/grouped-by';
import { keyOf, type Notification, type SinkEntry, type SinkAddress } from '@hnotif/core/resources';
import type { Degradation } from '@hnotif/core/sinks';

/** What a check of a sink found. */
export type SinkCheck =
  | {
      readonly ok: true;
      /** Settings that were accepted and have no effect. */
      readonly notes: readonly string[];
      /** Why messages will arrive in another form than the user wanted. */
      readonly faults: readonly Degradation[];
      /** Why the custom template has no effect; undefined: it has one, or there is none. */
      readonly templateIgnored?: string;
    }
  | {
      readonly ok: false;
      /** CamelCase. */
      readonly reason: string;
      /** What to do; never with a credential. */
      readonly message: string;
      /** The API server did not answer, so nothing is known. */
      readonly unavailable?: boolean;
    };

/** Reads the configuration of sinks. */
export interface SinkChecker {
  /** Whether a sink could send. Must not reject. */
  check(to: SinkAddress): Promise<SinkCheck>;
  /** The configuration that was read last: its type, its secret and the version of the secret. */
  version(to: SinkAddress): string | undefined;
}

/** A notification whose sinks are checked. */
export interface Checked {
  readonly observed: Notification;
  /** How often a check was requested: the results of an older check are ignored. */
  checksRequested: number;
}

interface ReadinessChecksOptions<T> {
  readonly clock: Clock;
  readonly log: Logger;
  readonly sinks: Pick<SinkChecker, 'check'>;
  /** Gets the results by sink, unless a newer check of the notification has begun. */
  readonly found: (of: T, checks: ReadonlyMap<string, SinkCheck>) => void;
  /** Secrets and templates that are read for checks per second, in the long run. Reads for deliveries do not count. */
  readonly checksPerSecond: number;
}

/** Notifications that are checked at the same time. */
const WIDTH = 4;
/** Reads at once after a quiet time. */
const BURST = 20;

/** Checks notifications: reads the secret and the configuration of each of their sinks. */
export class ReadinessChecks<T extends Checked> {
  readonly #options: ReadinessChecksOptions<T>;
  readonly #queue: WorkQueue<T>;
  readonly #pace: TokenBucket;
  readonly #stop = new AbortController();

  constructor(options: ReadinessChecksOptions<T>) {
    this.#options = options;
    this.#queue = new WorkQueue({
      clock: options.clock,
      workers: WIDTH,
      ownerOf: ({ observed }) => observed.namespace,
      work: (of) => this.#run(of),
    });
    this.#pace = new TokenBucket(options.clock, options.checksPerSecond, BURST);
  }

  /** Queues a check. The notification's check that is running ends without a result. */
  begin(of: T, urgent: boolean): void {
    of.checksRequested++;
    this.#queue.add(of, { urgent });
  }

  /** Queues a check after this time (milliseconds), unless one is due earlier. */
  beginIn(ms: number, of: T): void {
    this.#queue.add(of, { afterMs: ms });
  }

  forget(of: T): void {
    of.checksRequested++;
    this.#queue.remove(of);
  }

  /** Ends every timer. Results of running checks are ignored. */
  close(): void {
    this.#stop.abort();
    void this.#queue.close();
  }

  async #run(of: T): Promise<void> {
    const { found, log, sinks } = this.#options;
    const { observed: notification, checksRequested } = of;
    const { namespace, name } = notification;
    const isCurrent = (): boolean => of.checksRequested === checksRequested && !this.#stop.signal.aborted;
    try {
      const checks = new Map<string, SinkCheck>();
      // Sinks with the same secret and template share their reads, which are cached for a second: they are checked one after the other.
      for (const sharing of groupedBy(notification.sinks, contentsOf).values()) {
        await this.#pace.take({ owner: namespace, signal: this.#stop.signal });
        for (const [index, { name: sink }] of sharing.entries()) {
          if (index > 0) await nextTurn();
          if (!isCurrent()) return;
          checks.set(sink, await sinks.check({ namespace, notification: name, sink }));
        }
      }
      if (isCurrent()) found(of, checks);
    } catch (error) {
      log.error({ err: error, notification: keyOf(notification) }, 'internal error in a readiness check');
    }
  }
}

/** The secret and the config map of a sink. */
const contentsOf = ({ secretRef, templateRef }: SinkEntry): string =>
  `${secretRef.name}/${templateRef?.name ?? ''}`;

/** When the sinks of a notification are checked again (milliseconds). */
export interface RecheckTimes {
  /** The longest time between two checks of a notification with a problem; the first ones come after 1, 2, 4… seconds. */
  readonly recheckUnreadyMs: number;
  /** The time between two checks of a notification without a problem. */
  readonly recheckReadyMs: number;
}

/** The first check after one that found a problem (milliseconds): a secret is often created a moment after its notification. */
export const FIRST_RECHECK_MS = 1_000;

/** The time until the next check of a notification with a problem. `failed`: checks in a row that found one. */
export const recheckMs = (failed: number, { recheckUnreadyMs }: RecheckTimes): number =>
  failed === 0 ? recheckUnreadyMs : Math.min(FIRST_RECHECK_MS * 2 ** (failed - 1), recheckUnreadyMs);

/** Whether some sinks could not be checked, and all others are ready. */
export function isInconclusive(checks: ReadonlyMap<string, SinkCheck>): boolean {
  const failed = [...checks.values()].filter((check) => !check.ok);
  return failed.length > 0 && failed.every(({ unavailable }) => unavailable === true);
}
