import { draft, transitionTime, type Draft, type Step } from './step.ts';

/** One change, net, however many phases went by unseen. */
export const phaseChange = (step: Step, run: number): Draft =>
  draft(step, run, {
    kind: 'PhaseChange',
    phase: step.plan.status.phase,
    previousPhase: step.before.phase,
    timestamp: transitionTime(step),
  });
