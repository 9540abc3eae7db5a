import type { Clock } from '../../../clock.ts';
import type { Outcome } from '../../outcome.ts';
import type { Attempt, Delivery } from '../../sink.ts';
import type { ChannelClient } from './channel-client.ts';
import type { RootLocation } from '../../roots/root-state.ts';
import { isSearchGivenUp, judgeSearch } from '../../roots/search.ts';
import { type SearchResult, SKEW_MS, smallerPage } from './history.ts';
import { eventMarker } from './marker.ts';
import type { DeliveryState } from './threads.ts';

/** One request of a delivery. */
export interface ReplyAttempt {
  readonly client: ChannelClient;
  readonly delivery: Delivery;
  readonly attempt: Attempt;
  readonly state: DeliveryState;
  readonly clock: Clock;
}

/** The most pages of a thread: it is read from the time of the message. */
const MOST_PAGES = 30;

/**
 * Searches for a message after an ambiguous request, with at most one request. Undefined: no request was made, and it was not found.
 */
export async function findMessage(
  reply: ReplyAttempt,
  location: RootLocation | undefined,
): Promise<Outcome | undefined> {
  const { client, delivery, attempt, state } = reply;
  const { progress } = delivery;
  if (progress.unclearSince === undefined || isSearchGivenUp(state)) return undefined;
  const span = { since: progress.unclearSince, after: state.settledAt, unlikely: false };
  const result =
    location === undefined
      ? await client.history.search(eventMarker(delivery.id), span, client.api, attempt)
      : await searchThread(reply, location, progress.unclearSince);
  const { outcome, found, absent } = judgeSearch(result, state, span);
  if (absent) progress.unclearSince = undefined;
  return found === undefined ? outcome : { kind: 'delivered', status: 200 };
}

async function searchThread(
  { client, delivery, attempt, state, clock }: ReplyAttempt,
  { channel, ts }: RootLocation,
  since: number,
): Promise<SearchResult> {
  const { history, api } = client;
  const { limit, cursor } = state;
  const postponed = history.postponed({ after: state.settledAt });
  if (postponed !== undefined) return postponed;
  const [oldest, latest] = [since - SKEW_MS, clock.now() + SKEW_MS];
  const query = { channel, thread: ts, oldest, latest, limit, cursor };
  const page = await api.replies(query, attempt);
  if (!page.ok) {
    if (page.code === 'thread_not_found') return { kind: 'absent', asked: true };
    const smaller = smallerPage(limit, page);
    if (smaller === undefined) return history.resultOfFailure(page, state);
    state.limit = smaller;
    return { kind: 'more' };
  }
  const found = page.value.ours.find(({ marker }) => marker.id === eventMarker(delivery.id));
  if (found !== undefined) return { kind: 'found', asked: true, found };
  state.cursor = page.value.cursor;
  if (state.cursor === '') return { kind: 'absent', asked: true };
  if (++state.pages < MOST_PAGES) return { kind: 'more' };
  const message = `of a thread no more than ${MOST_PAGES} pages are read`;
  return { kind: 'unreadable', asked: true, message, forbidden: false };
}
