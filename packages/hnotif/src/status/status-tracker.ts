import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { keyOf } from '../cluster/objects.ts';
import type { Why } from '../dispatch/circuit-breaker.ts';
import type { Setback, Settlement, Stall } from '../dispatch/delivery.ts';
import { SILENT_DROPS } from '../dispatch/reasons.ts';
import type { EventKind } from '../resources/kinds.ts';
import type { Notification, NotificationStatus } from '../resources/notification.ts';
import type { SinkAddress } from '../resources/sink-address.ts';
import type { Degradation } from '../sinks/degradation.ts';
import { ReadinessChecks, type ReadinessChecksOptions } from './readiness-checks.ts';
import { NotificationState, type Ended, type Facts, type Undurable } from './notification-state.ts';
import { afterSetback, afterSettlement } from './sink-status.ts';
import type { SinkCheck } from './readiness-checks.ts';

export interface StatusTrackerOptions extends Pick<ReadinessChecksOptions, 'check' | 'checksPerSecond'> {
  readonly clock: Clock;
  readonly log: Logger;
  readonly matched: (notification: Notification) => number;
  /** Why no plan matches; asked where none does. */
  readonly unmatched: (notification: Notification) => string | undefined;
  /** Which configuration a sink was last seen to have: its type, its secret and the version of that. */
  readonly version: (to: SinkAddress) => string | undefined;
  /** Why something of a sink waits just now. */
  readonly stall: (to: SinkAddress) => Stall | undefined;
  /** Hands a status to the writer, which debounces and skips what is known. */
  readonly write: (notification: Notification, status: NotificationStatus) => void;
  /** Tells the writer what stands there, as the watch shows it. */
  readonly observed: (notification: Notification) => void;
  /** Sinks of which something is wrong are looked at so often in the end; first after 1, 2, 4… seconds. */
  readonly recheckUnreadyMs: number;
  readonly recheckReadyMs: number;
}

interface Entry {
  readonly state: NotificationState;
  /** Whether a status was handed to the writer, which knows from then on what stands there. */
  written: boolean;
  /** Sinks of this generation of which the log says that their template has no effect. */
  readonly templatesIgnored: Set<string>;
  /** Looks in a row that found something wrong. */
  badLooks: number;
}

/** The first look after one that found something wrong (milliseconds): a secret is often created a moment after its notification. */
const FIRST_RECHECK_MS = 1_000;

/** Statuses that are made in one turn of the event loop. */
const SLICE = 100;

/**
 * How all notifications stand: kept up to date, and handed to the writer. A change only marks; the status is made in
 * a later turn, however many changes there were. Of one that is new it waits for the first look: one write instead of two.
 */
export class StatusTracker {
  readonly #options: StatusTrackerOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #changed = new Set<Entry>();
  /** Why journals cannot be written, by namespace. */
  readonly #undurable = new Map<string, Undurable>();
  readonly #rounds: ReadinessChecks;
  #unserved: Why | undefined;
  #scheduled = false;

  constructor(options: StatusTrackerOptions) {
    this.#options = options;
    const { clock, log, check, checksPerSecond: checksPerSecond } = options;
    this.#rounds = new ReadinessChecks({
      ...{ clock, log, check, checksPerSecond: checksPerSecond },
      found: ({ namespace, name }, checks) => {
        const entry = this.#entries.get(keyOf({ namespace, name }));
        if (entry !== undefined) this.#looked(entry, checks);
      },
    });
  }

  /** How many notifications are not ready. */
  get notReady(): number {
    let count = 0;
    for (const { state } of this.#entries.values()) if (state.isUnready) count++;
    return count;
  }

  /**
   * A notification that is new or has changed. Its sinks are looked at when its spec did; soon when it is `fresh`
   * (it came while we watch), else when its turn comes.
   */
  set(notification: Notification, fresh: boolean): void {
    const { namespace, name, uid, generation } = notification;
    const known = this.#entries.get(keyOf({ namespace, name }));
    const before = known?.state.notification;
    if (known === undefined || before?.uid !== uid) {
      const undurable = this.#undurable.get(namespace);
      const { clock, matched, unmatched, stall } = this.#options;
      const facts: Facts = {
        matched: () => matched(state.notification),
        unmatched: () => (facts.matched() > 0 ? undefined : unmatched(state.notification)),
        stall: (sink) => stall({ namespace, notification: name, sink }),
        unserved: () => this.#unserved,
      };
      const state: NotificationState = new NotificationState(notification, undurable, facts, clock.now());
      const entry = { state, written: false, templatesIgnored: new Set<string>(), badLooks: 0 };
      this.#entries.set(keyOf({ namespace, name }), entry);
      this.#rounds.begin(notification, fresh);
      this.#mark(entry);
      return;
    }
    known.state.becomes(notification);
    if (known.written) this.#options.observed(notification);
    if (before.generation !== generation) {
      known.templatesIgnored.clear();
      known.badLooks = 0;
      this.#rounds.begin(notification, fresh);
    }
    this.#mark(known);
  }

  delete(notification: Notification): void {
    const { namespace, name } = notification;
    const entry = this.#entries.get(keyOf({ namespace, name }));
    if (entry === undefined) return;
    this.#rounds.forget(notification);
    this.#changed.delete(entry);
    this.#entries.delete(keyOf({ namespace, name }));
  }

  /** Whether what is accepted in a namespace is kept; why not. */
  durable(namespace: string, undurable: Undurable): void {
    if (undurable === undefined) this.#undurable.delete(namespace);
    else this.#undurable.set(namespace, undurable);
    for (const entry of this.#entries.values()) {
      if (entry.state.notification.namespace !== namespace) continue;
      entry.state.durable(undurable, this.#options.clock.now());
      this.#mark(entry);
    }
  }

  /** Other plans match now. */
  rematched(namespace: string, name: string): void {
    const entry = this.#entries.get(keyOf({ namespace, name }));
    if (entry !== undefined) this.#mark(entry);
  }

  /** It is known now which plans there are: every count may be another. */
  rematchedAll(): void {
    for (const entry of this.#entries.values()) this.#mark(entry);
  }

  /** Why events of plans cannot be derived; undefined: they can. */
  unserved(why: Why | undefined): void {
    if (isDeepStrictEqual(why, this.#unserved)) return;
    this.#unserved = why;
    this.rematchedAll();
  }

  settled(settlement: Settlement): void {
    const { to, event, noticed, result, reason, message } = settlement;
    const { sink } = to;
    this.#tell(to, (state, now) => {
      const row = state.row(sink, (before) => afterSettlement(before, settlement, now));
      if (result === 'failed') {
        state.lost(sink, reason, 1, now);
        return state.failed(sink, { reason, message, lasting: false }, now) || row;
      }
      if (result === 'delivered') return state.arrived(sink, event.kind, !noticed) || row;
      if (result === 'dropped' && !SILENT_DROPS.has(reason))
        return state.lost(sink, reason, settlement.events.length, now);
      return row;
    });
  }

  /** So deliveries ended in an earlier process, then (milliseconds since the epoch). Whether that is news. */
  ended(to: SinkAddress, ended: Ended, at: number): boolean {
    let isNews = false;
    this.#tell(to, (state, now) => (isNews = state.ended(to.sink, ended, at, now)));
    return isNews;
  }

  /** A send has failed, and its delivery waits. */
  putOff(to: SinkAddress, setback: Setback): void {
    const { sink } = to;
    const lasting = setback.kind === 'quarantined';
    const refused = lasting ? this.#options.version(to) : undefined;
    this.#tell(to, (state, now) => {
      const row = state.row(sink, (before) => afterSetback(before, setback, refused, now));
      const { reason, message } = setback;
      return state.failed(sink, { reason, message, lasting }, now) || row;
    });
    // Its secret may be another one by now.
    const entry = setback.begun && lasting ? this.#listing(to) : undefined;
    if (entry !== undefined) this.#rounds.begin(entry.state.notification, false);
  }

  /** A message of this kind arrived, but not as the user wished for. */
  noticed(to: SinkAddress, event: EventKind, notice: Degradation): void {
    this.#tell(to, (state) => state.noticed(to.sink, event, notice));
  }

  /** A sink's configuration or template is another one: what was told of the old one is of no interest. */
  renewed(to: SinkAddress): void {
    this.#tell(to, (state) => state.renewed(to.sink));
    // What the last look said of it may be false now.
    const entry = this.#listing(to);
    if (entry !== undefined) this.#rounds.begin(entry.state.notification, true);
  }

  /** Something of a sink waits, for another reason or until another time than was told; or no more. */
  waits(to: SinkAddress): void {
    this.#tell(to, () => true);
  }

  /** Hands what is marked to the writer, and ends every timer. */
  close(): void {
    for (const entry of this.#changed) this.#write(entry);
    this.#changed.clear();
    this.#rounds.close();
    this.#entries.clear();
  }

  /** News of a sink that is still listed. */
  #tell(to: SinkAddress, news: (state: NotificationState, now: number) => boolean): void {
    const entry = this.#listing(to);
    if (entry !== undefined && news(entry.state, this.#options.clock.now())) this.#mark(entry);
  }

  #listing({ namespace, notification, sink }: SinkAddress): Entry | undefined {
    const entry = this.#entries.get(keyOf({ namespace, name: notification }));
    return entry?.state.lists(sink) === true ? entry : undefined;
  }

  #mark(entry: Entry): void {
    this.#changed.add(entry);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#writeSome();
    });
  }

  #writeSome(): void {
    let left = SLICE;
    for (const entry of this.#changed) {
      if (left-- === 0) {
        this.#mark(entry);
        return;
      }
      this.#changed.delete(entry);
      this.#write(entry);
    }
  }

  #write(entry: Entry): void {
    if (entry.state.isBlank) return;
    const { state } = entry;
    const { notification, isBad: wasBad } = state;
    const status = state.status(this.#options.clock.now());
    // Something is wrong that was not: its secret may be gone.
    if (state.isBad && !wasBad) this.#rounds.beginIn(FIRST_RECHECK_MS, notification);
    // After a restart most statuses are as they should be: nothing is written then.
    if (!entry.written && isDeepStrictEqual(status, notification.status)) return;
    entry.written = true;
    this.#options.write(notification, status);
  }

  #looked(entry: Entry, checks: ReadonlyMap<string, SinkCheck>): void {
    const { state } = entry;
    if (state.isJudged && isInconclusive(checks)) {
      // What stands there is kept.
      this.#lookAgain(entry, true);
      return;
    }
    entry.badLooks = [...checks.values()].every(({ ok }) => ok) ? 0 : entry.badLooks + 1;
    this.#tellNews(state, checks);
    this.#tellIgnored(entry, checks);
    state.looked(checks, this.#options.clock.now());
    this.#mark(entry);
    this.#lookAgain(entry);
  }

  /** Sooner while somebody has something to mend: they want to see that they did. */
  #lookAgain({ state, badLooks }: Entry, soon = state.isBad): void {
    const { recheckReadyMs, recheckUnreadyMs } = this.#options;
    const first = badLooks === 0 ? Infinity : FIRST_RECHECK_MS * 2 ** (badLooks - 1);
    this.#rounds.beginIn(soon ? Math.min(first, recheckUnreadyMs) : recheckReadyMs, state.notification);
  }

  #tellNews(
    { notification, checks: before }: NotificationState,
    checks: ReadonlyMap<string, SinkCheck>,
  ): void {
    const { log } = this.#options;
    for (const [sink, check] of checks) {
      const known = before.get(sink);
      const where = { notification: keyOf(notification), sink };
      if (check.ok) {
        if (known?.ok === false) log.info(where, 'sink is ready again');
      } else if (known?.ok !== false || known.message !== check.message)
        log.warn({ ...where, reason: check.reason, detail: check.message }, 'sink is not ready');
    }
  }

  /** Once for each generation of a notification. */
  #tellIgnored({ state, templatesIgnored }: Entry, checks: ReadonlyMap<string, SinkCheck>): void {
    const { namespace, name } = state.notification;
    for (const [sink, check] of checks) {
      if (!check.ok || check.templateIgnored === undefined || templatesIgnored.has(sink)) continue;
      templatesIgnored.add(sink);
      const where = { notification: keyOf({ namespace, name }), sink };
      this.#options.log.info({ ...where, detail: check.templateIgnored }, 'custom template ignored');
    }
  }
}

/** Whether some sinks could not be looked at, and all others are well. */
function isInconclusive(checks: ReadonlyMap<string, SinkCheck>): boolean {
  const bad = [...checks.values()].filter((check) => !check.ok);
  return bad.length > 0 && bad.every(({ unavailable }) => unavailable === true);
}
