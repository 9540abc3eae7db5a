import { executingPhase } from './phases.ts';
import { ifNewer } from './high-water-marks.ts';
import { draft, transitionTime, type Draft, type Step } from './step.ts';
import { untouched } from './targets.ts';
import { formatTime, parseTime } from './time.ts';
import { runStart } from './times.ts';

/**
 * The beginning of a run: the executing phase, all targets Pending, even if it was observed late. Then the last transition is a later one,
 * and the start of the first target is the time of the event.
 */
export function start(step: Step, run: number): Draft {
  const { status } = step.plan;
  const phase = executingPhase(status.operation) ?? status.phase;
  const fact = ifNewer(step.before.marks, 'Start', runStart(status));
  const began = status.phase === phase ? undefined : parseTime(fact);
  return draft(step, run, {
    kind: 'Start',
    phase,
    previousPhase: '',
    timestamp: began === undefined ? transitionTime(step) : formatTime(began),
    fact,
    targets: status.executions.map(untouched),
  });
}
