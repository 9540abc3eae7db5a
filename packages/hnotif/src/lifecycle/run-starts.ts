import { transitionTime, type Draft, type Step } from './step.ts';
import { formatTime, parseTime } from './time.ts';
import { earliestStart } from './times.ts';

/**
 * When each run of a step began: as its Start tells, or as seen before; `''` where that is not known. A Start that was seen late may
 * have the time of something later: then the plan's first target tells better.
 */
export function runStarts(step: Step, run: number, drafts: readonly Draft[]): (run: number) => string {
  const { before, newRun, plan } = step;
  const times = new Map([[before.run, before.startedAt]]);
  for (const { kind, run: of, timestamp } of drafts) if (kind === 'Start') times.set(of, timestamp);
  if (newRun) {
    const [told, first] = [parseTime(transitionTime(step)), parseTime(earliestStart(plan.status))];
    if (told !== undefined && first !== undefined && first < told) times.set(run, formatTime(first));
  }
  return (of) => times.get(of) ?? '';
}

/** The end of a run tells when it began, so that a message can tell how long it took. */
export function withRunStart(draft: Draft, begun: (run: number) => string): Draft {
  if (draft.kind !== 'Success' && draft.kind !== 'Failure') return draft;
  const startedAt = begun(draft.run);
  return startedAt === '' ? draft : { ...draft, startedAt };
}
