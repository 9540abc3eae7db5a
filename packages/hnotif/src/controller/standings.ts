import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Settlement, SinkAddress } from '../dispatch/delivery.ts';
import type { Notification, NotificationStatus, SinkStatus } from '../resources/notification.ts';
import { afterSettlement, statusOf, type SinkCheck } from './status.ts';

export interface StandingsOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly matched: (notification: Notification) => number;
  readonly check: (to: SinkAddress) => Promise<SinkCheck>;
  /** Hands a status to the writer, which debounces and skips what is known. */
  readonly write: (notification: Notification, status: NotificationStatus) => void;
  readonly recheckUnreadyMs: number;
  readonly recheckReadyMs: number;
}

interface Entry {
  notification: Notification;
  checks: ReadonlyMap<string, SinkCheck> | undefined;
  readonly sinks: Map<string, SinkStatus>;
  /** Whether a status was handed to the writer, which knows from then on what stands there. */
  written: boolean;
  /** Rises with every look, so that a look that was overtaken is not believed. */
  look: number;
  cancelRecheck: (() => void) | undefined;
}

/** How each notification stands: what its status is made of, kept up to date and handed to the writer. */
export class Standings {
  readonly #options: StandingsOptions;
  readonly #entries = new Map<string, Entry>();

  constructor(options: StandingsOptions) {
    this.#options = options;
  }

  /** A notification that is new or has changed. Its sinks are looked at when its spec did. */
  set(notification: Notification): void {
    const key = `${notification.namespace}/${notification.name}`;
    const before = this.#entries.get(key);
    if (before?.notification.uid === notification.uid) {
      const respecified = before.notification.generation !== notification.generation;
      before.notification = notification;
      if (respecified) this.#look(before);
      this.#write(before);
      return;
    }
    before?.cancelRecheck?.();
    const sinks = new Map(notification.status.sinks?.map((sink) => [sink.name, sink]));
    const entry: Entry = {
      notification,
      checks: undefined,
      sinks,
      written: false,
      look: 0,
      cancelRecheck: undefined,
    };
    this.#entries.set(key, entry);
    this.#look(entry);
    this.#write(entry);
  }

  delete({ namespace, name }: Notification): void {
    const key = `${namespace}/${name}`;
    this.#entries.get(key)?.cancelRecheck?.();
    this.#entries.delete(key);
  }

  /** Other plans match now. */
  rematched(namespace: string, name: string): void {
    const entry = this.#entries.get(`${namespace}/${name}`);
    if (entry !== undefined) this.#write(entry);
  }

  /** It is known now which plans there are: every count may be another. */
  rematchedAll(): void {
    for (const entry of this.#entries.values()) this.#write(entry);
  }

  settled(settlement: Settlement): void {
    const { namespace, notification, sink } = settlement.to;
    const entry = this.#entries.get(`${namespace}/${notification}`);
    if (entry === undefined) return;
    const before = entry.sinks.get(sink) ?? { name: sink, consecutiveFailures: 0 };
    const after = afterSettlement(before, settlement, this.#options.clock.now());
    if (after === before) return;
    entry.sinks.set(sink, after);
    this.#write(entry);
  }

  close(): void {
    for (const entry of this.#entries.values()) entry.cancelRecheck?.();
    this.#entries.clear();
  }

  #write(entry: Entry): void {
    const { notification } = entry;
    const matched = this.#options.matched(notification);
    const status = statusOf({ ...entry, matched }, this.#options.clock.now());
    // After a restart most statuses are as they should be: nothing is written then.
    if (!entry.written && isDeepStrictEqual(status, notification.status)) return;
    entry.written = true;
    this.#options.write(notification, status);
  }

  /** Reads every sink's secret and configuration, now and again after a while. */
  #look(entry: Entry): void {
    entry.cancelRecheck?.();
    entry.cancelRecheck = undefined;
    const look = ++entry.look;
    const { namespace, name, sinks } = entry.notification;
    const checks = sinks.map(async ({ name: sink }) => {
      const check = await this.#options.check({ namespace, notification: name, sink });
      return [sink, check] as const;
    });
    void Promise.all(checks).then((results) => {
      if (entry.look !== look || this.#entries.get(`${namespace}/${name}`) !== entry) return;
      this.#looked(entry, new Map(results));
    });
  }

  #looked(entry: Entry, checks: ReadonlyMap<string, SinkCheck>): void {
    const { clock, log, recheckReadyMs, recheckUnreadyMs } = this.#options;
    const { namespace, name } = entry.notification;
    for (const [sink, check] of checks) {
      const before = entry.checks?.get(sink);
      const news = check.ok ? before?.ok === false : before?.ok !== false || before.message !== check.message;
      if (!news) continue;
      const where = { notification: `${namespace}/${name}`, sink };
      if (check.ok) log.info(where, 'sink is ready again');
      else log.warn({ ...where, reason: check.reason, detail: check.message }, 'sink is not ready');
    }
    entry.checks = checks;
    this.#write(entry);
    const ready = [...checks.values()].every((check) => check.ok);
    entry.cancelRecheck = clock.after(ready ? recheckReadyMs : recheckUnreadyMs, () => {
      this.#look(entry);
    });
  }
}
