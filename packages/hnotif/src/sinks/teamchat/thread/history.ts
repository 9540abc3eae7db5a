import { sleep, type Clock } from '../../../clock.ts';
import { type Call, type ChatApi, type FoundMessage, type Refused, timeOf } from './api.ts';

/** When a message that is looked for may have been posted. */
export interface SearchSpan {
  /** Not before (milliseconds since the epoch). */
  readonly since: number;
  /** By then it is there, if it ever comes: who looks earlier has seen nothing (monotonic milliseconds). */
  readonly after: number;
  /** Who may have posted it. Default: this process. */
  readonly by?: 'former';
  /** Most likely it was not posted: that it could not be looked for need not be told. */
  readonly unlikely: boolean;
}

/** What a look gave. `asked`: whether it took a request. */
export type SearchResult =
  | { readonly kind: 'found'; readonly asked: boolean; readonly found: FoundMessage }
  | { readonly kind: 'absent'; readonly asked: boolean }
  /** A page was read; there are others. */
  | { readonly kind: 'more' }
  /** It is not time to look, or no more than a question was put off. */
  | { readonly kind: 'later'; readonly forMs: number }
  /** It cannot be known: the token may not read the history (`forbidden`), or there is too much of it, or it is put off for too long. */
  | {
      readonly kind: 'unreadable';
      readonly asked: boolean;
      readonly message: string;
      readonly forbidden: boolean;
    }
  | { readonly kind: 'failed'; readonly outcome: Refused['outcome'] };

/** How long the chat has put off the questions of one look, altogether (milliseconds). */
export interface Delay {
  putOffMs: number;
}

/**
 * Apps that are sold outside the marketplace get 15 messages a request.
 * https://docs.slack.dev/reference/methods/conversations.history/
 */
export const PAGE = 15;
/** Of an answer 64 KiB are read: long messages are read in smaller pages. */
const SMALLER: Readonly<Record<number, number>> = { [PAGE]: 4, 4: 1 };
/** A scan ends here, however busy the channel is. */
const MOST_MESSAGES = 3_000;
const MOST_REQUESTS = 400;
/** Slack's clock and ours are no further apart. */
export const SKEW_MS = 60_000;
/** So long a look waits for another one's answer, which may be its own (milliseconds)… */
const QUEUE_MS = 1_000;
/** …and comes again after so long. */
const AGAIN_MS = 2_000;
/**
 * What the chat answers to a token that may not read. All else, an answer of a proxy for example, says nothing of the token and may pass.
 * https://docs.slack.dev/reference/methods/conversations.history/#errors
 */
const FORBIDDEN: ReadonlySet<string> = new Set([
  'missing_scope',
  'no_permission',
  'not_in_channel',
  'not_allowed_token_type',
  'access_denied',
  'method_not_supported_for_channel_type',
]);
/** How long it is believed that the history cannot be read: the app may have got the scope meanwhile. */
const BELIEVED_MS = 10 * 60_000;
/** After so many refusals in a row that say nothing of the token… */
const MOST_REFUSALS = 3;
/** …nobody asks for so long (milliseconds): a thousand threads are not to find out one by one. */
const REFUSED_MS = 20_000;
/** A Retry-After is believed from this… */
const PUT_OFF_MIN_MS = 1_000;
/** …to this; what the chat says without a time is the first of them (milliseconds). */
const PUT_OFF_MAX_MS = 15 * 60_000;
/** News that waits for a look longer is told without: some apps get one request a minute. */
const LONGEST_PUT_OFF_MS = 5 * 60_000;
/** What was found and is older is forgotten. */
const KEPT_MS = 26 * 3_600_000;

interface Scan extends Delay {
  readonly since: number;
  /** When it began, by both clocks. */
  readonly begun: number;
  readonly asOf: number;
  cursor: string;
  limit: number;
  messages: number;
  requests: number;
  /** Of what was read the oldest. */
  oldest: number;
}

/** All that was posted from `since` to `until` has been read. */
interface Read {
  readonly since: number;
  readonly until: number;
  /** The monotonic time of `until`. */
  readonly asOf: number;
  /** How far back it was to be read: earlier than `since` where there was too much. */
  readonly wished: number;
}

/**
 * What is known of our messages in one channel. One scan serves all who look: what it read is remembered, so that a hundred
 * threads which are looked for after a restart cost no more requests than one.
 */
export class History {
  readonly #clock: Clock;
  readonly #found = new Map<string, FoundMessage>();
  /** The channel as the chat names it, once it has answered; until then as it is configured. */
  channel: string;
  #read: Read | undefined;
  #scan: Scan | undefined;
  /** Why nothing can be read, and until when that is believed (monotonic milliseconds). */
  #refusal: { readonly until: number; readonly message: string; readonly forbidden: boolean } | undefined;
  /** In a row that say nothing of the token. */
  #refusals = 0;
  /** No question before (monotonic milliseconds). */
  #notBefore = -Infinity;
  /** The question that is under way. */
  #asking: Promise<unknown> | undefined;

  constructor(clock: Clock, channel: string) {
    this.#clock = clock;
    this.channel = channel;
  }

  /** Looks for one message, with at most one request. Never rejects. */
  async search(marker: string, span: SearchSpan, api: ChatApi, call: Call): Promise<SearchResult> {
    const patience = this.#clock.monotonic() + QUEUE_MS;
    for (;;) {
      const known = this.#known(marker, span, false) ?? this.postponed(span);
      if (known !== undefined) return known;
      if (this.#asking === undefined) break;
      const left = patience - this.#clock.monotonic();
      if (left <= 0) return { kind: 'later', forMs: AGAIN_MS };
      await this.#within(left, this.#asking);
    }
    const asking = this.#ask(marker, span, api, call);
    this.#asking = asking;
    const look = await asking;
    this.#asking = undefined;
    return look;
  }

  /** Why no question is to be asked now; undefined: it may. */
  postponed({
    after,
  }: Pick<SearchSpan, 'after'>): Extract<SearchResult, { kind: 'later' | 'unreadable' }> | undefined {
    const now = this.#clock.monotonic();
    const refusal = this.#refusal;
    if (refusal !== undefined && now < refusal.until)
      return { kind: 'unreadable', asked: false, message: refusal.message, forbidden: refusal.forbidden };
    const forMs = Math.max(after, this.#notBefore) - now;
    return forMs > 0 ? { kind: 'later', forMs } : undefined;
  }

  /** What a question that was refused means for the look. */
  resultOfFailure(
    { outcome, code }: Refused,
    delay: Delay,
  ): Extract<SearchResult, { kind: 'failed' | 'later' | 'unreadable' }> {
    const forbidden = FORBIDDEN.has(code);
    switch (outcome.kind) {
      case 'ambiguous': // Nothing was written: an unclear answer to a question is asked again.
        return { kind: 'failed', outcome: { ...outcome, kind: 'transient' } };
      case 'rejected-payload':
      case 'rejected-configuration':
        if (forbidden) break;
        if (++this.#refusals >= MOST_REFUSALS) return this.#unreadable(outcome.message, false, REFUSED_MS);
        // Whether it also keeps messages from being posted, a message tells.
        return { kind: 'failed', outcome: { ...outcome, kind: 'transient' } };
      case 'wait':
        return { kind: 'later', forMs: outcome.forMs };
      case 'transient':
      case 'aborted':
        return { kind: 'failed', outcome };
      case 'throttled': {
        const told = outcome.retryAfterMs ?? PUT_OFF_MIN_MS;
        const forMs = Math.min(Math.max(told, PUT_OFF_MIN_MS), PUT_OFF_MAX_MS);
        this.#notBefore = this.#clock.monotonic() + forMs;
        delay.putOffMs += forMs;
        if (delay.putOffMs <= LONGEST_PUT_OFF_MS) return { kind: 'later', forMs };
        break;
      }
    }
    return this.#unreadable(outcome.message, forbidden, BELIEVED_MS);
  }

  /** What was found is no longer what is looked for. */
  forget(marker: string): void {
    this.#found.delete(marker);
  }

  #unreadable(
    message: string,
    forbidden: boolean,
    forMs: number,
  ): Extract<SearchResult, { kind: 'unreadable' }> {
    this.#refusal = { until: this.#clock.monotonic() + forMs, message, forbidden };
    this.#refusals = 0;
    return { kind: 'unreadable', asked: true, message, forbidden };
  }

  async #ask(marker: string, span: SearchSpan, api: ChatApi, call: Call): Promise<SearchResult> {
    const { channel } = this;
    const scan = this.#scanOf(span);
    const { limit, cursor, since, begun } = scan;
    // Both ends are given: with `oldest` alone Slack begins at the oldest, and what is looked for is new.
    const [oldest, latest] = [since - SKEW_MS, begun + SKEW_MS];
    const page = await api.history({ channel, oldest, latest, limit, cursor }, call);
    if (page.ok || page.sentAt !== undefined) scan.requests++;
    if (!page.ok) return this.#failed(scan, page);
    this.#refusals = 0;
    scan.cursor = page.value.cursor;
    scan.messages += page.value.count;
    scan.oldest = Math.min(scan.oldest, page.value.oldest ?? Infinity);
    for (const found of page.value.ours) this.#remember(found);
    const enough = scan.messages >= MOST_MESSAGES || scan.requests >= MOST_REQUESTS;
    if (scan.cursor === '' || enough) this.#end(scan);
    return this.#known(marker, span, true) ?? { kind: 'more' };
  }

  /** What is known without another question. */
  #known(marker: string, { since, after }: SearchSpan, asked: boolean): SearchResult | undefined {
    const found = this.#found.get(marker);
    if (found !== undefined && timeOf(found.ts) >= since - SKEW_MS) return { kind: 'found', asked, found };
    const read = this.#read;
    if (read === undefined || read.asOf < after || read.wished > since) return undefined;
    return read.since <= since
      ? { kind: 'absent', asked }
      : { kind: 'unreadable', asked, message: TOO_MUCH, forbidden: false };
  }

  /** The scan that is under way, if it reads what is asked for; else a new one. */
  #scanOf(span: SearchSpan): Scan {
    const current = this.#scan;
    if (current !== undefined && current.since <= span.since && current.asOf >= span.after) return current;
    const [begun, asOf] = [this.#clock.now(), this.#clock.monotonic()];
    for (const [marker, { ts }] of this.#found) if (begun - timeOf(ts) > KEPT_MS) this.#found.delete(marker);
    // It reads what the one before would have read, too: two who look must not begin anew in turns.
    const since = Math.min(span.since, current?.since ?? span.since);
    const putOffMs = current?.putOffMs ?? 0;
    const none = { cursor: '', limit: PAGE, messages: 0, requests: 0, oldest: begun, putOffMs };
    return (this.#scan = { since, begun, asOf, ...none });
  }

  /** Of two messages with one marker the newer one counts: the other was given up. */
  #remember(found: FoundMessage): void {
    const before = this.#found.get(found.marker.id);
    if (before === undefined || timeOf(before.ts) < timeOf(found.ts)) this.#found.set(found.marker.id, found);
  }

  #end({ since: wished, begun, asOf, cursor, oldest }: Scan): void {
    this.#scan = undefined;
    const since = cursor === '' ? wished : Math.max(wished, oldest + SKEW_MS);
    const before = this.#read;
    const joins = before !== undefined && before.until >= since && before.since <= since;
    this.#read = {
      since: joins ? before.since : since,
      until: begun,
      asOf,
      wished: joins ? Math.min(before.wished, wished) : wished,
    };
  }

  #failed(scan: Scan, refused: Refused): SearchResult {
    const smaller = smallerPage(scan.limit, refused);
    if (smaller !== undefined) {
      scan.limit = smaller;
      return { kind: 'more' };
    }
    const look = this.resultOfFailure(refused, scan);
    if (look.kind === 'unreadable') this.#scan = undefined;
    return look;
  }

  /** Until `work` is done, at most so long. */
  async #within(ms: number, work: Promise<unknown>): Promise<void> {
    const done = new AbortController();
    void work.then(() => {
      done.abort();
    });
    await sleep(this.#clock, ms, done.signal);
  }
}

const TOO_MUCH = `of the channel's history no more than ${MOST_MESSAGES} messages are read`;

/** How many messages to ask for where an answer was too long; undefined: it was not that. */
export const smallerPage = (limit: number, { code }: Refused): number | undefined =>
  code === 'truncated' ? SMALLER[limit] : undefined;
