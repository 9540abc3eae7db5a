import type { LifecycleEvent } from '../../lifecycle/event.ts';
import { hasEnded, type Row } from './row.ts';

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
}

/** When it is over, if nothing happens until then (milliseconds since the epoch). */
export function endOf({ openedAt, rows }: Night, { quietMs, maxMs }: NightLimits): number {
  let last = openedAt;
  for (const row of rows.values()) {
    if (!hasEnded(row)) return openedAt + maxMs;
    last = Math.max(last, row.until);
  }
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
  // A late event of a night that is over still belongs to it.
  if (event.kind !== 'Start') {
    const own = same.find(({ rows }) => rows.get(event.planUid)?.cycle === event.cycle);
    if (own !== undefined) return own;
  }
  const [newest] = same;
  const isOpen = newest !== undefined && Date.parse(event.timestamp) < endOf(newest, limits);
  return isOpen ? newest : undefined;
}
