import { isDeepStrictEqual } from 'node:util';
import type { Cause } from '../dispatch/states.ts';
import type { SinkWait } from '../dispatch/delivery.ts';
import { LASTING_MS } from '../dispatch/sink-waits.ts';
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
import type { ReplayStatus } from '../resources/replay.ts';
import type { Suspension } from '../resources/suspension.ts';
import type { SinkCheck } from './readiness-checks.ts';
import {
  afterFailure,
  emptyRow,
  notRefused,
  readBack,
  sinkStatusOf,
  withoutReason,
  type Losses,
} from './sink-status.ts';
import { durableCondition, isFine, readyCondition, type LastFailure } from './conditions.ts';

/** Why accepted events of a namespace are not kept; undefined: they are. */
export type Undurable = Cause | undefined;

/** What other parts know of a notification when its status is made. */
export interface Facts {
  /** How many plans match. */
  readonly matched: number;
  /** Why no plan matches; undefined: one does, or it is not known. */
  readonly unmatched: string | undefined;
  /** Why a sink waits, by sink. */
  readonly waits: ReadonlyMap<string, SinkWait | undefined>;
  /** Why events cannot be derived from plans; undefined: they can, or it is not known yet. */
  readonly unserved: Cause | undefined;
  /** The suspension that holds now; undefined: it sends. */
  readonly suspension: Suspension | undefined;
  /** Whether plans have been listed, so that events are derived. */
  readonly isListed: boolean;
}

/** How deliveries ended in an earlier process. */
export interface Ended extends Cause {
  readonly result: 'failed' | 'dropped';
  readonly count: number;
}

/** What a status says of its writer. */
export type StatusWriterFacts = Pick<NotificationStatus, 'instance' | 'planResource'>;

/** A status of another instance that is older than this is taken over (milliseconds). It is confirmed each hour, at a check. */
export const ABANDONED_MS = 7_200_000;

/** A status is confirmed this often (milliseconds). A reader sees from its age whether an hnotif is running. */
const OBSERVED_MS = 3_600_000;

interface Failure extends LastFailure {
  /** When the first of the failures in a row was. */
  readonly since: number;
  /** Whether it is one of an earlier process, which had parked the sink. */
  readonly wasParked: boolean;
}

/**
 * All that the status of one notification is made of. Methods that return a boolean answer whether the status has changed. `now` is in
 * milliseconds since the epoch.
 */
export class NotificationState {
  #notification: Notification;
  /** Undefined before the first check. */
  #ready: Condition | undefined;
  /** The generation that was checked last. */
  #generation = 0;
  #durable: Condition;
  #checks: ReadonlyMap<string, SinkCheck> = new Map();
  /** Degradations of deliveries, by sink, then by kind of event; degradations about the sink itself by reason. */
  readonly #degradations = new Map<string, Map<string, Degradation>>();
  /** Why the last send of a sink failed, until a message arrives. */
  readonly #failures = new Map<string, Failure>();
  readonly #rows = new Map<string, SinkStatus>();
  /** Rows of an earlier process without failed sends. Their reason was found by a check, and the next check replaces it. */
  readonly #fromChecks = new Set<SinkStatus>();
  readonly #losses = new Map<string, Losses>();
  #replay: ReplayStatus | undefined;
  /** Milliseconds since the epoch. */
  #observedAt: number;

  /** Begins with the status of the object: a notification that was deleted and created again continues where it was. */
  constructor(notification: Notification, undurable: Undurable, now: number) {
    const { conditions, sinks, observedAt, replay } = notification.status;
    const conditionOf = (name: string): Condition | undefined =>
      conditions?.find(({ type }) => type === name);
    this.#notification = notification;
    this.#replay = replay;
    this.#observedAt = Date.parse(observedAt ?? '') || 0;
    this.#ready = conditionOf('Ready');
    this.#durable = durableCondition(notification.generation, undurable, conditionOf('Durable'), now);
    for (const each of sinks ?? []) {
      const { row, losses } = readBack(each);
      const { name, refused, reason, message } = row;
      if (!this.lists(name)) continue;
      this.#rows.set(name, row);
      if (row.consecutiveFailures === 0) this.#fromChecks.add(row);
      if (losses.size > 0) this.#losses.set(name, losses);
      const isParked = each.state === 'Parked' && this.isUnready;
      if ((refused !== undefined || isParked) && reason !== undefined && message !== undefined)
        this.#failures.set(name, { reason, message, lasting: true, since: now, wasParked: isParked });
    }
  }

  get notification(): Notification {
    return this.#notification;
  }

  /** Whether there is nothing to say yet: it was not judged, no delivery has ended, and no replay was asked for. */
  get isBlank(): boolean {
    return this.#ready === undefined && this.#rows.size === 0 && this.#replay === undefined;
  }

  /** Whether its sinks were checked by this process. */
  get isChecked(): boolean {
    return this.#checks.size > 0;
  }

  /** Whether it has the condition `Ready`, of this process or an earlier one. */
  get isJudged(): boolean {
    return this.#ready !== undefined;
  }

  /** Whether `Ready` is false. */
  get isUnready(): boolean {
    return this.#ready?.status === 'False';
  }

  /** Whether something must be corrected. */
  get hasProblem(): boolean {
    return this.#ready !== undefined && !isFine(this.#ready);
  }

  /** Results of the last check, by sink. */
  get checks(): ReadonlyMap<string, SinkCheck> {
    return this.#checks;
  }

  /** The other instance that writes the status; undefined: none, or none for a long time. */
  otherWriter(instance: string, now: number): string | undefined {
    const { instance: writer, observedAt } = this.#notification.status;
    if (writer === undefined || writer === instance) return undefined;
    // A time in the future is that of a wrong clock.
    return Math.abs(now - Date.parse(observedAt ?? '')) < ABANDONED_MS ? writer : undefined;
  }

  /** Whether an earlier process left the sink parked, and this one has not sent to it yet. */
  wasParked(sink: string): boolean {
    return this.#failures.get(sink)?.wasParked === true;
  }

  lists(sink: string): boolean {
    return this.#notification.sinks.some(({ name }) => name === sink);
  }

  /** A newer version of the same object. Failures of a sink whose entry has changed are dropped. */
  update(notification: Notification): void {
    const before = this.#notification;
    this.#notification = notification;
    this.#durable = { ...this.#durable, observedGeneration: notification.generation };
    if (before.generation === notification.generation) return;
    this.#degradations.clear();
    for (const old of before.sinks) {
      const { name } = old;
      const now = notification.sinks.find((each) => each.name === name);
      if (isDeepStrictEqual(now, old)) continue;
      this.#failures.delete(name);
      if (now !== undefined) this.row(name, notRefused);
      else for (const bySink of [this.#rows, this.#losses]) bySink.delete(name);
    }
  }

  /** Why accepted events are not kept; undefined: they are. */
  durable(undurable: Undurable, now: number): void {
    this.#durable = durableCondition(this.#notification.generation, undurable, this.#durable, now);
  }

  /** All sinks of this generation were checked. */
  checked(checks: ReadonlyMap<string, SinkCheck>, facts: Facts, now: number): void {
    for (const [sink, row] of this.#rows)
      if (this.#fromChecks.has(row)) this.#rows.set(sink, withoutReason(row));
    this.#fromChecks.clear();
    this.#checks = checks;
    this.#generation = this.#notification.generation;
    this.#judge(facts, now);
    if (now - this.#observedAt >= OBSERVED_MS) this.#observedAt = now;
  }

  /** A message of this kind arrived, but not in the form that the user wanted. */
  degraded(sink: string, event: EventKind, degradation: Degradation): boolean {
    const degradations = this.#degradations.get(sink) ?? new Map<string, Degradation>();
    const about = SINK_WIDE.has(degradation.reason) ? degradation.reason : event;
    this.#degradations.set(sink, degradations.set(about, degradation));
    return true;
  }

  /** The configuration or template of a sink has changed: failures and degradations of the old one are dropped. */
  renewed(sink: string): boolean {
    const changed = [
      this.#degradations.delete(sink),
      this.#failures.delete(sink),
      this.row(sink, notRefused),
    ];
    return changed.includes(true);
  }

  failed(sink: string, failure: LastFailure, now: number): boolean {
    const before = this.#failures.get(sink);
    const since = before?.since ?? now;
    // A lasting failure ends when a message arrives or the configuration changes.
    const lasting = failure.lasting || before?.lasting === true || now - since >= LASTING_MS;
    const after = { ...failure, since, lasting, wasParked: false };
    this.#failures.set(sink, after);
    return !isDeepStrictEqual(before, after);
  }

  /** A message of this kind arrived. `isWhole`: nothing was left out or replaced. */
  arrived(sink: string, event: EventKind, isWhole: boolean): boolean {
    const lost = this.#losses.delete(sink);
    let changed = this.#failures.delete(sink);
    const degradations = isWhole ? this.#degradations.get(sink) : undefined;
    for (const [about, { reason }] of degradations ?? [])
      if ((about === event || SINK_WIDE.has(reason)) && !LASTING.has(reason))
        changed = degradations?.delete(about) === true || changed;
    return changed || lost;
  }

  /** Deliveries were lost for this reason. */
  lost(sink: string, reason: string, count: number, now: number): boolean {
    const before = this.#losses.get(sink)?.get(reason);
    const lost = { count: (before?.count ?? 0) + count, last: formatSeconds(now) };
    const losses = [...new Map(this.#losses.get(sink)).set(reason, lost)];
    // The API server refuses a status with more of them.
    this.#losses.set(sink, new Map(losses.slice(-MOST_REASONS)));
    return true;
  }

  /** Deliveries ended in an earlier process, at `at`. False: the status shows it already, or a message arrived later. */
  ended(sink: string, { result, reason, message, count }: Ended, at: number, now: number): boolean {
    const row = this.#rows.get(sink);
    const known = result === 'failed' ? row?.lastFailure : this.#losses.get(sink)?.get(reason)?.last;
    // RFC 3339 times compare as texts.
    if ([known, row?.lastSuccess].some((time) => time !== undefined && time >= formatSeconds(at)))
      return false;
    if (result === 'dropped') return this.lost(sink, reason, count, at);
    this.row(sink, (before) => afterFailure(before, { reason, message }, formatSeconds(at)));
    this.failed(sink, { reason, message, lasting: false }, now);
    return true;
  }

  /** A replay that was asked for is done. */
  replayed(answer: ReplayStatus): void {
    this.#replay = answer;
  }

  /** Changes the row of a sink. */
  row(sink: string, change: (before: SinkStatus) => SinkStatus): boolean {
    const before = this.#rows.get(sink) ?? emptyRow(sink);
    const after = change(before);
    if (after !== before) this.#rows.set(sink, after);
    return after !== before;
  }

  /** The status to write. `writer`: who writes it. */
  status(facts: Facts, writer: StatusWriterFacts, now: number): NotificationStatus {
    this.#judge(facts, now);
    const { isListed, matched, waits } = facts;
    let waiting = 0;
    const sinks = this.#notification.sinks.map(({ name }) => {
      const row = this.#rows.get(name) ?? emptyRow(name);
      const wait = waits.get(name);
      waiting += wait?.waiting ?? 0;
      const shown = sinkStatusOf(row, this.#checks.get(name), wait, this.#losses.get(name));
      // The next process must know it, too, even if this one ends before its first try. Before plans are listed, it is not known what waits.
      const isParked = this.wasParked(name) && (wait === undefined ? !isListed : wait.kind === 'late');
      return isParked ? { ...shown, state: 'Parked' as const } : shown;
    });
    const replay = this.#replay && { replay: this.#replay };
    if (this.#ready === undefined) return { matched, sinks, ...replay };
    const { observedGeneration } = this.#ready;
    const observedAt = formatSeconds(this.#observedAt);
    const conditions = [this.#ready, this.#durable];
    return { matched, waiting, sinks, observedGeneration, observedAt, ...writer, conditions, ...replay };
  }

  /**
   * Makes the `Ready` condition. Before the first check it stays as an earlier process left it. Without an earlier one it does not begin
   * with true before plans are listed: no event is derived until then.
   */
  #judge({ isListed, waits, unmatched, unserved, suspension }: Facts, now: number): void {
    if (this.#checks.size === 0) return;
    const sinks = this.#notification.sinks.map(({ name }) => ({
      name,
      check: this.#checks.get(name),
      degradations: this.#degradations.get(name)?.values() ?? [],
      failure: this.#failures.get(name),
      wait: waits.get(name),
    }));
    const all = { sinks, unmatched, unserved, suspension };
    const ready = readyCondition(all, this.#generation, this.#ready, now);
    if (isListed || this.#ready !== undefined || ready.status !== 'True') this.#ready = ready;
  }
}
