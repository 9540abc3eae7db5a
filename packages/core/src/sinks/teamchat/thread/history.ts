import { sleep, type Clock } from '../../../clock.ts';
import { unreadableByName } from '../channel-id.ts';
import type { Call, Refused, SearchResult as AnyResult, SearchSpan } from '../../roots/root-client.ts';
import { pauseOf } from '../../retry.ts';
import type { ChatApi } from './api.ts';
import { type FoundMessage, timeOf } from './history-page.ts';

export type SearchResult = AnyResult<FoundMessage>;

/** How long the chat has throttled one search in all (milliseconds). */
export interface ThrottledTime {
  throttledMs: number;
}

/**
 * Apps that are sold outside the marketplace get 15 messages a request.
 * https://docs.slack.dev/reference/methods/conversations.history/
 */
export const PAGE = 15;
/** Only 64 KiB of an answer are read: long messages need smaller pages. */
const SMALLER: Readonly<Record<number, number>> = { [PAGE]: 4, 4: 1 };
/** A scan ends here, however busy the channel is. */
const MOST_MESSAGES = 3_000;
const MOST_REQUESTS = 400;
/** The largest difference between Slack's clock and ours. */
export const SKEW_MS = 60_000;
/** How long a search waits for another one's page, which may contain its message (milliseconds)… */
const LONGEST_QUEUE_MS = 1_000;
/** …and when it comes again. */
const RETRY_MS = 2_000;
/**
 * The chat's errors for a token that may not read. Other errors, such as a proxy's, may pass.
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
/** How long a token counts as forbidden: the app may have got the scope meanwhile. */
const FORBIDDEN_MS = 10 * 60_000;
/** After this many consecutive other refusals… */
const MOST_REFUSALS = 3;
/** …no search makes a request for this time (milliseconds): a thousand threads need not try one by one. */
const REFUSED_MS = 20_000;
/** A message is posted without a search after this time: some apps get one request a minute. */
const LONGEST_THROTTLED_MS = 5 * 60_000;
/** How long found messages are kept. */
const KEPT_MS = 26 * 3_600_000;

interface Scan extends ThrottledTime {
  readonly since: number;
  /** When it began, by both clocks. */
  readonly begun: number;
  readonly asOf: number;
  cursor: string;
  limit: number;
  messages: number;
  requests: number;
  /** When the oldest message was posted that was read. */
  oldest: number;
}

/** All that was posted from `since` to `until` has been read. */
interface ReadSpan {
  readonly since: number;
  readonly until: number;
  /** The monotonic time of `until`. */
  readonly asOf: number;
  /** How far back the scan should go. It is earlier than `since` if there were too many messages. */
  readonly requestedSince: number;
}

/**
 * Our messages in one channel. One scan serves all searches, and its results are cached: a hundred threads after a restart cost no
 * more requests than one.
 */
export class History {
  readonly #clock: Clock;
  readonly #found = new Map<string, FoundMessage>();
  /** The chat's name of the channel, once it is known; until then the configured one. */
  channel: string;
  #read: ReadSpan | undefined;
  #scan: Scan | undefined;
  /** Why the history cannot be read, and how long that counts (monotonic milliseconds). */
  #refusal: { readonly until: number; readonly message: string; readonly forbidden: boolean } | undefined;
  /** Consecutive refusals that do not concern the token. */
  #refusals = 0;
  /** No request before this time (monotonic milliseconds). */
  #notBefore = -Infinity;
  /** The request that is running. */
  #pendingRead: Promise<unknown> | undefined;

  constructor(clock: Clock, channel: string) {
    this.#clock = clock;
    this.channel = channel;
  }

  /** Searches for one message, with at most one request. Never rejects. */
  async search(marker: string, span: SearchSpan, api: ChatApi, call: Call): Promise<SearchResult> {
    const deadline = this.#clock.monotonic() + LONGEST_QUEUE_MS;
    for (;;) {
      const known =
        this.#resultFromCache(marker, span, false) ?? this.#unreadableByName() ?? this.postponed(span);
      if (known !== undefined) return known;
      if (this.#pendingRead === undefined) break;
      const left = deadline - this.#clock.monotonic();
      if (left <= 0) return { kind: 'later', forMs: RETRY_MS };
      await this.#within(left, this.#pendingRead);
    }
    const asking = this.#readPage(marker, span, api, call);
    this.#pendingRead = asking;
    const result = await asking;
    this.#pendingRead = undefined;
    return result;
  }

  #unreadableByName(): SearchResult | undefined {
    const message = unreadableByName(this.channel);
    return message === undefined
      ? undefined
      : { kind: 'unreadable', asked: false, message, forbidden: false };
  }

  /** Why no request may be made now; undefined: it may. */
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

  /** The result of the search after a failed request. */
  resultOfFailure(
    { outcome, code }: Refused,
    delay: ThrottledTime,
  ): Extract<SearchResult, { kind: 'failed' | 'later' | 'unreadable' }> {
    const forbidden = FORBIDDEN.has(code);
    switch (outcome.kind) {
      case 'ambiguous': // Reading changes nothing: it is simply repeated.
        return { kind: 'failed', outcome: { ...outcome, kind: 'transient' } };
      case 'rejected-payload':
      case 'rejected-configuration':
        if (forbidden) break;
        if (++this.#refusals >= MOST_REFUSALS) return this.#unreadable(outcome.message, false, REFUSED_MS);
        // The next message shows whether posting fails, too.
        return { kind: 'failed', outcome: { ...outcome, kind: 'transient' } };
      case 'wait':
        return { kind: 'later', forMs: outcome.forMs };
      case 'transient':
      case 'aborted':
        return { kind: 'failed', outcome };
      case 'throttled': {
        const forMs = pauseOf(outcome.retryAfterMs);
        this.#notBefore = this.#clock.monotonic() + forMs;
        delay.throttledMs += forMs;
        if (delay.throttledMs <= LONGEST_THROTTLED_MS) return { kind: 'later', forMs };
        break;
      }
    }
    return this.#unreadable(outcome.message, forbidden, FORBIDDEN_MS);
  }

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

  async #readPage(marker: string, span: SearchSpan, api: ChatApi, call: Call): Promise<SearchResult> {
    const { channel } = this;
    const scan = this.#scanFor(span);
    const { limit, cursor, since, begun } = scan;
    // With `oldest` alone Slack begins at the oldest message, and the message is more likely a new one.
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
    if (scan.cursor === '' || enough) this.#finishScan(scan);
    return this.#resultFromCache(marker, span, true) ?? { kind: 'more' };
  }

  /** The result without a request, if the cache has it. */
  #resultFromCache(marker: string, { since, after }: SearchSpan, asked: boolean): SearchResult | undefined {
    const found = this.#found.get(marker);
    if (found !== undefined && timeOf(found.ts) >= since - SKEW_MS) return { kind: 'found', asked, found };
    const read = this.#read;
    if (read === undefined || read.asOf < after || read.requestedSince > since) return undefined;
    return read.since <= since
      ? { kind: 'absent', asked }
      : { kind: 'unreadable', asked, message: TOO_MUCH, forbidden: false };
  }

  /** The running scan if it covers the span, else a new one. */
  #scanFor(span: SearchSpan): Scan {
    const current = this.#scan;
    if (current !== undefined && current.since <= span.since && current.asOf >= span.after) return current;
    const [begun, asOf] = [this.#clock.now(), this.#clock.monotonic()];
    for (const [marker, { ts }] of this.#found) if (begun - timeOf(ts) > KEPT_MS) this.#found.delete(marker);
    // The new scan includes the span of the old one: two searches must not restart each other's scan.
    const since = Math.min(span.since, current?.since ?? span.since);
    const throttledMs = current?.throttledMs ?? 0;
    const none = { cursor: '', limit: PAGE, messages: 0, requests: 0, oldest: begun, throttledMs };
    return (this.#scan = { since, begun, asOf, ...none });
  }

  /** Of two messages with one marker the newer one counts: the older one was given up. */
  #remember(found: FoundMessage): void {
    const before = this.#found.get(found.marker.id);
    if (before === undefined || timeOf(before.ts) < timeOf(found.ts)) this.#found.set(found.marker.id, found);
  }

  #finishScan({ since: requestedSince, begun, asOf, cursor, oldest }: Scan): void {
    this.#scan = undefined;
    const since = cursor === '' ? requestedSince : Math.max(requestedSince, oldest + SKEW_MS);
    const before = this.#read;
    const joins = before !== undefined && before.until >= since && before.since <= since;
    this.#read = {
      since: joins ? before.since : since,
      until: begun,
      asOf,
      requestedSince: joins ? Math.min(before.requestedSince, requestedSince) : requestedSince,
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

  /** Waits for `work`, at most `ms`. */
  async #within(ms: number, work: Promise<unknown>): Promise<void> {
    const done = new AbortController();
    void work.then(() => {
      done.abort();
    });
    await sleep(this.#clock, ms, done.signal);
  }
}

const TOO_MUCH = `of the channel's history no more than ${MOST_MESSAGES} messages are read`;

/** The next smaller page after an answer that was too long; undefined: there is none, or the answer was not too long. */
export const smallerPage = (limit: number, { code }: Refused): number | undefined =>
  code === 'truncated' ? SMALLER[limit] : undefined;
