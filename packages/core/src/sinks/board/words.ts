import { withCluster } from '../../render/context.ts';
import type { PlanView } from '../../resources/plan-view.ts';
import { durationOf } from '../../render/duration.ts';
import { barOf } from '../../render/tally.ts';
import { comparisonText, countsText, type BoardView } from './view.ts';

/** Ours alone, without any text of a plan. */
export function headingOf({ operation, isOver, total, ended, rows }: BoardView, plan: PlanView): string {
  const what = operation === 'shutdown' ? 'Hibernation' : operation === 'wakeup' ? 'Wake-Up' : 'Operation';
  const all = `${what} of ${total} ${total === 1 ? 'Plan' : 'Plans'}`;
  const { length: failed } = rows.failed;
  // Not all have failed.
  const end = ended === total ? ' Completed' : ended + failed < total ? ' Unfinished' : `, ${failed} Failed`;
  return withCluster(`${all}${isOver ? end : ' in Progress'}`, plan);
}

/** What the sign before a heading says. */
export type BoardSign = 'evening' | 'morning' | 'done' | 'warning' | 'failed';

/** A night with failures is not green. */
export function signOf({ operation, isOver, total, ended, rows }: BoardView): BoardSign {
  if (rows.failed.length > 0) return isOver ? 'failed' : 'warning';
  if (!isOver) return operation === 'shutdown' ? 'evening' : 'morning';
  return rows.short.length > 0 || ended < total ? 'warning' : 'done';
}

export const barText = (view: BoardView): string => `${barOf(view.ended, view.total)} ${countsText(view)}`;

export function tookText({ openedAt, updatedAt }: BoardView): string {
  const took = durationOf(new Date(openedAt).toISOString(), new Date(updatedAt).toISOString());
  return took === '' ? '' : `took ${took}`;
}

/** What the reply at the end of a night says after its heading. */
export const resultTexts = (view: BoardView): string[] =>
  [countsText(view), tookText(view), comparisonText(view)].filter((part) => part !== '');
