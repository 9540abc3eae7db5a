import type { Clock } from '../../clock.ts';
import type { Outcome } from '../outcome.ts';
import { CONTINUE_ANEW } from '../send.ts';
import type { Call, SearchResult } from './root-client.ts';
import { afterPost, isSearchGivenUp, judgeSearch } from './search.ts';
import type { ThreadRoot } from './thread-root.ts';

/** The transport's time limit (milliseconds): after it a request has no more effect. */
export const REQUEST_MS = 10_000;

/** Of a chat without a search. */
const NO_HISTORY: SearchResult = {
  ...{ kind: 'unreadable', asked: false, forbidden: false },
  message: 'the chat shows its bots no earlier messages',
};

/** Why nothing is posted in the first seconds after a take-over. */
export const FORMER_PROCESS = {
  reason: 'FormerProcess',
  message:
    'the process that served before may have begun the thread, and the chat may be late; hnotif looks for it ' +
    `${REQUEST_MS / 1000} s after it began to serve`,
};

/** Makes one request to find or post a root. Undefined: it is posted already. */
export async function ensureRoot(root: ThreadRoot, clock: Clock, call: Call): Promise<Outcome | undefined> {
  if (root.location !== undefined) return undefined;
  const looked = await findRoot(root, call);
  const { by, after = 0 } = root.searchSpan ?? {};
  if (looked?.kind === 'wait' && by === 'former' && clock.monotonic() < after)
    return { ...looked, why: FORMER_PROCESS };
  return looked === undefined && root.location === undefined ? postRoot(root, clock, call) : looked;
}

/** Undefined: no request was made. */
async function findRoot(root: ThreadRoot, call: Call): Promise<Outcome | undefined> {
  const { searchSpan, client } = root;
  if (searchSpan === undefined || isSearchGivenUp(root)) return undefined;
  const result = (await client.search?.(root.key, searchSpan, call)) ?? NO_HISTORY;
  const { outcome, found, absent } = judgeSearch(result, root, searchSpan);
  if (found !== undefined)
    await root.found({ asked: client.channel, channel: client.chat, ts: found.ts }, found.marker.status);
  if (absent) root.searchSpan = undefined;
  return outcome;
}

async function postRoot(root: ThreadRoot, clock: Clock, call: Call): Promise<Outcome> {
  const { client, card, digest, mark, lost, state } = root;
  await root.saveChanges('now');
  const posted = await card().post({ channel: client.channel }, mark, call);
  const since = afterPost(root, posted, `${state.name} may begin a second time`, root.deps.degraded);
  if (posted.ok) {
    const { channel, ts, degradation } = posted.value;
    if (degradation !== undefined) root.deps.degraded(degradation);
    client.chat = channel;
    if (lost) {
      const message = `${state.name} was deleted, or can no longer be changed; it was posted again`;
      root.deps.degraded({ reason: 'RootReplaced', message });
    }
    await root.posted({ asked: client.channel, channel, ts }, digest, clock.monotonic());
    return CONTINUE_ANEW;
  }
  const { outcome } = posted;
  if (since !== undefined)
    root.searchSpan = { since, after: clock.monotonic() + REQUEST_MS, unlikely: false };
  return outcome.kind === 'rejected-payload' && root.fallBack(outcome.message) ? CONTINUE_ANEW : outcome;
}
