import type { LifecycleEvent } from '../../lifecycle/event.ts';
import { cutText } from '../../render/cut.ts';
import { isUnsuccessful } from '../../render/targets.ts';
import { tallyOf } from '../../render/tally.ts';
import { isFromBefore } from '../roots/is-from-before.ts';

/** `short`: it has ended, and some of its targets failed or were left out. */
export const ROW_STATES = ['failed', 'retrying', 'running', 'short', 'done'] as const;
export type RowState = (typeof ROW_STATES)[number];

/** What a board knows of one plan: its newest run in this night. */
export interface Row {
  readonly plan: string;
  readonly cycle: string;
  /** Of the newest event. */
  readonly seq: number;
  readonly state: RowState;
  /** Targets: all, completed, failed or aborted. */
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  /** Of a failed plan: what went wrong, the target first; `''`: not known. */
  readonly error: string;
  /** The time of its newest event (milliseconds since the epoch). */
  readonly until: number;
}

/** Of an error (UTF-16 units). A board shows many. */
const LONGEST_ERROR = 200;

/** Whether a board shows both in the same way. */
export const looksSame = (a: Row, b: Row): boolean =>
  a.state === b.state &&
  a.total === b.total &&
  a.completed === b.completed &&
  a.failed === b.failed &&
  a.error === b.error &&
  a.cycle === b.cycle;

export const hasEnded = ({ state }: Row): boolean =>
  state === 'failed' || state === 'short' || state === 'done';

/** The row of a plan after one more event. The same row: the event is older, or only news of a run that has ended. */
export function rowAfter(before: Row | undefined, event: LifecycleEvent): Row {
  if (before !== undefined && event.seq <= before.seq) return before;
  if (before?.cycle === event.cycle && isFromBefore(event, before.until))
    return { ...before, seq: event.seq };
  const run = before?.cycle === event.cycle && event.kind !== 'Start' ? before : undefined;
  const isDetail = event.kind === 'ExecutionProgress' || event.kind === 'PhaseChange';
  if (run !== undefined && hasEnded(run) && isDetail) return run;
  const state = stateAfter(run?.state, event);
  const { total, completed, failed, aborted } = tallyOf(event.targets);
  return {
    plan: event.plan,
    cycle: event.cycle,
    seq: event.seq,
    state,
    total,
    completed,
    failed: failed + aborted,
    error: state === 'failed' || state === 'retrying' ? errorOf(event, run) : '',
    until: Date.parse(event.timestamp),
  };
}

function stateAfter(before: RowState | undefined, event: LifecycleEvent): RowState {
  switch (event.kind) {
    case 'Start':
      return 'running';
    case 'Success':
      return event.targets.some(isUnsuccessful) ? 'short' : 'done';
    case 'Failure':
      return 'failed';
    case 'Recovery':
      return 'retrying';
    case 'ExecutionProgress':
    case 'PhaseChange':
      // An error that is not final: the operator tries again.
      if (event.phase === 'Error') return 'retrying';
      return before === 'retrying' ? 'retrying' : 'running';
  }
}

/** Of a retry, the error of the failure before it. */
function errorOf(event: LifecycleEvent, before: Row | undefined): string {
  const target = event.targets.find(({ state }) => state === 'Failed');
  const [said = ''] = [target?.message ?? '', event.errorMessage].filter((text) => text.trim() !== '');
  const parts = [target?.name ?? '', said.trim()].filter((text) => text !== '');
  return parts.length === 0 ? (before?.error ?? '') : cutText(parts.join(': '), LONGEST_ERROR);
}
