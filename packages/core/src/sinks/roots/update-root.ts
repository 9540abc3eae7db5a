import type { Clock } from '../../clock.ts';
import type { Outcome } from '../outcome.ts';
import { CONTINUE_ANEW } from '../send.ts';
import { ensureRoot } from './post-root.ts';
import type { Call } from './root-client.ts';
import type { Notice, RootLocation } from './root-state.ts';
import type { ThreadRoot } from './thread-root.ts';

/** Makes the request that a root needs most. Undefined: it needed none. */
export async function sendRequest(root: ThreadRoot, clock: Clock, call: Call): Promise<Outcome | undefined> {
  const { location } = root;
  try {
    if (location === undefined) return await root.exclusively(() => ensureRoot(root, clock, call));
    const notice = root.isCardStale ? undefined : root.notice;
    return notice === undefined
      ? await updateRoot(root, location, clock, call)
      : await postNotice(location, notice, call);
  } catch (error) {
    // Report a card that cannot be made.
    return { kind: 'rejected-payload', reason: 'Internal', message: `a fault of hnotif: ${String(error)}` };
  }
}

/** Sends the newest state of a root: one request. The state is saved before: after a kill, the card must not go back. */
async function updateRoot(
  root: ThreadRoot,
  location: RootLocation,
  clock: Clock,
  call: Call,
): Promise<Outcome> {
  // Not the changes during the save: they may come all the time.
  const { card, digest, mark } = root;
  if (root.hasUnsaved) {
    await root.saveChanges('soon');
    if (root.location !== location) return CONTINUE_ANEW;
  }
  const updated = await card().update(location, mark, call);
  // The root has moved meanwhile: the result does not concern its new message.
  if (root.location !== location) return CONTINUE_ANEW;
  if (updated.ok) {
    root.shown(digest, clock.monotonic());
    root.saveLater();
    return CONTINUE_ANEW;
  }
  if (updated.gone === true) {
    root.markLost(clock.monotonic());
    return CONTINUE_ANEW;
  }
  const { outcome } = updated;
  return outcome.kind === 'rejected-payload' && root.fallBack(outcome.message) ? CONTINUE_ANEW : outcome;
}

/** Posts a reply of the root itself: one request. After a request without an answer it may be there twice. */
async function postNotice(
  { channel, ts }: RootLocation,
  { message, posted }: Notice,
  call: Call,
): Promise<Outcome> {
  const result = await message.post({ channel, thread: ts }, undefined, call);
  if (!result.ok) return result.outcome;
  posted();
  return CONTINUE_ANEW;
}
