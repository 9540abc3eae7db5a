import { sleep, type Clock } from '../../../clock.ts';
import type { ChatApi, Found, Refused } from './api.ts';

/** When a message that is looked for may have been posted; both are milliseconds since the epoch. */
export interface Span {
  /** Not before. */
  readonly since: number;
  /** By then it is there, if it ever comes: who looks earlier has seen nothing. */
  readonly after: number;
  /** Most likely it was not posted: that the token may not look for it need not be told. */
  readonly unlikely: boolean;
}

/** What a look gave. `asked`: whether it took a request. */
export type Look =
  | { readonly kind: 'found'; readonly found: Found }
  | { readonly kind: 'absent'; readonly asked: boolean }
  /** A page was read; there are others. */
  | { readonly kind: 'more' }
  /** The token may not read the history. */
  | { readonly kind: 'unreadable'; readonly asked: boolean; readonly message: string }
  | { readonly kind: 'failed'; readonly outcome: Refused['outcome'] };

/**
 * Apps that are sold outside the marketplace get 15 messages a request.
 * https://docs.slack.dev/reference/methods/conversations.history/
 */
export const PAGE = 15;
/** Of an answer 64 KiB are read: long messages are read in smaller pages. */
const SMALLER: Readonly<Record<number, number>> = { [PAGE]: 4, 4: 1 };
/** A look ends here, however busy the channel is. */
const MOST_MESSAGES = 150;
export const MOST_REQUESTS = 30;
/** Slack's clock and ours are no further apart. */
export const SKEW_MS = 60_000;
/** Nothing is on its way longer than a request may take. */
const LONGEST_WAIT_MS = 10_000;
/** How long a refusal to read is believed: somebody may have given the app the scope. */
const BELIEVED_MS = 10 * 60_000;
/** What was found and is older is forgotten. */
const KEPT_MS = 26 * 3_600_000;

interface Scan {
  readonly since: number;
  readonly begun: number;
  cursor: string;
  limit: number;
  messages: number;
  requests: number;
}

/**
 * What is known of our messages in one channel. One scan serves all who look: what it read is remembered, so that a hundred
 * threads which are looked for after a restart cost no more requests than one.
 */
export class History {
  readonly #clock: Clock;
  readonly #found = new Map<string, Found>();
  /** The channel as the chat names it, once it has answered; until then as it is configured. */
  channel: string;
  /** All that was posted in this time has been read (milliseconds since the epoch). */
  #read: { since: number; until: number } | undefined;
  #scan: Scan | undefined;
  #refusal: { readonly at: number; readonly message: string } | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(clock: Clock, channel: string) {
    this.#clock = clock;
    this.channel = channel;
  }

  /** Looks for one message, with at most one request. Never rejects. */
  async look(marker: string, span: Span, api: ChatApi, signal: AbortSignal): Promise<Look> {
    if (this.refusal === undefined) await this.wait(span, signal);
    const look = this.#turn.then(() => this.#look(marker, span, api, signal));
    this.#turn = look;
    return look;
  }

  /** Until it is time to look. */
  async wait({ after }: Span, signal: AbortSignal): Promise<void> {
    const wait = Math.min(after - this.#clock.now(), LONGEST_WAIT_MS);
    if (wait > 0) await sleep(this.#clock, wait, signal);
  }

  /** Why the token may not read, as the chat said not long ago. */
  get refusal(): string | undefined {
    const refusal = this.#refusal;
    return refusal !== undefined && this.#clock.monotonic() - refusal.at < BELIEVED_MS
      ? refusal.message
      : undefined;
  }

  /** What a call that was refused means for the look. */
  judge({ outcome }: Refused): Extract<Look, { kind: 'failed' | 'unreadable' }> {
    // Nothing was written: an unclear answer to a question is asked again.
    if (outcome.kind === 'ambiguous') return { kind: 'failed', outcome: { ...outcome, kind: 'transient' } };
    if (outcome.kind === 'throttled' || outcome.kind === 'transient' || outcome.kind === 'aborted')
      return { kind: 'failed', outcome };
    this.#refusal = { at: this.#clock.monotonic(), message: outcome.message };
    return { kind: 'unreadable', asked: true, message: outcome.message };
  }

  /** What was found is no longer what is looked for. */
  forget(marker: string): void {
    this.#found.delete(marker);
  }

  async #look(marker: string, span: Span, api: ChatApi, signal: AbortSignal): Promise<Look> {
    const { refusal, channel } = this;
    if (refusal !== undefined) return { kind: 'unreadable', asked: false, message: refusal };
    const known = this.#known(marker, span);
    if (known !== undefined) return known;
    if (this.#covers(span)) return { kind: 'absent', asked: false };
    const scan = this.#scanOf(span);
    const { limit, cursor, since, begun } = scan;
    // Both ends are given: with `oldest` alone Slack begins at the oldest, and what is looked for is new.
    const [oldest, latest] = [since - SKEW_MS, begun + SKEW_MS];
    scan.requests++;
    const page = await api.history({ channel, oldest, latest, limit, cursor }, signal);
    if (!page.ok) return this.#failed(scan, page);
    scan.cursor = page.value.cursor;
    scan.messages += page.value.count;
    for (const found of page.value.ours) this.#remember(found);
    const ended = scan.cursor === '' || scan.messages >= MOST_MESSAGES || scan.requests >= MOST_REQUESTS;
    if (ended) this.#end(scan);
    return this.#known(marker, span) ?? (ended ? { kind: 'absent', asked: true } : { kind: 'more' });
  }

  #known(marker: string, { since }: Span): Look | undefined {
    const found = this.#found.get(marker);
    return found === undefined || timeOf(found.ts) < since - SKEW_MS ? undefined : { kind: 'found', found };
  }

  #covers({ since, after }: Span): boolean {
    return this.#read !== undefined && this.#read.since <= since && this.#read.until >= after;
  }

  /** The scan that is under way, if it reads what is asked for; else a new one. */
  #scanOf(span: Span): Scan {
    const current = this.#scan;
    if (current !== undefined && current.since <= span.since && current.begun >= span.after) return current;
    const begun = this.#clock.now();
    for (const [marker, { ts }] of this.#found) if (begun - timeOf(ts) > KEPT_MS) this.#found.delete(marker);
    // It reads what the one before would have read, too: two who look must not begin anew in turns.
    const since = Math.min(span.since, current?.since ?? span.since);
    return (this.#scan = { since, begun, cursor: '', limit: PAGE, messages: 0, requests: 0 });
  }

  /** Of two messages with one marker the newer one counts: the other was given up. */
  #remember(found: Found): void {
    const before = this.#found.get(found.marker.id);
    if (before === undefined || timeOf(before.ts) < timeOf(found.ts)) this.#found.set(found.marker.id, found);
  }

  #end({ since, begun }: Scan): void {
    this.#scan = undefined;
    const read = this.#read;
    const joins = read !== undefined && read.until >= since && read.since <= since;
    this.#read = { since: joins ? read.since : since, until: begun };
  }

  #failed(scan: Scan, refused: Refused): Look {
    const smaller = smallerPage(scan.limit, refused);
    if (smaller !== undefined) {
      scan.limit = smaller;
      return { kind: 'more' };
    }
    const look = this.judge(refused);
    if (look.kind === 'unreadable') this.#scan = undefined;
    return look;
  }
}

/** How many messages to ask for where an answer was too long; undefined: it was not that. */
export const smallerPage = (limit: number, { code }: Refused): number | undefined =>
  code === 'truncated' ? SMALLER[limit] : undefined;

/** Slack's `ts` is when a message was posted, in seconds. */
const timeOf = (ts: string): number => Number(ts) * 1000;
