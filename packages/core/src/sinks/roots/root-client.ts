import type { Degradation } from '../degradation.ts';
import type { Outcome } from '../outcome.ts';
import type { Rate } from '../rate.ts';
import type { Attempt } from '../sink.ts';
import type { RootStatus } from './root-status.ts';

export type Call = Pick<Attempt, 'signal' | 'slot' | 'answered'>;

/** A failed call. */
export interface Refused {
  readonly ok: false;
  /** When the request was made (milliseconds since the epoch); undefined: none was made. */
  readonly sentAt: number | undefined;
  /** The chat's own code for the error; `truncated`: the answer was too long; `''`: there is none. */
  readonly code: string;
  /** The message to change is gone, is not ours, or can no longer be edited. Default false. */
  readonly gone?: boolean;
  readonly outcome: Exclude<Outcome, { kind: 'delivered' | 'continue' }>;
}

export type Called<T> = { readonly ok: true; readonly value: T } | Refused;

/** When an ambiguous request was made (milliseconds since the epoch); undefined: the request is not ambiguous. */
export const unclearOf = ({ sentAt, outcome }: Refused): number | undefined =>
  outcome.kind === 'ambiguous' || outcome.kind === 'aborted' ? sentAt : undefined;

/** A refused request. A success counts as one if the chat did not say where the message is. */
export const refused = (sentAt: number | undefined, outcome: Outcome, code = ''): Refused =>
  outcome.kind === 'delivered' || outcome.kind === 'continue'
    ? { ok: false, sentAt, code, outcome: NO_PLACE }
    : { ok: false, sentAt: outcome.kind === 'wait' ? undefined : sentAt, code, outcome };

const NO_PLACE: Refused['outcome'] = {
  kind: 'ambiguous',
  reason: 'BadAnswer',
  message:
    'the chat took the message but did not say where it is; check the address of its API, and any proxy',
};

/** Where a message is. */
export interface Place {
  readonly channel: string;
  readonly ts: string;
}

/** Where a message was posted. */
export interface Posted extends Place {
  /** A problem that did not keep it from arriving. Default: none. */
  readonly degradation?: Degradation | undefined;
}

/** By which the message of a root is found again. */
export interface RootMark {
  readonly key: string;
  readonly status: RootStatus;
}

/** A message of a root, with the requests that send it. Each makes one request and never rejects. */
export interface Card {
  /** `thread`: the message that it answers. Default: none. */
  post(
    to: { readonly channel: string; readonly thread?: string },
    mark: RootMark | undefined,
    call: Call,
  ): Promise<Called<Posted>>;
  update(at: Place, mark: RootMark | undefined, call: Call): Promise<Called<undefined>>;
}

/** When a message may have been posted. */
export interface SearchSpan {
  /** Not before (milliseconds since the epoch). */
  readonly since: number;
  /** If it was posted, it is visible from then on (monotonic milliseconds): an earlier search proves nothing. */
  readonly after: number;
  /** Which process may have posted it. Default: this one. */
  readonly by?: 'former';
  /** It was most likely not posted: a failed search is not reported. */
  readonly unlikely: boolean;
}

/** A message of a root in the history of its chat. */
export interface FoundRoot {
  readonly ts: string;
  readonly marker: { readonly status: RootStatus | undefined };
}

/** The result of a search. `asked`: whether it took a request. */
export type SearchResult<F extends FoundRoot = FoundRoot> =
  | { readonly kind: 'found'; readonly asked: boolean; readonly found: F }
  | { readonly kind: 'absent'; readonly asked: boolean }
  /** A page was read; there are more. */
  | { readonly kind: 'more' }
  /** The search has to wait. */
  | { readonly kind: 'later'; readonly forMs: number }
  /** Unknown: the token may not read the history (`forbidden`), or it is too long, or the chat throttles for too long. */
  | {
      readonly kind: 'unreadable';
      readonly asked: boolean;
      readonly message: string;
      readonly forbidden: boolean;
    }
  | { readonly kind: 'failed'; readonly outcome: Refused['outcome'] };

/** A chat as roots use it, with the configuration of one sink. */
export interface RootClient {
  /** Scheme, host and port of the chat's API. */
  readonly origin: string;
  /** The configured channel: in another one it is another root. */
  readonly channel: string;
  /** The chat's name of the channel; until it is known, the configured one. */
  chat: string;
  /** The buckets of all requests except updates. */
  readonly rates: readonly Rate[];
  /** The last one pauses when the chat throttles an update. */
  readonly updateRates: readonly Rate[];
  /** Searches for the message of a root, with at most one request. Absent: the chat shows its bots no earlier messages. */
  search?(key: string, span: SearchSpan, call: Call): Promise<SearchResult>;
  /** The message of a root does not count any more. */
  forget?(key: string): void;
}
