import type { Outcome } from '../../outcome.ts';
import { CONTINUE_ANEW, fallBack, reportRefusals } from '../../send.ts';
import { formAtLevel, isLastLevel } from '../../roots/levels.ts';
import { REQUEST_MS } from '../../roots/post-root.ts';
import type { Called } from '../../roots/root-client.ts';
import { afterPost } from '../../roots/search.ts';
import type { ThreadRoot } from '../../roots/thread-root.ts';
import type { ChatMessage } from '../types.ts';
import type { Posted } from './api.ts';
import { findMessage, type ReplyAttempt } from './find-reply.ts';
import { markEvent, type Metadata } from './marker.ts';
import { NEW_SEARCH } from './threads.ts';

const DELIVERED: Outcome = { kind: 'delivered', status: 200 };

/** Error codes for a thread that is gone. Mostly chat.postMessage posts into the channel instead. */
const NO_THREAD: ReadonlySet<string> = new Set([
  'thread_not_found',
  'invalid_thread_ts',
  'message_not_found',
  'cannot_reply_to_message',
]);

/**
 * Posts the message of an event in its thread, or searches for it if it may be there already: one request. `root`: undefined for an event
 * without a thread.
 */
export async function postReply(reply: ReplyAttempt, root: ThreadRoot | undefined): Promise<Outcome> {
  const { client, delivery, attempt, state, clock } = reply;
  const location = root?.location;
  if (root !== undefined && location === undefined) return CONTINUE_ANEW;
  const looked = await findMessage(reply, location);
  if (looked !== undefined) return looked;
  const broadcast = client.broadcast.has(delivery.event.kind);
  const to =
    location === undefined
      ? { channel: client.channel }
      : { channel: location.channel, thread: location.ts, broadcast };
  const posted = await client.api.post(messageOf(reply), to, metadataOf(reply), attempt);
  afterReply(reply, posted);
  if (posted.ok) {
    // The root is gone, so the message is in the channel. The next one gets a new thread.
    if (!posted.value.threaded && root?.location === location) root?.markLost(clock.monotonic());
    return DELIVERED;
  }
  if (root === undefined || !NO_THREAD.has(posted.code) || state.moved)
    return fallBack(delivery.progress, posted.outcome, delivery.progress.level, client.replies.length - 1);
  state.moved = true;
  if (root.location === location && !root.markLost(clock.monotonic())) root.forgetLocation();
  return CONTINUE_ANEW;
}

const messageOf = ({ client, delivery: { event, plan, sinkName, progress } }: ReplyAttempt): ChatMessage =>
  formAtLevel(client.replies, progress.level)({ event, plan, sinkName, sinkType: 'teamchat' });

/** The plainest message has no metadata: a token without an app may not post them. */
const metadataOf = ({ client, delivery: { progress, id } }: ReplyAttempt): Metadata | undefined =>
  progress.level > 0 && isLastLevel(client.replies, progress.level) ? undefined : markEvent(id);

/** What the answer shows, besides the outcome. */
function afterReply({ client, delivery, attempt, state, clock }: ReplyAttempt, posted: Called<Posted>): void {
  const { event, progress } = delivery;
  const what = `the ${event.kind} of ${event.namespace}/${event.plan} may be there twice`;
  const since = afterPost(state, posted, what, attempt.degraded);
  if (posted.ok) {
    reportRefusals(progress, attempt);
    client.history.channel = posted.value.channel;
  } else if (since !== undefined) {
    progress.unclearSince ??= since;
    Object.assign(state, { settledAt: clock.monotonic() + REQUEST_MS, ...NEW_SEARCH });
  }
}
