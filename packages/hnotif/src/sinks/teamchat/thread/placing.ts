import type { Clock } from '../../../clock.ts';
import type { Outcome } from '../../outcome.ts';
import type { Span } from './history.ts';
import { formAt } from './ladder.ts';
import { rootMarker } from './marker.ts';
import type { ThreadRoot } from './thread-root.ts';

const CONTINUE: Outcome = { kind: 'continue', anew: false };

/** After so many looks in a row that failed a message is posted without having looked. */
export const MOST_FAILED_LOOKS = 3;

/** The transport's limit: whatever became of its answer, by then a request has done what it does (milliseconds). */
export const REQUEST_MS = 10_000;

/** When a message may have been posted by a request of unclear end, which began at `since`. */
export const unclearSpan = (since: number): Span => ({ since, after: since + REQUEST_MS, unlikely: false });

/**
 * One request on the way to a root that stands in the channel: it is looked for where it may be there already, else posted.
 * `continue`: a step was made; ask `place` whether it was the last.
 */
export async function placeRoot(root: ThreadRoot, clock: Clock, signal: AbortSignal): Promise<Outcome> {
  if (root.place !== undefined) return CONTINUE;
  return (await lookForRoot(root, signal)) ?? postRoot(root, clock, signal);
}

/** Undefined: it is not there as far as can be known, and no request was made. */
async function lookForRoot(root: ThreadRoot, signal: AbortSignal): Promise<Outcome | undefined> {
  const { lookFor, desk } = root;
  if (lookFor === undefined) return undefined;
  const look = await desk.history.look(rootMarker(root.id), lookFor, desk.api, signal);
  if (look.kind !== 'failed') root.failedLooks = 0;
  switch (look.kind) {
    case 'found': {
      const { ts, marker } = look.found;
      await root.found({ asked: desk.channel, channel: desk.history.channel, ts }, marker.status);
      return CONTINUE;
    }
    case 'more':
      return CONTINUE;
    case 'absent':
      root.lookFor = undefined;
      return look.asked ? CONTINUE : undefined;
    case 'unreadable':
      stopLooking(root, look.message, lookFor.unlikely);
      return look.asked ? CONTINUE : undefined;
    case 'failed':
      if (look.outcome.kind !== 'transient' || ++root.failedLooks < MOST_FAILED_LOOKS) return look.outcome;
      root.failedLooks = 0;
      stopLooking(root, look.outcome.message, false);
      return CONTINUE;
  }
}

function stopLooking(root: ThreadRoot, why: string, silent: boolean): void {
  const { namespace, plan } = root.wanted.shown;
  const message = `the thread of ${namespace}/${plan} may begin a second time: ${why}`;
  if (!silent) root.voice.notice({ reason: 'HistoryUnreadable', message });
  root.lookFor = undefined;
}

async function postRoot(root: ThreadRoot, clock: Clock, signal: AbortSignal): Promise<Outcome> {
  const { desk, wanted, digest, voice } = root;
  await root.keep();
  const begun = clock.now();
  const card = formAt(desk.cards, root.rung)(wanted, voice.plan);
  const posted = await desk.api.post(card, { channel: desk.channel }, root.metadata, signal);
  if (posted.ok) {
    const { channel, ts } = posted.value;
    desk.history.channel = channel;
    await root.placed({ asked: desk.channel, channel, ts }, digest, clock.monotonic());
    return CONTINUE;
  }
  const { outcome } = posted;
  if (outcome.kind === 'ambiguous' || outcome.kind === 'aborted') root.lookFor = unclearSpan(begun);
  return outcome.kind === 'rejected-payload' && root.stepDown(outcome.message) ? CONTINUE : outcome;
}
