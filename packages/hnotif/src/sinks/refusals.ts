import type { Outcome } from './outcome.ts';
import type { Attempt, Progress } from './sink.ts';

/** The receiver refused a form of the message; the next form is plainer. It is told when that one has arrived. */
export function refused(progress: Progress, why: string): void {
  progress.refusals = [...(progress.refusals ?? []), why];
}

/** The message has arrived: tells which forms of it the receiver refused before. */
export function tellRefusals(
  { refusals = [] }: Progress,
  { degraded: notice }: Pick<Attempt, 'degraded'>,
): void {
  for (const why of refusals)
    notice({ reason: 'RejectedByReceiver', message: `${why}; a plainer message was sent instead` });
}

/** The plainest form was refused, too: the form that was wished for is the one to correct. */
export function refusedInAllForms<O extends Extract<Outcome, { kind: 'rejected-payload' }>>(
  outcome: O,
  { refusals: [first] = [] }: Progress,
): O {
  return first === undefined
    ? outcome
    : { ...outcome, message: `${first}; plainer messages were refused, too` };
}
