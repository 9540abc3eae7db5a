import type { HistoryOperation } from '../resources/plan.ts';
import { succeeded } from './history.ts';
import { ifNewer, type HighWaterMarks } from './high-water-marks.ts';
import { executingPhase, restingPhase } from './phases.ts';
import { draft, type Draft, type Step } from './step.ts';
import { stateOf, untouched } from './targets.ts';
import { formatTime, parseTime } from './time.ts';

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
  const rows = plan.status.history.flatMap(({ cycleId, operations }) =>
    operations.filter((row) => isWithin(step, cycleId, row)).map((row) => ({ cycle: cycleId, row })),
  );
  const found = rows.filter(({ row }) => succeeded(row));
  const known = [...expected(step), ...rows.map(({ cycle, row }) => keyOf(cycle, row.operation))];
  return {
    found,
    missed: new Set(known).size - new Set(found.map(({ cycle, row }) => keyOf(cycle, row.operation))).size,
  };
}

/** Whether the run began after the last observation, and is neither the last observed nor the present one. */
function isWithin({ before, plan: { status } }: Step, cycle: string, row: HistoryOperation): boolean {
  if (cycle === before.cycle && row.operation === before.operation) return false;
  if (cycle === status.cycleId && row.operation === status.operation) return false;
  // Without a transition time the whole history would count at every run.
  if (before.lastTransitionTime === '') return ifNewer(before.marks, 'Start', row.startTime) !== '';
  const [began, seen] = [parseTime(row.startTime), parseTime(before.lastTransitionTime)];
  return began !== undefined && seen !== undefined && began > seen;
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
