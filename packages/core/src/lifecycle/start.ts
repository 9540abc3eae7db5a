import { executingPhase } from './phases.ts';
import { ifNewer } from './high-water-marks.ts';
import { draft, transitionTime, type Draft, type Step } from './step.ts';
import { untouched } from './targets.ts';
import { runStart } from './times.ts';

/** The beginning of a run: the executing phase, all targets Pending, even if it was observed late. */
export function start(step: Step, run: number): Draft {
  const { status } = step.plan;
  return draft(step, run, {
    kind: 'Start',
    phase: executingPhase(status.operation) ?? status.phase,
    previousPhase: '',
    timestamp: transitionTime(step),
    fact: ifNewer(step.before.marks, 'Start', runStart(status)),
    targets: status.executions.map(untouched),
  });
}
