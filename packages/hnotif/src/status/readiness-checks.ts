import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { TokenBucket } from '../cluster/bucket.ts';
import { keyOf } from '../cluster/objects.ts';
import type { Notification } from '../resources/notification.ts';
import type { SinkAddress } from '../resources/sink-address.ts';
import type { Degradation } from '../sinks/degradation.ts';
import { CheckQueue } from './check-queue.ts';

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

export interface ReadinessChecksOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** Looks at a sink; must not reject. */
  readonly check: (to: SinkAddress) => Promise<SinkCheck>;
  /** Told what a round has found, by sink, unless another one of the same notification was begun. */
  readonly found: (notification: Notification, checks: ReadonlyMap<string, SinkCheck>) => void;
  /** Sinks that are looked at in a second, in the long run. A delivery's own look at its secret is none of these. */
  readonly checksPerSecond: number;
}

interface CheckRun {
  /** Rises with every round, so that one that was overtaken is not believed. */
  number: number;
  cancel: (() => void) | undefined;
}

/** Notifications whose sinks are looked at at the same time. */
const WIDTH = 4;
/** Sinks that are looked at without a pause after a quiet time. */
const BURST = 20;

/** Rounds: each looks at every sink of a notification, its secret and its configuration. */
export class ReadinessChecks {
  readonly #options: ReadinessChecksOptions;
  readonly #rounds = new Map<string, CheckRun>();
  readonly #looks = new CheckQueue(WIDTH);
  readonly #pace: TokenBucket;
  readonly #stop = new AbortController();

  constructor(options: ReadinessChecksOptions) {
    this.#options = options;
    this.#pace = new TokenBucket(options.clock, options.checksPerSecond, BURST);
  }

  /** Soon when it is urgent, else when its turn comes. One that is under way or due is overtaken. */
  begin(notification: Notification, urgent: boolean): void {
    const key = keyOf(notification);
    const round = this.#rounds.get(key) ?? { number: 0, cancel: undefined };
    this.#rounds.set(key, round);
    round.cancel?.();
    round.cancel = undefined;
    const number = ++round.number;
    const isCurrent = (): boolean => round.number === number && this.#rounds.get(key) === round;
    this.#looks.add(
      notification.namespace,
      async () => {
        try {
          const checks = await this.#look(notification, isCurrent);
          if (isCurrent()) this.#options.found(notification, checks);
        } catch (error) {
          this.#options.log.error({ err: error, notification: key }, 'fault in a look at sinks');
        }
      },
      urgent,
    );
  }

  /** Begins one after so many milliseconds, instead of one that was due. */
  beginIn(ms: number, notification: Notification): void {
    const round = this.#rounds.get(keyOf(notification));
    if (round === undefined) return;
    round.cancel?.();
    round.cancel = this.#options.clock.after(ms, () => {
      this.begin(notification, false);
    });
  }

  forget(notification: Pick<Notification, 'namespace' | 'name'>): void {
    this.#rounds.get(keyOf(notification))?.cancel?.();
    this.#rounds.delete(keyOf(notification));
  }

  /** Ends every timer; what is under way is not told. */
  close(): void {
    this.#stop.abort();
    this.#looks.clear();
    for (const { cancel } of this.#rounds.values()) cancel?.();
    this.#rounds.clear();
  }

  async #look(
    { namespace, name, sinks }: Notification,
    isCurrent: () => boolean,
  ): Promise<Map<string, SinkCheck>> {
    const checks = new Map<string, SinkCheck>();
    for (const { name: sink } of sinks) {
      await this.#pace.take(this.#stop.signal, namespace);
      if (!isCurrent()) break;
      checks.set(sink, await this.#options.check({ namespace, notification: name, sink }));
    }
    return checks;
  }
}
