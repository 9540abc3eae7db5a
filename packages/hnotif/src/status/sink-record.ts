import type { Cause } from '@hnotif/core/sinks';
import type { SinkWait, WaitKind } from '../dispatch/delivery.ts';
import { HARMLESS_DROPS } from '../dispatch/reasons.ts';
import { LASTING_MS } from '../dispatch/sink-waits.ts';
import { formatSeconds, formatTime, parseTime } from '@hnotif/core/lifecycle';
import {
  type EventKind,
  MOST_REASONS,
  type DroppedCount,
  type SinkState,
  type SinkStatus,
} from '@hnotif/core/resources';
import { LASTING, SINK_WIDE, type Degradation } from '@hnotif/core/sinks';
import type { LastFailure } from './conditions.ts';
import type { Incident } from './incident.ts';
import type { SinkCheck } from './readiness-checks.ts';
import { shortened } from './words.ts';

interface Failure extends LastFailure {
  /** When the first of the failures in a row was (milliseconds since the epoch). */
  readonly since: number;
  /** Whether it is one of an earlier process, which had parked the sink. */
  readonly wasParked: boolean;
}

interface FailureReport extends Cause {
  readonly lasting?: boolean;
  readonly refused?: string | undefined;
  readonly at?: number;
}

/** What is known of one sink, as facts. Its row and the conditions are made of them. `now` is in milliseconds since the epoch. */
export class SinkRecord {
  /** What the last check found; undefined: this process has not checked it. */
  check: SinkCheck | undefined;
  /** Undefined: no Warning has said that deliveries wait, or that is over. */
  incident: Incident | undefined;
  /** Of deliveries, by kind of event; those about the sink itself by reason. */
  readonly degradations = new Map<string, Degradation>();
  /** Deliveries that were lost since the last success, by reason. */
  readonly #losses = new Map<string, Omit<DroppedCount, 'reason'>>();
  /** Why the last send failed, until a message arrives or the configuration changes. */
  #failure: Failure | undefined;
  #failures = 0;
  #lastSuccess: string | undefined;
  #lastFailure: string | undefined;
  /** Why the last send failed, until a message arrives. */
  #why: Partial<Cause> | undefined;
  /** Whether a check of an earlier process found it. The next check replaces it. */
  #isFromCheck = false;
  /** The version of the configuration, if the receiver refused it. */
  #refused: string | undefined;
  readonly #ofEarlier: Omit<SinkStatus, 'name'> | undefined;

  /** Begins with the row of an earlier process. Its waiting deliveries may have ended, so they are left out. `isUnready`: `Ready` was false. */
  constructor(row: Omit<SinkStatus, 'name'> | undefined, isUnready: boolean, now: number) {
    this.#ofEarlier = row;
    if (row === undefined) return;
    const { consecutiveFailures, dropped = [], lastFailure, lastSuccess, message, reason, refused } = row;
    this.#failures = consecutiveFailures;
    this.#lastSuccess = lastSuccess;
    this.#lastFailure = lastFailure;
    this.#refused = refused;
    for (const { reason: lost, ...count } of dropped) this.#losses.set(lost, count);
    if (reason === undefined) return;
    this.#why = { reason, ...(message !== undefined && { message }) };
    this.#isFromCheck = consecutiveFailures === 0;
    const wasParked = row.state === 'Parked' && isUnready;
    if ((refused !== undefined || wasParked) && message !== undefined)
      this.#failure = { reason, message, lasting: true, since: now, wasParked };
  }

  get failure(): LastFailure | undefined {
    return this.#failure;
  }

  /** Whether an earlier process left the sink parked, and this one has not sent to it yet. */
  get wasParked(): boolean {
    return this.#failure?.wasParked === true;
  }

  /** Whether no send has ended, and none is known of an earlier process. */
  get isBlank(): boolean {
    return (this.#lastSuccess ?? this.#lastFailure ?? this.#why) === undefined;
  }

  /** The row to show: why the next send would fail or the last one did, how many deliveries wait, and how many were lost. */
  row(name: string, wait: SinkWait | undefined): SinkStatus {
    const why = this.check?.ok === false ? this.check : (this.#why ?? wait);
    const lost = [...this.#losses.keys()].find((each) => !HARMLESS_DROPS.has(each));
    const reason = why?.reason ?? lost;
    return {
      ...{ name, consecutiveFailures: this.#failures },
      ...(this.#lastSuccess !== undefined && { lastSuccess: this.#lastSuccess }),
      ...(this.#lastFailure !== undefined && { lastFailure: this.#lastFailure }),
      ...(this.#refused !== undefined && { refused: this.#refused }),
      ...(reason !== undefined && { reason }),
      ...(why?.message !== undefined && { message: shortened(why.message) }),
      ...(wait !== undefined && waitOf(wait)),
      ...(this.#losses.size > 0 && {
        dropped: [...this.#losses].map(([reason, count]) => ({ reason, ...count })),
      }),
    };
  }

  checked(check: SinkCheck | undefined): void {
    this.check = check;
    if (this.#isFromCheck) this.#why = undefined;
    this.#isFromCheck = false;
  }

  /** The configuration or template has changed: failures and degradations of the old one are dropped. */
  renewed(): void {
    this.degradations.clear();
    this.#failure = undefined;
    this.#refused = undefined;
  }

  /** A send has failed, at `at`. `refused`: the version of the configuration, if the receiver refused it. */
  failed({ reason, message, lasting: isLasting = false, refused, at }: FailureReport, now: number): void {
    this.#failures++;
    this.#lastFailure = later(this.#lastFailure, at ?? now);
    this.#why = { reason, message };
    this.#isFromCheck = false;
    this.#refused = refused;
    const before = this.#failure;
    const since = before?.since ?? now;
    // A lasting failure ends when a message arrives or the configuration changes.
    const lasting = isLasting || before?.lasting === true || now - since >= LASTING_MS;
    this.#failure = { reason, message, since, lasting, wasParked: false };
  }

  /** A message of this kind arrived. `isWhole`: nothing was left out or replaced. */
  arrived(event: EventKind, isWhole: boolean, now: number): void {
    this.#failures = 0;
    this.#lastSuccess = formatSeconds(now);
    this.#failure = this.#why = this.#refused = undefined;
    this.#losses.clear();
    if (!isWhole) return;
    for (const [about, { reason }] of this.degradations)
      if ((about === event || SINK_WIDE.has(reason)) && !LASTING.has(reason)) this.degradations.delete(about);
  }

  /** A message of this kind arrived, but not in the form that the user wanted. */
  degraded(event: EventKind, degradation: Degradation): void {
    const { reason } = degradation;
    this.degradations.set(SINK_WIDE.has(reason) ? reason : event, degradation);
  }

  /** Deliveries were lost for this reason. */
  lost(reason: string, count: number, now: number): void {
    const before = this.#losses.get(reason);
    this.#losses.set(reason, { count: (before?.count ?? 0) + count, last: later(before?.last, now) });
    const [oldest = ''] = this.#losses.keys();
    // The API server refuses a status with more of them.
    if (this.#losses.size > MOST_REASONS) this.#losses.delete(oldest);
  }

  /**
   * Whether the row of the earlier process shows that a delivery failed or, with a reason, was dropped at this time, or that a message
   * arrived later. What this process has added says nothing about it: it may be about other plans.
   */
  shows(at: number, reason?: string): boolean {
    const { lastFailure, lastSuccess, dropped = [] } = this.#ofEarlier ?? {};
    const known = reason === undefined ? lastFailure : dropped.find((each) => each.reason === reason)?.last;
    return endOf(known) >= at || (parseTime(lastSuccess ?? '') ?? -Infinity) >= at;
  }
}

/** With milliseconds, so that it is known which losses it counts: a second may have several. */
const later = (before: string | undefined, at: number): string =>
  formatTime(Math.max(parseTime(before ?? '') ?? -Infinity, at));

/** The end of a time: of the second, if an older hnotif wrote it, without milliseconds. */
const endOf = (time = ''): number => (parseTime(time) ?? -Infinity) + (time.includes('.') ? 0 : 999);

const waitOf = ({ kind, waiting, since, nextAt }: SinkWait): Partial<SinkStatus> => ({
  state: STATES[kind],
  waiting,
  ...(since !== Infinity && { waitingSince: formatSeconds(since) }),
  ...(nextAt > 0 && { nextTry: formatSeconds(nextAt) }),
});

const STATES = {
  late: 'Late',
  behind: 'Behind',
  blocked: 'Blocked',
  paused: 'Paused',
  held: 'Held',
  parked: 'Parked',
  quarantined: 'Quarantined',
} as const satisfies Record<WaitKind, SinkState>;
