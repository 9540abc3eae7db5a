import type { Why } from '../dispatch/circuit-breaker.ts';
import type { Setback, Settlement, Stall, StallKind } from '../dispatch/delivery.ts';
import { formatSeconds } from '../lifecycle/time.ts';
import type { DroppedCount, SinkState, SinkStatus } from '../resources/notification.ts';
import type { SinkCheck } from './readiness-checks.ts';
import { shortened } from './words.ts';

/** What a row says when no send has failed: what it said was found by a look, and is found again. */
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

/** Deliveries that were dropped since the last success, by reason: how many, and when the last of them (RFC 3339). */
export type Losses = ReadonlyMap<string, Omit<DroppedCount, 'reason'>>;

/** A sink's row as it is shown: why the last send failed, or would, what waits now, and what was lost. */
export function sinkStatusOf(
  row: SinkStatus,
  check: SinkCheck | undefined,
  stall: Stall | undefined,
  losses: Losses = new Map(),
): SinkStatus {
  const why = row.reason !== undefined ? row : (stall ?? (check?.ok === false ? check : undefined));
  const [lost] = losses.keys();
  const reason = why?.reason ?? lost;
  return {
    ...row,
    ...(reason !== undefined && { reason }),
    ...(why?.message !== undefined && { message: shortened(why.message) }),
    ...(stall !== undefined && waitOf(stall)),
    ...(losses.size > 0 && { dropped: [...losses].map(([reason, lost]) => ({ reason, ...lost })) }),
  };
}

const waitOf = ({ kind, waiting, since, nextAt }: Stall): Partial<SinkStatus> => ({
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
} as const satisfies Record<StallKind, SinkState>;

/**
 * A row that an earlier process has left: why the last send failed, and what was lost. What waited then may have ended by now, and is
 * told anew.
 */
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

/** A sink's status after a send that failed. `refused`: the configuration, where it is that which the receiver refused. */
export const afterSetback = (
  before: SinkStatus,
  { reason, message }: Setback,
  refused: string | undefined,
  now: number,
): SinkStatus => ({
  ...notRefused(before),
  consecutiveFailures: before.consecutiveFailures + 1,
  lastFailure: formatSeconds(now),
  ...{ reason, message },
  ...(refused !== undefined && { refused }),
});

/** A sink's status after a delivery that failed for good. */
export const afterFailure = (
  { name, consecutiveFailures, lastSuccess }: SinkStatus,
  { reason, message }: Why,
  lastFailure: string,
): SinkStatus => ({
  name,
  consecutiveFailures: consecutiveFailures + 1,
  ...(lastSuccess && { lastSuccess }),
  ...{ lastFailure, reason, message },
});

/** A sink's status when its configuration is another one than that which was refused. */
export function notRefused(before: SinkStatus): SinkStatus {
  const { refused, ...rest } = before;
  return refused === undefined ? before : rest;
}

/** A sink's status after one of its deliveries has settled. What was not sent says nothing about the receiver. */
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
