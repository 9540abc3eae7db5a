import type { TeamchatMessage } from '@hnotif/receivers';
import { readBoard, type ShownPlan } from '../../checker/board-text.ts';

/** How far a plan of this night is. */
const rankOf = ({ state }: ShownPlan): number =>
  ({ running: 0, retrying: 1, short: 2, failed: 2, done: 2 })[state];

/** What is wrong with the messages in the channel of a night. `ends`: the last state of each plan. */
export function judge(
  messages: readonly Pick<TeamchatMessage, 'text' | 'edits' | 'replies'>[],
  ends: ReadonlyMap<string, ShownPlan['state']>,
): string[] {
  const [board, ...others] = messages;
  if (board === undefined || others.length > 0) return [`${messages.length} boards instead of one`];
  const wrong: string[] = [];
  const shown = new Map<string, ShownPlan>();
  for (const { text } of [...board.edits, board]) {
    const read = readBoard(text);
    if (read === undefined) return [`a text that is no board: ${text}`];
    const now = new Map(read.plans.map((each) => [each.plan, each]));
    for (const [plan, before] of shown) {
      const after = now.get(plan);
      if (after === undefined) wrong.push(`${plan} is missing after it was ${before.state}`);
      else if (rankOf(after) < rankOf(before))
        wrong.push(`${plan} went from ${before.state} to ${after.state}`);
    }
    for (const each of read.plans) shown.set(each.plan, each);
  }
  for (const [plan, state] of ends) {
    const end = shown.get(plan)?.state ?? 'missing';
    if (end !== state) wrong.push(`${plan} is ${end} at the end, not ${state}`);
  }
  if (board.text.includes(' in Progress')) wrong.push('the board does not say that the night is over');
  const isAlert = ({ metadata }: TeamchatMessage): boolean => metadata?.event_type === 'hnotif_event';
  if (!board.replies.some(isAlert)) wrong.push('no reply to the failure');
  if (board.replies.every(isAlert)) wrong.push('no reply at the end');
  return wrong;
}
