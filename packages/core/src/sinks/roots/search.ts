import type { Degradation, DegradationReason } from '../degradation.ts';
import type { Outcome } from '../outcome.ts';
import { CONTINUE_ANEW } from '../send.ts';
import { unclearOf, type Called, type FoundRoot, type SearchResult, type SearchSpan } from './root-client.ts';

/** After a search that found nothing, the next post is a retry of the one before. */
const CONTINUE_AS_RETRY: Outcome = { kind: 'continue', anew: false };

/** After this many consecutive failed searches a message is posted once without a search. */
const MOST_FAILED_SEARCHES = 3;

/** Why the next message may be there twice. */
export interface DuplicateRisk {
  readonly reason: Extract<DegradationReason, 'HistoryUnreadable' | 'HistoryUnavailable'>;
  readonly why: string;
}

/** A message that is posted once: what its searches have shown. */
export interface Searched {
  /** Consecutive failed searches. */
  failedSearches: number;
  /** Why the message may be there twice if it is posted now. */
  duplicateRisk: DuplicateRisk | undefined;
}

/** Whether to post without a search. */
export const isSearchGivenUp = ({ failedSearches }: Pick<Searched, 'failedSearches'>): boolean =>
  failedSearches >= MOST_FAILED_SEARCHES;

/** What the delivery does after its search. */
interface SearchVerdict<F extends FoundRoot> {
  /** Undefined: no request was made. */
  readonly outcome: Outcome | undefined;
  readonly found?: F;
  /** The message is not there. */
  readonly absent?: true;
}

/** Notes in `searched` what the result shows. Where it is not known whether the message is there, it is posted without a search. */
export function judgeSearch<F extends FoundRoot>(
  result: SearchResult<F>,
  searched: Searched,
  { unlikely }: Pick<SearchSpan, 'unlikely'>,
): SearchVerdict<F> {
  const unknown = (reason: DuplicateRisk['reason'], why: string): void => {
    searched.duplicateRisk = unlikely ? undefined : { reason, why };
  };
  if (result.kind !== 'failed' && result.kind !== 'later') searched.failedSearches = 0;
  switch (result.kind) {
    case 'found':
      return { outcome: result.asked ? CONTINUE_ANEW : undefined, found: result.found };
    case 'more':
      return { outcome: CONTINUE_AS_RETRY };
    case 'later':
      return { outcome: { kind: 'wait', forMs: result.forMs } };
    case 'absent':
      return { outcome: result.asked ? CONTINUE_AS_RETRY : undefined, absent: true };
    case 'unreadable':
      unknown(result.forbidden ? 'HistoryUnreadable' : 'HistoryUnavailable', result.message);
      return { outcome: result.asked ? CONTINUE_AS_RETRY : undefined };
    case 'failed':
      if (result.outcome.kind !== 'transient' || ++searched.failedSearches < MOST_FAILED_SEARCHES)
        return { outcome: result.outcome };
      unknown('HistoryUnavailable', result.outcome.message);
      return { outcome: CONTINUE_AS_RETRY };
  }
}

/**
 * The message was posted, or may have been: reports if it may be there twice. Returns when it may have been posted (milliseconds since the
 * epoch); undefined: it was posted, or was not. `what` is in words for users.
 */
export function afterPost(
  searched: Searched,
  posted: Called<unknown>,
  what: string,
  degraded: (degradation: Degradation) => void,
): number | undefined {
  const since = posted.ok ? undefined : unclearOf(posted);
  const { duplicateRisk: risk } = searched;
  if (risk !== undefined && (posted.ok || since !== undefined))
    degraded({ reason: risk.reason, message: `${what}: ${risk.why}` });
  // If it was not posted, it is searched for again.
  Object.assign(searched, { failedSearches: 0, duplicateRisk: undefined } satisfies Searched);
  return since;
}
