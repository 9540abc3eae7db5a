import type { Clock } from '../../../clock.ts';
import type { Outcome } from '../../outcome.ts';
import { refused as noteRefusal, refusedInAllForms, tellRefusals } from '../../refusals.ts';
import type { Attempt, Delivery } from '../../sink.ts';
import { type Called, type Posted, type Refused, unclearOf } from './api.ts';
import type { Desk } from './desk.ts';
import { formAt, isPlainest } from './ladder.ts';
import { lookForMessage, tellDoubt } from './looking.ts';
import { markEvent } from './marker.ts';
import { ACHIEVED, REQUEST_MS } from './placing.ts';
import type { ThreadRoot } from './thread-root.ts';
import { type DeliveryState, UNREAD } from './threads.ts';

/** One request of a delivery. */
export interface Saying {
  readonly desk: Desk;
  readonly delivery: Delivery;
  readonly attempt: Attempt;
  readonly state: DeliveryState;
  readonly clock: Clock;
}

const DELIVERED: Outcome = { kind: 'delivered', status: 200 };

/** What chat.postMessage may say of a thread that is gone. Mostly it says nothing, and posts into the channel. */
const NO_THREAD: ReadonlySet<string> = new Set([
  'thread_not_found',
  'invalid_thread_ts',
  'message_not_found',
  'cannot_reply_to_message',
]);

/** Posts the message of an event in its thread, or looks for it where it may be there already: one request. */
export async function sayInThread(saying: Saying, root: ThreadRoot): Promise<Outcome> {
  const { state, clock } = saying;
  const { place } = root;
  if (place === undefined) return ACHIEVED;
  const looked = await lookForMessage(saying, place);
  if (looked !== undefined) return looked;
  const posted = await post(saying, { channel: place.channel, thread: place.ts });
  if (posted.ok) {
    // It stands in the channel, since its root is gone: it was told, and the next one has a thread again.
    if (!posted.value.threaded && root.place === place) root.lose(clock.monotonic());
    return DELIVERED;
  }
  if (!NO_THREAD.has(posted.code) || state.moved) return refused(saying, posted);
  state.moved = true;
  if (root.place === place && !root.lose(clock.monotonic())) root.leave();
  return ACHIEVED;
}

/** The same for an event that belongs to no thread: it is a message of its own. */
export async function sayAlone(saying: Saying): Promise<Outcome> {
  const looked = await lookForMessage(saying, undefined);
  if (looked !== undefined) return looked;
  const posted = await post(saying, { channel: saying.desk.channel });
  return posted.ok ? DELIVERED : refused(saying, posted);
}

async function post(
  saying: Saying,
  to: { readonly channel: string; readonly thread?: string },
): Promise<Called<Posted>> {
  const { desk, delivery, attempt, state, clock } = saying;
  const { event, plan, sinkName, progress, id } = delivery;
  const message = formAt(desk.replies, progress.rung)({ event, plan, sinkName, sinkType: 'teamchat' });
  // The plainest has none: a token that belongs to no app may not post any.
  const bare = progress.rung > 0 && isPlainest(desk.replies, progress.rung);
  const posted = await desk.api.post(message, to, bare ? undefined : markEvent(id), attempt);
  const since = posted.ok ? undefined : unclearOf(posted);
  if (posted.ok || since !== undefined) tellDoubt(saying);
  // What was not posted is looked for again.
  Object.assign(state, { failedLooks: 0, doubt: undefined });
  if (posted.ok) {
    tellRefusals(progress, attempt);
    desk.history.channel = posted.value.channel;
  } else if (since !== undefined) {
    progress.unclearSince ??= since;
    Object.assign(state, { clearAt: clock.monotonic() + REQUEST_MS, ...UNREAD });
  }
  return posted;
}

/** The chat takes no such message: the next one is plainer. */
function refused({ desk, delivery }: Saying, { outcome }: Refused): Outcome {
  const { progress } = delivery;
  if (outcome.kind !== 'rejected-payload') return outcome;
  if (isPlainest(desk.replies, progress.rung)) return refusedInAllForms(outcome, progress);
  progress.rung++;
  noteRefusal(progress, outcome.message);
  return ACHIEVED;
}
