import type { Outcome } from '../../outcome.ts';
import { CONTINUE_ANEW, fallBack, reportRefusals } from '../../send.ts';
import { formAtLevel, isLastLevel } from '../../roots/levels.ts';
import { REQUEST_MS } from '../../roots/post-root.ts';
import type { Called } from '../../roots/root-client.ts';
import { afterPost } from '../../roots/search.ts';
import type { ThreadRoot } from '../../roots/thread-root.ts';
import type { ChatApi, Posted } from './api.ts';
import { findMessage, type ReplyAttempt } from './find-reply.ts';
import { markEvent } from './marker.ts';
import { NEW_SEARCH } from './threads.ts';

const DELIVERED: Outcome = { kind: 'delivered', status: 200 };

/** Error codes for a thread that is gone. Mostly chat.postMessage posts into the channel instead. */
const NO_THREAD: ReadonlySet<string> = new Set([
  'thread_not_found',
  'invalid_thread_ts',
  'message_not_found',
  'cannot_reply_to_message',
]);

/** Posts the message of an event in its thread, or searches for it if it may be there already: one request. */
export async function postReply(reply: ReplyAttempt, root: ThreadRoot): Promise<Outcome> {
  const { state, clock } = reply;
  const { location } = root;
  if (location === undefined) return CONTINUE_ANEW;
  const looked = await findMessage(reply, location);
  if (looked !== undefined) return looked;
  const posted = await post(reply, {
    channel: location.channel,
    thread: location.ts,
    broadcast: reply.client.broadcast.has(reply.delivery.event.kind),
  });
  if (posted.ok) {
    // The root is gone, so the message is in the channel. The next one gets a new thread.
    if (!posted.value.threaded && root.location === location) root.markLost(clock.monotonic());
    return DELIVERED;
  }
  if (!NO_THREAD.has(posted.code) || state.moved) return fallBackReply(reply, posted.outcome);
  state.moved = true;
  if (root.location === location && !root.markLost(clock.monotonic())) root.forgetLocation();
  return CONTINUE_ANEW;
}

/** The same for an event without a thread. */
export async function postOutsideThread(reply: ReplyAttempt): Promise<Outcome> {
  const looked = await findMessage(reply, undefined);
  if (looked !== undefined) return looked;
  const posted = await post(reply, { channel: reply.client.channel });
  return posted.ok ? DELIVERED : fallBackReply(reply, posted.outcome);
}

async function post(reply: ReplyAttempt, to: Parameters<ChatApi['post']>[1]): Promise<Called<Posted>> {
  const { client, delivery, attempt, state, clock } = reply;
  const { event, plan, sinkName, progress, id } = delivery;
  const message = formAtLevel(
    client.replies,
    progress.level,
  )({ event, plan, sinkName, sinkType: 'teamchat' });
  // The plainest message has no metadata: a token without an app may not post them.
  const bare = progress.level > 0 && isLastLevel(client.replies, progress.level);
  const posted = await client.api.post(message, to, bare ? undefined : markEvent(id), attempt);
  const what = `the ${event.kind} of ${event.namespace}/${event.plan} may be there twice`;
  const since = afterPost(state, posted, what, attempt.degraded);
  if (posted.ok) {
    reportRefusals(progress, attempt);
    client.history.channel = posted.value.channel;
  } else if (since !== undefined) {
    progress.unclearSince ??= since;
    Object.assign(state, { settledAt: clock.monotonic() + REQUEST_MS, ...NEW_SEARCH });
  }
  return posted;
}

const fallBackReply = ({ client, delivery: { progress } }: ReplyAttempt, outcome: Outcome): Outcome =>
  fallBack(progress, outcome, progress.level, client.replies.length - 1);
