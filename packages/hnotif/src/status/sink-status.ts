import type { Cause } from '../dispatch/circuit-breaker.ts';
import { HARMLESS_DROPS } from '../dispatch/reasons.ts';
import type { FailedSend, Settlement, SinkWait, WaitKind } from '../dispatch/delivery.ts';
import { formatSeconds } from '../lifecycle/time.ts';
import type { DroppedCount, SinkState, SinkStatus } from '../resources/notification.ts';
import type { SinkCheck } from './readiness-checks.ts';
import { shortened } from './words.ts';

/** The row of a sink before anything is known. */
export const emptyRow = (name: string): SinkStatus => ({ name, consecutiveFailures: 0 });

/** A row without the reason that a check had found. */
export function withoutReason({
  name,
  consecutiveFailures,
  lastSuccess,
  lastFailure,
}: SinkStatus): SinkStatus {
  return {
    name,
    consecutiveFailures,
    ...(lastSuccess && { lastSuccess }),
    ...(lastFailure && { lastFailure }),
  };
}

/** Deliveries that were lost since the last success, by reason: their number, and the time of the last one (RFC 3339). */
export type Losses = ReadonlyMap<string, Omit<DroppedCount, 'reason'>>;

/** The row to show: why the last send failed or the next one would, how many deliveries wait, and how many were lost. */
export function sinkStatusOf(
  row: SinkStatus,
  check: SinkCheck | undefined,
  wait: SinkWait | undefined,
  losses: Losses = new Map(),
): SinkStatus {
  const why = row.reason !== undefined ? row : (wait ?? (check?.ok === false ? check : undefined));
  const lost = [...losses.keys()].find((each) => !HARMLESS_DROPS.has(each));
  const reason = why?.reason ?? lost;
  return {
    ...row,
    ...(reason !== undefined && { reason }),
    ...(why?.message !== undefined && { message: shortened(why.message) }),
    ...(wait !== undefined && waitOf(wait)),
    ...(losses.size > 0 && { dropped: [...losses].map(([reason, lost]) => ({ reason, ...lost })) }),
  };
}

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

/** The row of an earlier process: why the last send failed, and what was lost. Its waiting deliveries may have ended, so they are left out. */
export const readBack = ({
  state: _state,
  waiting: _waiting,
  waitingSince: _waitingSince,
  nextTry: _nextTry,
  dropped = [],
  ...row
}: SinkStatus): { readonly row: SinkStatus; readonly losses: Losses } => ({
  row,
  losses: new Map(dropped.map(({ reason, ...lost }) => [reason, lost])),
});

/** The row after a failed send. `refused`: the version of the configuration, if the receiver refused it. */
export const afterFailedSend = (
  before: SinkStatus,
  { reason, message }: FailedSend,
  refused: string | undefined,
  now: number,
): SinkStatus => ({
  ...notRefused(before),
  consecutiveFailures: before.consecutiveFailures + 1,
  lastFailure: formatSeconds(now),
  ...{ reason, message },
  ...(refused !== undefined && { refused }),
});

/** The row after a delivery that failed for good. */
export const afterFailure = (
  { name, consecutiveFailures, lastSuccess }: SinkStatus,
  { reason, message }: Cause,
  lastFailure: string,
): SinkStatus => ({
  name,
  consecutiveFailures: consecutiveFailures + 1,
  ...(lastSuccess && { lastSuccess }),
  ...{ lastFailure, reason, message },
});

/** The row without the refused configuration: it has changed. */
export function notRefused(before: SinkStatus): SinkStatus {
  const { refused, ...rest } = before;
  return refused === undefined ? before : rest;
}

/** The row after a delivery has settled. A delivery that was not sent does not change it. */
export function afterSettlement(before: SinkStatus, settlement: Settlement, now: number): SinkStatus {
  const { name, lastFailure } = before;
  switch (settlement.result) {
    case 'delivered':
      return {
        name,
        consecutiveFailures: 0,
        lastSuccess: formatSeconds(now),
        ...(lastFailure && { lastFailure }),
      };
    case 'failed':
      return afterFailure(before, settlement, formatSeconds(now));
    case 'dropped':
    case 'suppressed':
      return before;
  }
}
