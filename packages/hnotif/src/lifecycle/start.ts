import { executingPhase } from './phases.ts';
import { ifNewer } from './marks.ts';
import { draft, transitionTime, type Draft, type Step } from './step.ts';
import { untouched } from './targets.ts';
import { beginning } from './times.ts';

/** A run begins. Seen late, it still tells of its own beginning: the executing phase, all targets Pending. */
export function start(step: Step, run: number): Draft {
  const { status } = step.plan;
  return draft(step, run, {
    kind: 'Start',
    phase: executingPhase(status.operation) ?? status.phase,
    previousPhase: '',
    timestamp: transitionTime(step),
    fact: ifNewer(step.before.marks, 'Start', beginning(status)),
    targets: status.executions.map(untouched),
  });
}
