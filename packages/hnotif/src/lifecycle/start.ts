import { executingPhase } from './phases.ts';
import { ifNewer } from './high-water-marks.ts';
import { draft, newTransition, transitionTime, type Draft, type Step } from './step.ts';
import { untouched } from './targets.ts';
import { formatTime, parseTime } from './time.ts';
import { earliestStart, runStart } from './times.ts';

/**
 * The beginning of a run: the executing phase, all targets Pending, even if it was observed late. Then the new transition is a later one,
 * and the start of the first target is the time of the event: unless it is a target of the run before, which the operator has not reset.
 */
export function start(step: Step, run: number): Draft {
  const { before, plan } = step;
  const { status } = plan;
  const phase = executingPhase(status.operation) ?? status.phase;
  const first = parseTime(earliestStart(status)) ?? Infinity;
  const isLate =
    status.phase !== phase &&
    first < (parseTime(newTransition(step)) ?? 0) &&
    first > (parseTime(before.lastTransitionTime) ?? 0);
  return draft(step, run, {
    kind: 'Start',
    phase,
    previousPhase: '',
    timestamp: isLate ? formatTime(first) : transitionTime(step),
    fact: ifNewer(before.marks, 'Start', runStart(status)),
    targets: status.executions.map(untouched),
  });
}
