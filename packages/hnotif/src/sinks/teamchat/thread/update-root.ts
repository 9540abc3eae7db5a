import type { Clock } from '../../../clock.ts';
import type { Outcome } from '../../outcome.ts';
import { CONTINUE_ANEW } from '../../send.ts';
import type { Call } from './api.ts';
import type { Notice, RootLocation } from './root-state.ts';
import type { ThreadRoot } from './thread-root.ts';

/**
 * The message is gone, is not ours, or can no longer be edited: https://docs.slack.dev/reference/methods/chat.update/
 */
const GONE: ReadonlySet<string> = new Set(['message_not_found', 'cant_update_message', 'edit_window_closed']);

/** Sends the newest state of a root: one request. The state is saved before: after a kill, the card must not go back. */
export async function updateRoot(
  root: ThreadRoot,
  location: RootLocation,
  clock: Clock,
  call: Call,
): Promise<Outcome> {
  // Not the changes during the save: they may come all the time.
  const { client, card, digest, metadata } = root;
  if (root.hasUnsaved) {
    await root.saveChanges('soon');
    if (root.location !== location) return CONTINUE_ANEW;
  }
  const updated = await client.api.update(card(), location, metadata, call);
  // The root has moved meanwhile: the result does not concern its new message.
  if (root.location !== location) return CONTINUE_ANEW;
  if (updated.ok) {
    root.shown(digest, clock.monotonic());
    root.saveLater();
    return CONTINUE_ANEW;
  }
  if (GONE.has(updated.code)) {
    root.markLost(clock.monotonic());
    return CONTINUE_ANEW;
  }
  const { outcome } = updated;
  return outcome.kind === 'rejected-payload' && root.fallBack(outcome.message) ? CONTINUE_ANEW : outcome;
}

/** Posts a reply of the root itself: one request. After a request without an answer it may be there twice. */
export async function postNotice(
  root: ThreadRoot,
  { channel, ts }: RootLocation,
  { message, posted }: Notice,
  call: Call,
): Promise<Outcome> {
  const result = await root.client.api.post(message, { channel, thread: ts }, undefined, call);
  if (!result.ok) return result.outcome;
  posted();
  return CONTINUE_ANEW;
}
