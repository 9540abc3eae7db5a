import { transitionTime, type Draft, type Step } from './step.ts';
import { formatTime, parseTime } from './time.ts';
import { earliestStart } from './times.ts';

/**
 * When each run of a step began, by its Start or the earlier observation; `''`: not known. A Start that was observed late may have a
 * later time: then the start of the first target counts.
 */
export function runStarts(step: Step, run: number, drafts: readonly Draft[]): (run: number) => string {
  const { before, newRun, plan } = step;
  const times = new Map([[before.run, before.startedAt]]);
  for (const { kind, run: of, timestamp } of drafts) if (kind === 'Start') times.set(of, timestamp);
  if (newRun) {
    const [transition, first] = [parseTime(transitionTime(step)), parseTime(earliestStart(plan.status))];
    if (transition !== undefined && first !== undefined && first < transition)
      times.set(run, formatTime(first));
  }
  return (of) => times.get(of) ?? '';
}

/** Success and Failure contain the start of their run: messages show its duration. */
export function withRunStart(draft: Draft, begun: (run: number) => string): Draft {
  if (draft.kind !== 'Success' && draft.kind !== 'Failure') return draft;
  const startedAt = begun(draft.run);
  return startedAt === '' ? draft : { ...draft, startedAt };
}
