import type { Draft, Step } from './step.ts';

/** When each run of a step began, by its Start or the earlier observation; `''`: not known. */
export function runStarts({ before }: Step, drafts: readonly Draft[]): (run: number) => string {
  const times = new Map([[before.run, before.startedAt]]);
  for (const { kind, run, timestamp } of drafts) if (kind === 'Start') times.set(run, timestamp);
  return (run) => times.get(run) ?? '';
}

/** Success and Failure contain the start of their run: messages show its duration. */
export function withRunStart(draft: Draft, begun: (run: number) => string): Draft {
  if (draft.kind !== 'Success' && draft.kind !== 'Failure') return draft;
  const startedAt = begun(draft.run);
  return startedAt === '' ? draft : { ...draft, startedAt };
}
