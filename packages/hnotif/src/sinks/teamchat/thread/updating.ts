import type { Clock } from '../../../clock.ts';
import type { Outcome } from '../../outcome.ts';
import type { Call } from './api.ts';
import { formAt } from './ladder.ts';
import { ACHIEVED } from './placing.ts';
import type { Place } from './store.ts';
import type { ThreadRoot } from './thread-root.ts';

/**
 * The message is gone, is not ours, or may not be edited any more: https://docs.slack.dev/reference/methods/chat.update/
 */
const GONE: ReadonlySet<string> = new Set(['message_not_found', 'cant_update_message', 'edit_window_closed']);

/** Shows the newest state of a root where it stands: one request. `continue`: it is shown, or something else comes first. */
export async function updateRoot(root: ThreadRoot, place: Place, clock: Clock, call: Call): Promise<Outcome> {
  const { desk, wanted, digest, voice } = root;
  const card = formAt(desk.cards, root.rung)(wanted, voice.plan);
  const updated = await desk.api.update(card, place, root.metadata, call);
  // Lost in the meantime: what came of it says nothing of the next one.
  if (root.place !== place) return ACHIEVED;
  if (updated.ok) {
    await root.shown(digest, clock.monotonic());
    return ACHIEVED;
  }
  if (GONE.has(updated.code)) {
    root.lose(clock.monotonic());
    return ACHIEVED;
  }
  const { outcome } = updated;
  return outcome.kind === 'rejected-payload' && root.stepDown(outcome.message) ? ACHIEVED : outcome;
}
