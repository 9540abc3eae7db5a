import { draft, transitionTime, type Draft, type Step } from './step.ts';
import { secondOf } from './time.ts';
import { isUnreported } from './reported-states.ts';

/** One event, even if phases in between were not observed. */
export const phaseChange = (step: Step, run: number): Draft =>
  draft(step, run, {
    kind: 'PhaseChange',
    phase: step.plan.status.phase,
    previousPhase: step.before.phase,
    timestamp: transitionTime(step),
    fact: factOf(step),
  });

function factOf({ before, plan: { status }, retriedAt }: Step): string {
  // A retry leaves Error without a new transition time.
  if (before.phase === 'Error' && retriedAt !== '') return `retry ${retriedAt}`;
  const { lastTransitionTime: changed, phase } = status;
  return isUnreported(before.marks.PhaseChange, phase, secondOf(changed)) ? changed : '';
}
