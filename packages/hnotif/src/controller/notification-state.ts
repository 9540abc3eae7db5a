import { isDeepStrictEqual } from 'node:util';
import type { Why } from '../dispatch/circuit-breaker.ts';
import type { Stall } from '../dispatch/delivery.ts';
import { LASTING_MS } from '../dispatch/stalls.ts';
import { formatSeconds } from '../lifecycle/time.ts';
import type { EventKind } from '../resources/kinds.ts';
import {
  MOST_REASONS,
  type Condition,
  type Notification,
  type NotificationStatus,
  type SinkStatus,
} from '../resources/notification.ts';
import { LASTING, SINK_WIDE, type Degradation } from '../sinks/degradation.ts';
import { afterFailure, notRefused, readBack, withoutReason, type Losses } from './sink-status.ts';
import {
  durableCondition,
  isFine,
  readyCondition,
  statusOf,
  type LastFailure,
  type ReadyInputs,
  type SinkCheck,
} from './status.ts';

/** Why what is accepted in a namespace is not kept; undefined: it is. */
export type Undurable = Why | undefined;

/** What others know of a notification, asked when its status is made. */
export interface Facts {
  /** How many plans match. */
  readonly matched: () => number;
  /** Why none does; undefined: one does. */
  readonly unmatched: () => string | undefined;
  /** Why something of a sink waits just now. */
  readonly stall: (sink: string) => Stall | undefined;
  /** Why events of plans cannot be derived; undefined: they can. */
  readonly unserved: () => Why | undefined;
}

/** How deliveries ended in an earlier process. */
export interface Ended extends Why {
  readonly result: 'failed' | 'dropped';
  readonly count: number;
}

/** So often a status is confirmed (milliseconds): a reader sees from its age whether an hnotif serves. */
const OBSERVED_MS = 3_600_000;

/**
 * How one notification stands: all that its status is made of. What tells it of news answers whether the status is
 * another one now. `now` is in milliseconds since the epoch.
 */
export class NotificationState {
  #notification: Notification;
  readonly #facts: Facts;
  /** What the last look found; of the generation that it names. */
  #ready: Condition | undefined;
  /** …and that generation. */
  #generation = 0;
  #durable: Condition;
  #checks: ReadonlyMap<string, SinkCheck> = new Map();
  /** What deliveries told, by sink, then by kind of event or, where it is said of the sink, by reason. */
  readonly #notices = new Map<string, Map<string, Degradation>>();
  /** Why the last send of a sink failed, and since when nothing has arrived (milliseconds since the epoch); until a message arrives. */
  readonly #failures = new Map<string, LastFailure & { readonly since: number }>();
  readonly #rows = new Map<string, SinkStatus>();
  /** Those that an earlier process has left, of sinks of which no send has failed: what they say, its looks had found. */
  readonly #left = new Set<SinkStatus>();
  readonly #losses = new Map<string, Losses>();
  /** Milliseconds since the epoch. */
  #observedAt: number;

  /**
   * Begins with what stands in the notification's own status: a notification that was deleted and made again goes on where it was.
   */
  constructor(notification: Notification, undurable: Undurable, facts: Facts, now: number) {
    const { conditions, sinks, observedAt } = notification.status;
    const stands = (name: string): Condition | undefined => conditions?.find(({ type }) => type === name);
    this.#notification = notification;
    this.#facts = facts;
    this.#observedAt = Date.parse(observedAt ?? '') || 0;
    this.#ready = stands('Ready');
    this.#durable = durableCondition(notification, undurable, stands('Durable'), now);
    for (const each of sinks ?? []) {
      const { row, losses } = readBack(each);
      const { name, refused, reason, message } = row;
      if (!this.lists(name)) continue;
      this.#rows.set(name, row);
      if (row.consecutiveFailures === 0) this.#left.add(row);
      if (losses.size > 0) this.#losses.set(name, losses);
      const isParked = each.state === 'Parked' && this.isUnready;
      if ((refused !== undefined || isParked) && reason !== undefined && message !== undefined)
        this.#failures.set(name, { reason, message, lasting: true, since: now });
    }
  }

  get notification(): Notification {
    return this.#notification;
  }

  /** Whether nothing is known yet: no look has ended, and nothing has become of a delivery. */
  get isBlank(): boolean {
    return this.#ready === undefined && this.#rows.size === 0;
  }

  /** Whether somebody has looked at its sinks, now or before a restart. */
  get isJudged(): boolean {
    return this.#ready !== undefined;
  }

  /** Whether `Ready` is false. */
  get isUnready(): boolean {
    return this.#ready?.status === 'False';
  }

  /** Whether there is something to be mended. */
  get isBad(): boolean {
    return this.#ready !== undefined && !isFine(this.#ready);
  }

  /** What the last look has found. */
  get checks(): ReadonlyMap<string, SinkCheck> {
    return this.#checks;
  }

  lists(sink: string): boolean {
    return this.#notification.sinks.some(({ name }) => name === sink);
  }

  /** A newer state of the same object: of a sink that is another one, what was told of the old one is of no interest. */
  becomes(notification: Notification): void {
    const before = this.#notification;
    this.#notification = notification;
    this.#durable = { ...this.#durable, observedGeneration: notification.generation };
    if (before.generation === notification.generation) return;
    this.#notices.clear();
    for (const old of before.sinks) {
      const { name } = old;
      const now = notification.sinks.find((each) => each.name === name);
      if (isDeepStrictEqual(now, old)) continue;
      this.#failures.delete(name);
      if (now !== undefined) this.row(name, notRefused);
      else for (const bySink of [this.#rows, this.#losses]) bySink.delete(name);
    }
  }

  /** Whether what is accepted is kept; why not. */
  durable(undurable: Undurable, now: number): void {
    this.#durable = durableCondition(this.#notification, undurable, this.#durable, now);
  }

  /** What a look at all sinks of this generation has found. */
  looked(checks: ReadonlyMap<string, SinkCheck>, now: number): void {
    for (const [sink, row] of this.#rows) if (this.#left.has(row)) this.#rows.set(sink, withoutReason(row));
    this.#left.clear();
    this.#checks = checks;
    this.#generation = this.#notification.generation;
    this.#judge(now, this.#facts.stall);
    if (now - this.#observedAt >= OBSERVED_MS) this.#observedAt = now;
  }

  /** A message of this kind arrived, but not as the user wished for. */
  noticed(sink: string, event: EventKind, notice: Degradation): boolean {
    const notices = this.#notices.get(sink) ?? new Map<string, Degradation>();
    const about = SINK_WIDE.has(notice.reason) ? notice.reason : event;
    this.#notices.set(sink, notices.set(about, notice));
    return true;
  }

  /** A sink's configuration or template is another one: what was told of the old one is of no interest. */
  renewed(sink: string): boolean {
    const changed = [this.#notices.delete(sink), this.#failures.delete(sink), this.row(sink, notRefused)];
    return changed.includes(true);
  }

  failed(sink: string, failure: LastFailure, now: number): boolean {
    const before = this.#failures.get(sink);
    const since = before?.since ?? now;
    // What is lasting ends with a message that arrives, or with another configuration.
    const lasting = failure.lasting || before?.lasting === true || now - since >= LASTING_MS;
    const after = { ...failure, since, lasting };
    this.#failures.set(sink, after);
    return !isDeepStrictEqual(before, after);
  }

  /** A message of this kind arrived; `asWished`: nothing had to be left out or replaced. */
  arrived(sink: string, event: EventKind, asWished: boolean): boolean {
    const lost = this.#losses.delete(sink);
    let changed = this.#failures.delete(sink);
    const notices = asWished ? this.#notices.get(sink) : undefined;
    for (const [about, { reason }] of notices ?? [])
      if ((about === event || SINK_WIDE.has(reason)) && !LASTING.has(reason))
        changed = notices?.delete(about) === true || changed;
    return changed || lost;
  }

  /** So many deliveries were dropped. */
  lost(sink: string, reason: string, count: number, now: number): boolean {
    const before = this.#losses.get(sink)?.get(reason);
    const lost = { count: (before?.count ?? 0) + count, last: formatSeconds(now) };
    const losses = [...new Map(this.#losses.get(sink)).set(reason, lost)];
    // The API server refuses a status with more of them, and all of it would stay as it is.
    this.#losses.set(sink, new Map(losses.slice(-MOST_REASONS)));
    return true;
  }

  /** So deliveries ended in an earlier process, then (milliseconds since the epoch). False: it is told already, or something arrived since. */
  ended(sink: string, { result, reason, message, count }: Ended, at: number, now: number): boolean {
    const row = this.#rows.get(sink);
    const told = result === 'failed' ? row?.lastFailure : this.#losses.get(sink)?.get(reason)?.last;
    // As RFC 3339 has them they are in order as texts, too.
    if ([told, row?.lastSuccess].some((time) => time !== undefined && time >= formatSeconds(at)))
      return false;
    if (result === 'dropped') return this.lost(sink, reason, count, at);
    this.row(sink, (before) => afterFailure(before, { reason, message }, formatSeconds(at)));
    this.failed(sink, { reason, message, lasting: false }, now);
    return true;
  }

  /** Changes the row of a sink. */
  row(sink: string, change: (before: SinkStatus) => SinkStatus): boolean {
    const before = this.#rows.get(sink) ?? { name: sink, consecutiveFailures: 0 };
    const after = change(before);
    if (after !== before) this.#rows.set(sink, after);
    return after !== before;
  }

  /** The status to be written: what is not told by deliveries (what waits, which plans match) is asked now, and once. */
  status(now: number): NotificationStatus {
    const { matched, stall } = this.#facts;
    const stalls = new Map(this.#notification.sinks.map(({ name }) => [name, stall(name)]));
    const stalled = (sink: string): Stall | undefined => stalls.get(sink);
    this.#judge(now, stalled);
    return statusOf({
      notification: this.#notification,
      matched: matched(),
      ready: this.#ready,
      durable: this.#durable,
      observedAt: formatSeconds(this.#observedAt),
      sinks: this.#rows,
      losses: this.#losses,
      checks: this.#checks,
      stall: stalled,
    });
  }

  /** The condition, from what is known; of an earlier process's before the first look. */
  #judge(now: number, stall: Facts['stall']): void {
    if (this.#checks.size === 0) return;
    const said: ReadyInputs = {
      notices: (sink) => this.#notices.get(sink)?.values() ?? [],
      failure: (sink) => this.#failures.get(sink),
      stall,
      unmatched: this.#facts.unmatched(),
      unserved: this.#facts.unserved(),
    };
    const ready = readyCondition(this.#notification, this.#checks, said, this.#ready, now);
    this.#ready = { ...ready, observedGeneration: this.#generation };
  }
}
