import type { Clock } from '../../../clock.ts';
import type { Outcome } from '../../outcome.ts';
import { type Call, unclearOf } from './api.ts';
import { formAt } from './ladder.ts';
import { rootMarker } from './marker.ts';
import { judgeLook, looksInVain } from './search.ts';
import type { ThreadRoot } from './thread-root.ts';

/** Something was achieved: what comes next has retries of its own. */
export const ACHIEVED: Outcome = { kind: 'continue', anew: true };

/** The transport's limit: whatever became of its answer, by then a request has done what it does (milliseconds). */
export const REQUEST_MS = 10_000;

/** Why nothing is posted for the first seconds after a take-over. */
export const FORMER_PROCESS = {
  reason: 'FormerProcess',
  message:
    'the process that served before may have begun the thread, and the chat may be late; hnotif looks for it ' +
    `${REQUEST_MS / 1000} s after it began to serve`,
};

/** One request on the way to a root that stands in the channel. Undefined: it stands, and none was needed. */
export async function placeRoot(root: ThreadRoot, clock: Clock, call: Call): Promise<Outcome | undefined> {
  if (root.place !== undefined) return undefined;
  const looked = await lookForRoot(root, call);
  const { by, after = 0 } = root.lookFor ?? {};
  if (looked?.kind === 'wait' && by === 'former' && clock.monotonic() < after)
    return { ...looked, why: FORMER_PROCESS };
  return looked === undefined && root.place === undefined ? postRoot(root, clock, call) : looked;
}

/** Undefined: no request was made; it was found, or is not there as far as can be known. */
async function lookForRoot(root: ThreadRoot, call: Call): Promise<Outcome | undefined> {
  const { lookFor, desk } = root;
  if (lookFor === undefined || looksInVain(root)) return undefined;
  const look = await desk.history.look(rootMarker(root.id), lookFor, desk.api, call);
  return judgeLook(look, {
    tally: root,
    found: async ({ ts, marker }, asked) => {
      await root.found({ asked: desk.channel, channel: desk.history.channel, ts }, marker.status);
      return asked ? ACHIEVED : undefined;
    },
    absent: () => {
      root.lookFor = undefined;
    },
    giveUp: (doubt) => {
      root.doubt = lookFor.unlikely ? undefined : doubt;
    },
  });
}

/** It was posted without having been looked for, or may have been. */
function tellDoubt(root: ThreadRoot): void {
  if (root.doubt === undefined) return;
  const { reason, why } = root.doubt;
  const { namespace, plan } = root.wanted.shown;
  const message = `the thread of ${namespace}/${plan} may begin a second time: ${why}`;
  root.voice.notice({ reason, message });
}

async function postRoot(root: ThreadRoot, clock: Clock, call: Call): Promise<Outcome> {
  const { desk, wanted, digest, voice } = root;
  await root.keep();
  const card = formAt(desk.cards, root.rung)(wanted, voice.plan);
  const posted = await desk.api.post(card, { channel: desk.channel }, root.metadata, call);
  const since = posted.ok ? undefined : unclearOf(posted);
  if (posted.ok || since !== undefined) tellDoubt(root);
  // What was not posted is looked for again.
  Object.assign(root, { failedLooks: 0, doubt: undefined });
  if (posted.ok) {
    const { channel, ts } = posted.value;
    desk.history.channel = channel;
    await root.placed({ asked: desk.channel, channel, ts }, digest, clock.monotonic());
    return ACHIEVED;
  }
  const { outcome } = posted;
  if (since !== undefined) root.lookFor = { since, after: clock.monotonic() + REQUEST_MS, unlikely: false };
  return outcome.kind === 'rejected-payload' && root.stepDown(outcome.message) ? ACHIEVED : outcome;
}
