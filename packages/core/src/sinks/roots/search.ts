import type { DegradationReason } from '../degradation.ts';
import type { Outcome } from '../outcome.ts';
import { CONTINUE_ANEW } from '../send.ts';
import type { FoundRoot, SearchResult } from './root-client.ts';

/** After a search that found nothing, the next post is a retry of the one before. */
const CONTINUE_AS_RETRY: Outcome = { kind: 'continue', anew: false };

/** After this many consecutive failed searches a message is posted once without a search. */
const MOST_FAILED_SEARCHES = 3;

/** Whether to post without a search. */
export const isSearchGivenUp = ({ failedSearches }: { readonly failedSearches: number }): boolean =>
  failedSearches >= MOST_FAILED_SEARCHES;

/** Why the next message may be there twice. */
export interface DuplicateRisk {
  readonly reason: Extract<DegradationReason, 'HistoryUnreadable' | 'HistoryUnavailable'>;
  readonly why: string;
}

/** What the delivery does after its search. */
interface SearchVerdict<F extends FoundRoot> {
  /** Undefined: no request was made. */
  readonly outcome: Outcome | undefined;
  readonly found?: F;
  /** The message is not there. */
  readonly absent?: true;
  /** It is not known whether the message is there: it is posted without a search. */
  readonly risk?: DuplicateRisk;
}

/** `counter` counts consecutive failures. Posting without a search resets it. */
export function judgeSearch<F extends FoundRoot>(
  result: SearchResult<F>,
  counter: { failedSearches: number },
): SearchVerdict<F> {
  if (result.kind !== 'failed' && result.kind !== 'later') counter.failedSearches = 0;
  switch (result.kind) {
    case 'found':
      return { outcome: result.asked ? CONTINUE_ANEW : undefined, found: result.found };
    case 'more':
      return { outcome: CONTINUE_AS_RETRY };
    case 'later':
      return { outcome: { kind: 'wait', forMs: result.forMs } };
    case 'absent':
      return { outcome: result.asked ? CONTINUE_AS_RETRY : undefined, absent: true };
    case 'unreadable': {
      const reason = result.forbidden ? 'HistoryUnreadable' : 'HistoryUnavailable';
      return {
        outcome: result.asked ? CONTINUE_AS_RETRY : undefined,
        risk: { reason, why: result.message },
      };
    }
    case 'failed':
      if (result.outcome.kind !== 'transient' || ++counter.failedSearches < MOST_FAILED_SEARCHES)
        return { outcome: result.outcome };
      return {
        outcome: CONTINUE_AS_RETRY,
        risk: { reason: 'HistoryUnavailable', why: result.outcome.message },
      };
  }
}
