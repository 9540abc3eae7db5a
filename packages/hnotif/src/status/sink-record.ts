import type { Cause } from '@hnotif/core/sinks';
import type { SinkWait, WaitKind } from '../dispatch/delivery.ts';
import { HARMLESS_DROPS } from '../dispatch/reasons.ts';
import { LASTING_MS } from '../dispatch/sink-waits.ts';
import { formatSeconds, formatTime, parseTime } from '@hnotif/core/lifecycle';
import { type EventKind, MOST_REASONS, type SinkState, type SinkStatus } from '@hnotif/core/resources';
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

/** The part of a row that is about deliveries that have ended. */
type Row = Omit<SinkStatus, 'name' | 'state' | 'waiting' | 'waitingSince' | 'nextTry'>;

/** What is known of one sink. Its row and the conditions are made of it. */
export interface SinkRecord {
  /** `reason`, `message`: why the last send failed, until a message arrives. `refused`: if the receiver refused the configuration. */
  readonly row: Row;
  /** What the last check found; undefined: this process has not checked it. */
  readonly check: SinkCheck | undefined;
  /** Undefined: no Warning has said that deliveries wait, or that is over. */
  readonly incident: Incident | undefined;
  /** Of deliveries, by kind of event; those about the sink itself by reason. */
  readonly degradations: ReadonlyMap<string, Degradation>;
  /** Why the last send failed, until a message arrives or the configuration changes. */
  readonly failure: Failure | undefined;
  /** Whether a check of an earlier process found the reason in the row. The next check replaces it. */
  readonly isFromCheck: boolean;
  readonly ofEarlier: Row | undefined;
}

const NONE: SinkRecord['degradations'] = new Map();

export const NEW_SINK: SinkRecord = {
  ...{ row: { consecutiveFailures: 0 }, check: undefined, degradations: NONE, failure: undefined },
  ...{ incident: undefined, isFromCheck: false, ofEarlier: undefined },
};

/**
 * Begins with the row of an earlier process. Its waiting deliveries may have ended, so they are left out. `isUnready`: `Ready` was false.
 * `now`, here and below: milliseconds since the epoch.
 */
export function earlierSink(
  { name: _name, state, waiting: _waiting, waitingSince: _since, nextTry: _next, ...row }: SinkStatus,
  isUnready: boolean,
  now: number,
): SinkRecord {
  const { consecutiveFailures, message, reason, refused } = row;
  const wasParked = state === 'Parked' && isUnready;
  const isFailure = (refused !== undefined || wasParked) && reason !== undefined && message !== undefined;
  const failure = isFailure ? { reason, message, lasting: true, since: now, wasParked } : undefined;
  const isFromCheck = reason !== undefined && consecutiveFailures === 0;
  return { ...NEW_SINK, row, failure, isFromCheck, ofEarlier: row };
}

/** Whether no send has ended, and none is known of an earlier process. */
export const isBlank = ({ row: { lastSuccess, lastFailure, reason } }: SinkRecord): boolean =>
  (lastSuccess ?? lastFailure ?? reason) === undefined;

/** The row to show: why the next send would fail or the last one did, how many deliveries wait, and how many were lost. */
export function rowOf(
  name: string,
  { check, row: { reason: failed, message: words, ...row } }: SinkRecord,
  wait: SinkWait | undefined,
): SinkStatus {
  const last = failed === undefined ? wait : { reason: failed, message: words };
  const why = check?.ok === false ? check : last;
  const reason = why?.reason ?? row.dropped?.find((each) => !HARMLESS_DROPS.has(each.reason))?.reason;
  return {
    ...{ name, ...row },
    ...(reason !== undefined && { reason }),
    ...(why?.message !== undefined && { message: shortened(why.message) }),
    ...(wait !== undefined && waitOf(wait)),
  };
}

export function checked(sink: SinkRecord, check: SinkCheck | undefined): SinkRecord {
  const { reason: _, message: __, ...row } = sink.row;
  return { ...sink, check, row: sink.isFromCheck ? row : sink.row, isFromCheck: false };
}

/** The configuration or template has changed: failures and degradations of the old one are dropped. */
export function renewed(sink: SinkRecord): SinkRecord {
  const { refused: _, ...row } = sink.row;
  return { ...sink, row, degradations: NONE, failure: undefined };
}

/** A send has failed, at `at`. `refused`: the version of the configuration, if the receiver refused it. */
export function failed(
  sink: SinkRecord,
  { reason, message, lasting: isLasting = false, refused, at }: FailureReport,
  now: number,
): SinkRecord {
  const { refused: _, ...row } = sink.row;
  const { lasting: wasLasting, since = now } = sink.failure ?? {};
  // A lasting failure ends when a message arrives or the configuration changes.
  const lasting = isLasting || wasLasting === true || now - since >= LASTING_MS;
  const lastFailure = later(row.lastFailure, at ?? now);
  const consecutiveFailures = row.consecutiveFailures + 1;
  return {
    ...sink,
    row: {
      ...row,
      consecutiveFailures,
      lastFailure,
      reason,
      message,
      ...(refused !== undefined && { refused }),
    },
    failure: { reason, message, since, lasting, wasParked: false },
    isFromCheck: false,
  };
}

/** A message of this kind arrived. `isWhole`: nothing was left out or replaced. */
export function arrived(sink: SinkRecord, event: EventKind, isWhole: boolean, now: number): SinkRecord {
  const { check, degradations, incident, isFromCheck, ofEarlier } = sink;
  const { lastFailure } = sink.row;
  const row = { consecutiveFailures: 0, lastSuccess: formatSeconds(now) };
  // No spread: it is called for each message.
  return {
    row: lastFailure === undefined ? row : { ...row, lastFailure },
    check,
    degradations: isWhole && degradations.size > 0 ? remaining(degradations, event) : degradations,
    failure: undefined,
    incident,
    isFromCheck,
    ofEarlier,
  };
}

/** The degradations that a whole message of this kind does not end. */
const remaining = (degradations: SinkRecord['degradations'], event: EventKind): SinkRecord['degradations'] =>
  new Map(
    [...degradations].filter(
      ([about, { reason }]) => LASTING.has(reason) || !(about === event || SINK_WIDE.has(reason)),
    ),
  );

/** A message of this kind arrived, but not in the form that the user wanted. */
export function degraded(sink: SinkRecord, event: EventKind, degradation: Degradation): SinkRecord {
  const { reason } = degradation;
  const degradations = new Map(sink.degradations).set(SINK_WIDE.has(reason) ? reason : event, degradation);
  return { ...sink, degradations };
}

/** Deliveries were lost for this reason. The row counts them since the last success. */
export function lost(sink: SinkRecord, reason: string, count: number, now: number): SinkRecord {
  const losses = new Map(sink.row.dropped?.map((each) => [each.reason, each]));
  const before = losses.get(reason);
  losses.set(reason, { reason, count: (before?.count ?? 0) + count, last: later(before?.last, now) });
  // The API server refuses a status with more of them.
  return { ...sink, row: { ...sink.row, dropped: [...losses.values()].slice(-MOST_REASONS) } };
}

/**
 * Whether the row of the earlier process shows that a delivery failed or, with a reason, was dropped at this time, or that a message
 * arrived later. What this process has added says nothing about it: it may be about other plans.
 */
export function showedEarlier({ ofEarlier }: SinkRecord, at: number, reason?: string): boolean {
  const { lastFailure, lastSuccess, dropped = [] } = ofEarlier ?? {};
  const known = reason === undefined ? lastFailure : dropped.find((each) => each.reason === reason)?.last;
  return endOf(known) >= at || (parseTime(lastSuccess ?? '') ?? -Infinity) >= at;
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
