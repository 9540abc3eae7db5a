import { groupedBy } from '../../grouped-by.ts';
import type { Row, RowState } from './row.ts';
import type { Night } from './night.ts';

/** What a board shows at one moment. */
export interface BoardView {
  readonly operation: string;
  readonly namespace: string;
  readonly openedAt: number;
  /** The time of the newest event (milliseconds since the epoch). */
  readonly updatedAt: number;
  readonly isOver: boolean;
  /** Plans. */
  readonly total: number;
  /** Plans that are done, with all targets or not. */
  readonly ended: number;
  /** By state, in the order in which they are listed: the newest failure first, else by name. */
  readonly rows: Readonly<Record<RowState, readonly Row[]>>;
  /** Failed plans of the same operation the last time; undefined: not known. */
  readonly failedBefore: number | undefined;
}

export function viewOf(
  { operation, openedAt, rows }: Omit<Night, 'unended'>,
  context: Pick<BoardView, 'namespace' | 'isOver' | 'failedBefore'>,
): BoardView {
  const groups = groupedBy([...rows.values()], ({ state }) => state);
  const of = (state: RowState): readonly Row[] => [...(groups.get(state) ?? [])].sort(byName);
  const failed = [...of('failed')].sort((a, b) => b.until - a.until);
  const [short, done] = [of('short'), of('done')];
  let updatedAt = openedAt;
  for (const { until } of rows.values()) updatedAt = Math.max(updatedAt, until);
  return {
    ...{ operation, openedAt, updatedAt, ...context },
    ...{ total: rows.size, ended: short.length + done.length },
    rows: { failed, retrying: of('retrying'), running: of('running'), short, done },
  };
}

/** `112 of 120 asleep · 6 running · 2 failed` */
export function countsText({ operation, total, ended, rows }: BoardView): string {
  const shown = (['running', 'retrying', 'failed'] as const)
    .filter((state) => rows[state].length > 0)
    .map((state) => `${rows[state].length} ${state}`);
  return [`${ended} of ${total} ${endedWord(operation)}`, ...shown].join(' · ');
}

export const endedWord = (operation: string): string =>
  ({ shutdown: 'asleep', wakeup: 'awake' })[operation] ?? 'done';

/** `3 more failed than last time`; `''`: the same number, or the last time is not known. */
export function comparisonText({ rows: { failed }, failedBefore }: BoardView): string {
  const more = failed.length - (failedBefore ?? failed.length);
  if (more === 0) return '';
  return more > 0 ? `${more} more failed than last time` : `${-more} fewer failed than last time`;
}

/** How many plans failed; undefined: the night is not over for all of them. */
export const failuresOf = ({ rows, unended }: Night): number | undefined =>
  unended > 0 ? undefined : [...rows.values()].filter(({ state }) => state === 'failed').length;

const byName = (a: Row, b: Row): number => (a.plan < b.plan ? -1 : Number(a.plan > b.plan));
