import type { DegradationReason } from '../../degradation.ts';
import type { Outcome } from '../../outcome.ts';
import type { FoundMessage } from './api.ts';
import type { SearchResult } from './history.ts';

/** A look that found nothing: the next post is a retry of the one before. */
const CONTINUE_AS_RETRY: Outcome = { kind: 'continue', anew: false };

/** After so many looks in a row that failed a message is posted without having looked: once, then it is looked for again. */
const MOST_FAILED_SEARCHES = 3;

/** Whether the next request posts without having looked. */
export const isSearchGivenUp = ({ failedSearches }: SearchHandler['tally']): boolean =>
  failedSearches >= MOST_FAILED_SEARCHES;

/** Why the message that is posted next may be there twice. */
export interface DuplicateRisk {
  readonly reason: Extract<DegradationReason, 'HistoryUnreadable' | 'HistoryUnavailable'>;
  readonly why: string;
}

/** A message that may have been posted, root or reply, and whoever has to know. */
export interface SearchHandler {
  /** Looks in a row that failed. Whoever posts without a look sets it back. */
  readonly tally: { failedSearches: number };
  found(message: FoundMessage, asked: boolean): Promise<Outcome | undefined>;
  /** It is not there. */
  absent(): void;
  /** It cannot be known, or not for now: it is posted without. */
  giveUp(doubt: DuplicateRisk): void;
}

/**
 * What a look means for the delivery that made it. Undefined: no request was made; it was found, or is not there as far as
 * can be known.
 */
export async function outcomeOfSearch(
  look: SearchResult,
  search: SearchHandler,
): Promise<Outcome | undefined> {
  const { tally } = search;
  if (look.kind !== 'failed' && look.kind !== 'later') tally.failedSearches = 0;
  switch (look.kind) {
    case 'found':
      return search.found(look.found, look.asked);
    case 'more':
      return CONTINUE_AS_RETRY;
    case 'later':
      return { kind: 'wait', forMs: look.forMs };
    case 'absent':
      search.absent();
      return look.asked ? CONTINUE_AS_RETRY : undefined;
    case 'unreadable':
      search.giveUp({
        reason: look.forbidden ? 'HistoryUnreadable' : 'HistoryUnavailable',
        why: look.message,
      });
      return look.asked ? CONTINUE_AS_RETRY : undefined;
    case 'failed':
      if (look.outcome.kind !== 'transient' || ++tally.failedSearches < MOST_FAILED_SEARCHES)
        return look.outcome;
      search.giveUp({ reason: 'HistoryUnavailable', why: look.outcome.message });
      return CONTINUE_AS_RETRY;
  }
}
