import type { HistoryOperation } from '../resources/plan.ts';
import { succeeded } from './history.ts';
import { ifNewer, type HighWaterMarks } from './high-water-marks.ts';
import { executingPhase, restingPhase } from './phases.ts';
import { draft, type Draft, type Step } from './step.ts';
import { stateOf, untouched } from './targets.ts';
import { formatTime, parseTime } from './time.ts';

/** A run that began and ended while nobody watched, as the plan's history has it. */
interface GapRun {
  readonly cycle: string;
  readonly row: HistoryOperation;
}

interface Gap {
  /** Those that succeeded, oldest first. */
  readonly found: readonly GapRun[];
  /** How many more there must have been: they failed and were given up, or left no row. */
  readonly missed: number;
}

const NO_GAP: Gap = { found: [], missed: 0 };

/**
 * The runs that lie wholly between the one last seen and the present one. A run whose row tells of no success makes no
 * events: whether its failure would have been announced cannot be known.
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

/** Began after all that we have seen, and is neither the run last seen nor the present one. */
function isWithin({ before, plan: { status } }: Step, cycle: string, row: HistoryOperation): boolean {
  if (cycle === before.cycle && row.operation === before.operation) return false;
  if (cycle === status.cycleId && row.operation === status.operation) return false;
  // A plan that keeps no such time would tell of its whole history at every run.
  if (before.lastTransitionTime === '') return ifNewer(before.marks, 'Start', row.startTime) !== '';
  const [began, seen] = [parseTime(row.startTime), parseTime(before.lastTransitionTime)];
  return began !== undefined && seen !== undefined && began > seen;
}

/** A cycle is a night and its morning: the other halves of the run last seen and of the present one. */
function expected({ before, plan: { status } }: Step): string[] {
  if (before.cycle === status.cycleId) return [];
  const morning = before.phase === 'Hibernated' && before.operation === 'shutdown';
  return [
    ...(morning ? [keyOf(before.cycle, 'wakeup')] : []),
    ...(status.operation === 'wakeup' ? [keyOf(status.cycleId, 'shutdown')] : []),
  ];
}

const keyOf = (cycle: string, operation: string): string => JSON.stringify([cycle, operation]);

/**
 * Start and Success of a run found in the history. What its targets went through in between is not told. `marks`: with
 * the events of the rows before it.
 */
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
