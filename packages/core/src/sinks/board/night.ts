import type { LifecycleEvent } from '../../lifecycle/event.ts';
import { isFromBefore } from '../roots/is-from-before.ts';
import type { Row } from './row.ts';

/** The longest `board_max` (milliseconds). */
export const LONGEST_NIGHT_MS = 24 * 3_600_000;

/** When a night is over. */
export interface NightLimits {
  /** `board_quiet`: all its plans have ended, and nothing has started for this time (milliseconds). */
  readonly quietMs: number;
  /** `board_max`: it is as old as this, whatever its plans do (milliseconds). */
  readonly maxMs: number;
}

/** One operation of many plans: a night, or a morning. */
export interface Night {
  readonly operation: string;
  /** The time of its first event (milliseconds since the epoch). With the operation it is its identity. */
  readonly openedAt: number;
  /** By the uid of the plan. */
  readonly rows: ReadonlyMap<string, Row>;
  /** Plans that have not ended. */
  readonly unended: number;
}

/** When it is over, if nothing happens until then (milliseconds since the epoch). */
export function endOf({ openedAt, rows, unended }: Night, { quietMs, maxMs }: NightLimits): number {
  if (unended > 0) return openedAt + maxMs;
  let last = openedAt;
  for (const { until } of rows.values()) last = Math.max(last, until);
  return Math.min(last + quietMs, openedAt + maxMs);
}

/**
 * The night of an event; undefined: it opens a new one. Only the event's own time counts, so that a message that arrives late is in the same
 * night as one that arrived in time, in each process. `nights`: the newest first.
 */
export function nightOf<N extends Night>(
  nights: readonly N[],
  event: Pick<LifecycleEvent, 'operation' | 'planUid' | 'cycle' | 'kind' | 'timestamp'>,
  limits: NightLimits,
): N | undefined {
  const same = nights.filter(({ operation }) => operation === event.operation);
  // A late event of a night that is over still belongs to it. A Start that is newer begins another run.
  const own = same.find(({ rows }) => {
    const row = rows.get(event.planUid);
    return row?.cycle === event.cycle && (event.kind !== 'Start' || isFromBefore(event, row.until));
  });
  if (own !== undefined) return own;
  const at = Date.parse(event.timestamp);
  // Its first event may not have been the first one that was delivered.
  return same.find((night) => at >= night.openedAt - limits.quietMs && at < endOf(night, limits));
}
