import type { HistoryOperation } from '../resources/plan.ts';
import { succeeded } from './history.ts';
import { ifNewer, type HighWaterMarks } from './high-water-marks.ts';
import { executingPhase, restingPhase } from './phases.ts';
import { draft, type Draft, type Step } from './step.ts';
import { stateOf, untouched } from './targets.ts';
import { formatTime, parseTime, secondOf } from './time.ts';

/** A run that began and ended unobserved, from the plan's history. */
interface GapRun {
  readonly cycle: string;
  readonly row: HistoryOperation;
}

interface Gap {
  /** Those that succeeded, oldest first. */
  readonly found: readonly GapRun[];
  /** The number of other runs: they failed, or left no row. */
  readonly missed: number;
}

const NO_GAP: Gap = { found: [], missed: 0 };

/**
 * The runs between the last observed one and the present one. Only those with a success make events: it is not known whether the
 * failure of another one would have been an event.
 */
export function gapBetween(step: Step): Gap {
  const { newRun, plan } = step;
  if (!newRun) return NO_GAP;
  const all = plan.status.history.flatMap(({ cycleId, operations }) =>
    operations.map((row) => ({ cycle: cycleId, row })),
  );
  const last = all.findLastIndex(({ cycle, row }) => isLastObserved(step, cycle, row));
  const rows = all.filter(({ cycle, row }, at) => isWithin(step, cycle, row, at > last));
  const found = rows.filter(({ row }) => succeeded(row));
  const known = [...expected(step), ...rows.map(({ cycle, row }) => keyOf(cycle, row.operation))];
  return {
    found,
    missed: new Set(known).size - new Set(found.map(({ cycle, row }) => keyOf(cycle, row.operation))).size,
  };
}

const isLastObserved = ({ before }: Step, cycle: string, { operation }: HistoryOperation): boolean =>
  cycle === before.cycle && operation === before.operation;

/**
 * Whether the run began after the last observation, and is neither the last observed nor the present one. Times are whole seconds: within
 * one, the row must follow that of the last observed run.
 */
function isWithin(step: Step, cycle: string, row: HistoryOperation, follows: boolean): boolean {
  const { before, plan } = step;
  const { status } = plan;
  if (isLastObserved(step, cycle, row)) return false;
  if (cycle === status.cycleId && row.operation === status.operation) return false;
  // Without a transition time the whole history would count at every run.
  if (before.lastTransitionTime === '') return ifNewer(before.marks, 'Start', row.startTime) !== '';
  const [began, seen] = [secondOf(row.startTime), secondOf(before.lastTransitionTime)];
  return began > seen || (began === seen && began > 0 && follows);
}

/** A cycle is a night and its morning: the other halves of the last observed run and of the present one. */
function expected({ before, plan: { status } }: Step): string[] {
  if (before.cycle === status.cycleId) return [];
  const morning = before.phase === 'Hibernated' && before.operation === 'shutdown';
  return [
    ...(morning ? [keyOf(before.cycle, 'wakeup')] : []),
    ...(status.operation === 'wakeup' ? [keyOf(status.cycleId, 'shutdown')] : []),
  ];
}

const keyOf = (cycle: string, operation: string): string => JSON.stringify([cycle, operation]);

/** Start and Success of a run in the history, without the progress of its targets. `marks`: after the events of earlier rows. */
export function gapRunEvents(
  step: Step,
  run: number,
  { cycle, row }: GapRun,
  marks: HighWaterMarks,
): Draft[] {
  const { operation } = row;
  const executing = executingPhase(operation) ?? '';
  const at = (time: string): string => formatTime(parseTime(time) ?? step.now);
  return [
    draft(step, run, {
      kind: 'Start',
      cycle,
      operation,
      phase: executing,
      previousPhase: '',
      timestamp: at(row.startTime),
      fact: ifNewer(marks, 'Start', row.startTime),
      targets: row.targetResults.map(untouched),
    }),
    draft(step, run, {
      kind: 'Success',
      cycle,
      operation,
      phase: restingPhase(operation) ?? '',
      previousPhase: executing,
      timestamp: at(row.endTime),
      fact: ifNewer(marks, 'Success', row.endTime),
      targets: row.targetResults.map(stateOf),
    }),
  ];
}
