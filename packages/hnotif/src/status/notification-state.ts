import { isDeepStrictEqual } from 'node:util';
import type { Cause } from '@hnotif/core/sinks';
import { formatSeconds } from '@hnotif/core/lifecycle';
import type { Condition, Notification, NotificationStatus, ReplayStatus } from '@hnotif/core/resources';
import type { SinkCheck } from './readiness-checks.ts';
import { checked, earlierSink, isBlank, NEW_SINK, renewed, rowOf, type SinkRecord } from './sink-record.ts';
import type { Facts } from './facts.ts';
import { durableCondition, isFine, readyCondition } from './conditions.ts';

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

/** All that the status of one notification is made of. `now` is in milliseconds since the epoch. */
export class NotificationState {
  #notification: Notification;
  /** Undefined before the first check. */
  #ready: Condition | undefined;
  /** The generation that this process has checked last; 0: none. */
  #generation = 0;
  #durable: Condition | undefined;
  /** Those that the notification lists, by name. */
  #sinks = new Map<string, SinkRecord>();
  /** The answer to a replay that was asked for. */
  replay: ReplayStatus | undefined;
  /** Milliseconds since the epoch. */
  #observedAt: number;

  /** Begins with the status of the object: a notification that was deleted and created again continues where it was. */
  constructor(notification: Notification, now: number) {
    const { conditions, sinks: rows, observedAt, replay } = notification.status;
    const conditionOf = (name: string): Condition | undefined =>
      conditions?.find(({ type }) => type === name);
    this.#notification = notification;
    this.replay = replay;
    this.#observedAt = Date.parse(observedAt ?? '') || 0;
    this.#ready = conditionOf('Ready');
    this.#durable = conditionOf('Durable');
    for (const { name } of notification.sinks) {
      const row = rows?.find((each) => each.name === name);
      this.#sinks.set(name, row === undefined ? NEW_SINK : earlierSink(row, this.isUnready, now));
    }
  }

  get notification(): Notification {
    return this.#notification;
  }

  /** Whether there is nothing to say yet: it was not judged, no delivery has ended, and no replay was asked for. */
  get isBlank(): boolean {
    const isNew = this.#ready === undefined && this.replay === undefined;
    return isNew && [...this.#sinks.values()].every(isBlank);
  }

  /** Whether its sinks were checked by this process. */
  get isChecked(): boolean {
    return this.#generation > 0;
  }

  /** Whether its present generation was not checked by this process. */
  get isNewGeneration(): boolean {
    return this.#generation !== this.#notification.generation;
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

  /** The other instance that writes the status; undefined: none, or none for a long time. */
  otherWriter(instance: string, now: number): string | undefined {
    const { instance: writer, observedAt } = this.#notification.status;
    if (writer === undefined || writer === instance) return undefined;
    // A time in the future is that of a wrong clock.
    return Math.abs(now - Date.parse(observedAt ?? '')) < ABANDONED_MS ? writer : undefined;
  }

  /** Undefined: the notification does not list it. */
  sink(name: string): SinkRecord | undefined {
    return this.#sinks.get(name);
  }

  /** A sink that it lists has changed. */
  changed(name: string, sink: SinkRecord): void {
    this.#sinks.set(name, sink);
  }

  /** A newer version of the same object. Failures of a sink whose entry has changed are dropped. */
  update(notification: Notification): void {
    const { generation, sinks } = this.#notification;
    this.#notification = notification;
    if (generation === notification.generation) return;
    const before = this.#sinks;
    this.#sinks = new Map();
    for (const entry of notification.sinks) {
      const sink = before.get(entry.name) ?? NEW_SINK;
      const isSame = sinks.some((old) => isDeepStrictEqual(old, entry));
      this.#sinks.set(entry.name, isSame ? { ...sink, degradations: NEW_SINK.degradations } : renewed(sink));
    }
  }

  /** All sinks of this generation were checked. */
  checked(checks: ReadonlyMap<string, SinkCheck>, facts: Facts, now: number): void {
    for (const [name, sink] of this.#sinks) this.#sinks.set(name, checked(sink, checks.get(name)));
    this.#generation = this.#notification.generation;
    this.#judge(facts, now);
    if (now - this.#observedAt >= OBSERVED_MS) this.#observedAt = now;
  }

  /** The status to write. `writer`: who writes it. */
  status(facts: Facts, writer: StatusWriterFacts, now: number): NotificationStatus {
    this.#judge(facts, now);
    const { isListed, matched, waits } = facts;
    let waiting = 0;
    const sinks = [...this.#sinks].map(([name, sink]) => {
      const wait = waits.get(name);
      waiting += wait?.waiting ?? 0;
      // The next process must know it, too, even if this one ends before its first try. Before plans are listed, it is not known what waits.
      const isParked =
        sink.failure?.wasParked === true && (wait === undefined ? !isListed : wait.kind === 'late');
      return { ...rowOf(name, sink, wait), ...(isParked && { state: 'Parked' as const }) };
    });
    const replay = this.replay && { replay: this.replay };
    if (this.#ready === undefined) return { matched, sinks, ...replay };
    const { observedGeneration } = this.#ready;
    const observedAt = formatSeconds(this.#observedAt);
    this.#durable = durableCondition(this.#notification.generation, facts.undurable, this.#durable, now);
    const conditions = [this.#ready, this.#durable];
    return { matched, waiting, sinks, observedGeneration, observedAt, ...writer, conditions, ...replay };
  }

  /**
   * Makes the `Ready` condition. Before the first check it stays as an earlier process left it. Without an earlier one it does not begin
   * with true before plans are listed: no event is derived until then.
   */
  #judge({ isListed, waits, unmatched, unserved, suspension }: Facts, now: number): void {
    if (!this.isChecked) return;
    const sinks = [...this.#sinks].map(([name, { check, degradations, failure }]) => ({
      ...{ name, check, degradations: degradations.values(), failure, wait: waits.get(name) },
    }));
    const all = { sinks, unmatched, unserved, suspension };
    const ready = readyCondition(all, this.#generation, this.#ready, now);
    if (isListed || this.#ready !== undefined || ready.status !== 'True') this.#ready = ready;
  }
}
