import type { Setback, Settlement, Stall } from '../dispatch/delivery.ts';
import type { Why } from '../dispatch/circuit-breaker.ts';
import { formatSeconds } from '../lifecycle/time.ts';
import type { SinkStatus } from '../resources/notification.ts';
import type { SinkCheck } from './status.ts';
import { shortened, waitingInWords } from './words.ts';

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

/** How many deliveries were dropped since the last success, by reason. */
export type Losses = ReadonlyMap<string, number>;

/** A sink's row as it is shown: why the last send failed, or would, what waits now, and what was lost. */
export function rowOf(
  row: SinkStatus,
  check: SinkCheck | undefined,
  stall: Stall | undefined,
  losses: Losses | undefined,
): SinkStatus {
  const why = row.reason !== undefined ? row : (stall ?? (check?.ok === false ? check : undefined));
  const words: string[] = [];
  if (why?.message !== undefined) words.push(why.message);
  if (stall !== undefined) words.push(stallInWords(stall));
  if (losses !== undefined) words.push(lossesInWords(losses));
  const [first] = losses?.keys() ?? [];
  const reason = why?.reason ?? first;
  return reason === undefined ? row : { ...row, reason, message: shortened(words.join('; ')) };
}

const lossesInWords = (losses: Losses): string =>
  `dropped since the last success: ${[...losses].map(([reason, count]) => `${count} ${reason}`).join(', ')}`;

/** What waits, since when and until when. */
function stallInWords({ kind, waiting, since, nextAt }: Stall): string {
  const deliveries = waitingInWords(waiting);
  const next = formatSeconds(nextAt);
  if (kind === 'held') return `${deliveries} behind it while others arrive; the next try is due at ${next}`;
  const all = `${deliveries} since ${formatSeconds(since)}`;
  if (kind === 'over-share') return `${all}; the next try is due when a request ends`;
  return kind === 'paused'
    ? `${all}; nothing is sent before ${next}`
    : `${all}; the next try is due at ${next}`;
}

/** The words of `stallInWords` and `lossesInWords` at the end of a message. */
const WAITS =
  /; \d+ deliver(?:y waits|ies wait) (?:since \S+|behind it while others arrive); (?:the next try is due when a request ends|(?:the next try is due at|nothing is sent before) \S+)$/;
const LOST = /(?:^|; )dropped since the last success: (\d+ \w+(?:, \d+ \w+)*)$/;

/**
 * A row that an earlier process has left: why the last send failed, and what was lost. What waited then may have ended by now;
 * whoever tries it tells of it anew.
 */
export function readBack(row: SinkStatus): {
  readonly row: SinkStatus;
  readonly losses: Map<string, number>;
} {
  const { reason, message = '', ...rest } = row;
  const lost = LOST.exec(message)?.[1]?.split(', ') ?? [];
  const why = message.replace(LOST, '').replace(WAITS, '');
  return {
    row: why === '' ? rest : { ...rest, ...(reason !== undefined && { reason }), message: why },
    losses: new Map(lost.map((each) => each.split(' ')).map(([count, word = '']) => [word, Number(count)])),
  };
}

/** A sink's status with the reason for which something waits: said, but no failure. The next success takes it away. */
export const because = (before: SinkStatus, { reason, message }: Why): SinkStatus => ({
  ...before,
  ...{ reason, message },
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

/** A sink's status when its configuration is another one than that which was refused. */
export function notRefused(before: SinkStatus): SinkStatus {
  const { refused, ...rest } = before;
  return refused === undefined ? before : rest;
}

/** A sink's status after one of its deliveries has settled. What was not sent says nothing about the receiver. */
export function afterSettlement(before: SinkStatus, settlement: Settlement, now: number): SinkStatus {
  const { name, consecutiveFailures, lastSuccess, lastFailure } = before;
  switch (settlement.result) {
    case 'delivered':
      return {
        name,
        consecutiveFailures: 0,
        lastSuccess: formatSeconds(now),
        ...(lastFailure && { lastFailure }),
      };
    case 'failed':
      return {
        name,
        consecutiveFailures: consecutiveFailures + 1,
        ...(lastSuccess && { lastSuccess }),
        lastFailure: formatSeconds(now),
        reason: settlement.reason,
        message: settlement.message,
      };
    case 'dropped':
    case 'suppressed':
      return before;
  }
}
