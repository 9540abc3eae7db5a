import type { Clock } from '../../clock.ts';
import { WorkQueue } from '../../fair/work-queue.ts';
import type { LifecycleEvent } from '../../lifecycle/event.ts';
import type { Outcome } from '../outcome.ts';
import { type RateLimits, type Rate, takeFree } from '../rate.ts';
import { decide, PAUSES, type RetryLimits } from '../retry.ts';
import { REQUEST_MS } from './post-root.ts';
import type { SearchSpan } from './root-client.ts';
import type { ThreadRoot } from './thread-root.ts';
import { sendRequest } from './update-root.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How long an update waits for tokens without queueing (milliseconds). */
const LONGEST_WAIT_MS = 10_000;
/** No reply waits for an update, so it may be retried for longer than a message. */
const LIMITS: RetryLimits = { ...PAUSES, retries: 20, backoffMinMs: 1_000, backoffMaxMs: 60_000 };
/** After the last of these retries a root is reported, and tried after this pause, or up to half as much more (milliseconds)… */
const SLOW_MS = 10 * 60_000;
/** …until it has failed for this time. */
const LONGEST_FAILURE_MS = DAY_MS;

export interface RootsOptions {
  /** Its wall clock must not be wrong by a minute: messages are searched for by their time. That of this machine may be. */
  readonly clock: Clock;
  readonly rateLimits: RateLimits;
  /**
   * How long requests of a former process may still have an effect after this one began to serve (milliseconds). Default: the time
   * limit of a request.
   */
  readonly lateMs?: number | undefined;
}

/** Why a root is opened in this process. */
export interface Opening {
  /** The event that is delivered. Undefined: an earlier process has left it. */
  readonly event: LifecycleEvent | undefined;
  /** Whether an earlier process has stored it. */
  readonly recorded: boolean;
  /** Whether an earlier process accepted the event, and may have sent it. */
  readonly mayBeSent: boolean;
}

/**
 * What all roots of the process share, in all chats. Create it when the process begins to serve: another process may have sent what
 * happened before.
 *
 * It updates roots independently of replies: no reply waits for an update, or fails because of one. Only the newest state of a root is
 * sent. An update takes only free tokens at first. 10 s after the root's last update it queues for them; a terminal state queues at once.
 * In the queue messages go first.
 */
export class Roots {
  /** Of all requests and searches. */
  readonly clock: Clock;
  /** When requests of a former process can have no more effect (monotonic milliseconds). */
  readonly formerProcessDoneAt: number;
  readonly #rateLimits: RateLimits;
  readonly #abort = new AbortController();
  readonly #queue: WorkQueue<ThreadRoot>;
  /** The roots that need an update. */
  readonly #scheduled = new Set<ThreadRoot>();
  #flushing = false;
  #idle: (() => void)[] = [];
  /** When this process began to serve, by both clocks. */
  readonly #began: number;
  readonly #beganAt: number;

  constructor({ clock, rateLimits, lateMs = REQUEST_MS }: RootsOptions) {
    this.clock = clock;
    this.#rateLimits = rateLimits;
    this.#queue = new WorkQueue({
      ...{ clock, workers: Infinity, ownerOf },
      work: (root) => this.#update(root),
    });
    this.#began = clock.now();
    this.#beganAt = clock.monotonic();
    this.formerProcessDoneAt = this.#beganAt + lateMs;
  }

  isScheduled(root: ThreadRoot): boolean {
    return this.#scheduled.has(root);
  }

  /** Updates the root if it is stale. */
  schedule(root: ThreadRoot): void {
    if (root.failures > LIMITS.retries && root.digest !== root.attempted) root.resetFailures();
    if (this.#abort.signal.aborted || !(root.isStale || this.isScheduled(root))) return;
    this.#scheduled.add(root);
    this.#queue.add(root);
  }

  /** A root that is new in this process: when it may be updated, and where it is searched for. */
  prepare(root: ThreadRoot, { event, recorded, mayBeSent }: Opening): void {
    root.notBeforeTakeOver = this.formerProcessDoneAt;
    // If the chat has no search, only the journal says that a message may be there.
    const isKnown = recorded || root.client.search !== undefined;
    if (root.location === undefined && event !== undefined && isKnown)
      root.searchSpan = this.#spanOf(event, recorded, mayBeSent);
  }

  /** Resolves when no root waits for an update. Until then updates queue at once. */
  async idle(): Promise<void> {
    if (this.#scheduled.size === 0) return;
    this.#flushing = true;
    const done = new Promise<void>((resolve) => this.#idle.push(resolve));
    for (const root of this.#scheduled) this.#queue.add(root);
    await done;
  }

  /** Ends every timer and request. */
  close(): void {
    this.#abort.abort();
    for (const root of this.#scheduled) this.#queue.add(root);
  }

  /**
   * When another process may have posted the root; undefined: none has. No other process has sent a Start that happened while this one
   * served. A Start from before that no other process accepted was most likely not sent either.
   */
  #spanOf(
    { kind, timestamp }: LifecycleEvent,
    recorded: boolean,
    mayBeSent: boolean,
  ): SearchSpan | undefined {
    // In whole hours: after a restart all searches share one span.
    const since = Math.floor((this.clock.now() - DAY_MS) / HOUR_MS) * HOUR_MS;
    const by = 'former';
    if (recorded)
      return {
        since,
        after: Math.max(this.formerProcessDoneAt, this.clock.monotonic()),
        by,
        unlikely: false,
      };
    if (this.#began < since) return undefined;
    const unlikely = kind === 'Start';
    const isOurs = unlikely && !mayBeSent;
    // Times of plans are whole seconds.
    if (isOurs && Date.parse(timestamp) >= Math.floor(this.#began / 1000) * 1000) return undefined;
    return { since, after: isOurs ? this.#beganAt : this.formerProcessDoneAt, by, unlikely };
  }

  /** Makes one request for a root, if that may be made now. Then the root comes again, until it needs none. */
  async #update(root: ThreadRoot): Promise<void> {
    if (this.#isOver(root)) return;
    // The update waits for it. Tokens that wait meanwhile would all be used at once.
    if (root.hasUnsaved && this.#waitMs(root) <= 0) {
      await root.saveChanges('soon');
      if (this.#isOver(root)) return;
    }
    const afterMs = this.#waitMs(root);
    if (afterMs > 0) this.#queue.add(root, { afterMs });
    else if (await this.#take(root)) this.#queue.add(root);
  }

  /** Whether there is nothing to do. Then the root leaves in this turn, so that a change a moment later schedules it again. */
  #isOver(root: ThreadRoot): boolean {
    // A stop does not wait for a root that has failed many times.
    const isGivenUp = this.#flushing && root.failures > LIMITS.retries && this.#waitMs(root) > 0;
    if (!isGivenUp && root.isStale && !this.#abort.signal.aborted) return false;
    this.#leave(root);
    return true;
  }

  #leave(root: ThreadRoot): void {
    this.#scheduled.delete(root);
    if (this.#scheduled.size > 0) return;
    this.#flushing = false;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Whether the root queues for tokens. */
  #isDue({ hasEnded, shownAt }: ThreadRoot): boolean {
    return this.#flushing || hasEnded || this.clock.monotonic() - shownAt >= LONGEST_WAIT_MS;
  }

  /** The time until the root may be updated (milliseconds). */
  #waitMs(root: ThreadRoot): number {
    const { notBefore, notBeforeTakeOver, shownAt, state } = root;
    const from = this.#isDue(root) ? -Infinity : shownAt + state.gapMs;
    return Math.max(notBefore, notBeforeTakeOver, from) - this.clock.monotonic();
  }

  /** Takes tokens, and makes the request. False: the root comes again later, or nothing more is sent. */
  async #take(root: ThreadRoot): Promise<boolean> {
    const { location } = root;
    const rates = ratesOf(root);
    const isDue = this.#isDue(root);
    const asker = { owner: ownerOf(root), priority: 'update' } as const;
    const taking = isDue
      ? this.#rateLimits.take(rates, { ...asker, signal: this.#abort.signal })
      : takeFree(this.#rateLimits, rates, asker);
    if (await taking) {
      // The root may have changed during a long wait.
      const isSame = root.isStale && root.location === location && root.notBefore <= this.clock.monotonic();
      if (isSame) await this.#request(root, rates);
      else this.#rateLimits.giveBack(rates);
      return true;
    }
    if (isDue) this.#leave(root);
    else this.#queue.add(root, { afterMs: root.shownAt + LONGEST_WAIT_MS - this.clock.monotonic() });
    return false;
  }

  async #request(root: ThreadRoot, rates: readonly Rate[]): Promise<void> {
    const { slots } = this.#rateLimits;
    const { origin } = root.client;
    const begun = this.clock.monotonic();
    root.attempted = root.digest;
    let [isUsed, isHeld] = [false, false];
    const slot = async (): Promise<boolean> => {
      isHeld = (await slots?.acquire(origin, ownerOf(root))) === true;
      return (isUsed = true);
    };
    const outcome = await sendRequest(root, this.clock, { signal: this.#abort.signal, slot });
    if (isHeld) slots?.release(origin, ownerOf(root));
    if (!isUsed) this.#rateLimits.giveBack(rates);
    if (outcome !== undefined) this.#handleOutcome(root, outcome, begun);
  }

  #handleOutcome(root: ThreadRoot, outcome: Outcome, begun: number): void {
    const random = this.clock.random();
    const decision = decide(outcome, root.failures, random, LIMITS);
    if ('message' in outcome) root.trouble = { reason: outcome.reason, message: outcome.message };
    switch (decision.kind) {
      case 'delivered':
      case 'continue':
        return;
      case 'wait':
        root.notBefore = begun + decision.forMs;
        return;
      case 'pause':
        this.#pause(root, decision.forMs);
        return;
      case 'failed':
        this.#giveUp(root, decision.message);
        return;
      case 'retry':
        // An ambiguous update may still arrive, and overwrite the next one.
        this.#failed(root, begun, Math.max(decision.afterMs, outcome.kind === 'ambiguous' ? REQUEST_MS : 0));
        return;
      case 'over':
        // The user may correct a configuration, and no later event would show a terminal state, or one that deliveries wait for.
        if (decision.refused && (root.digest !== root.attempted || !isNeeded(root))) {
          this.#giveUp(root, decision.message);
          return;
        }
        if (root.failures <= LIMITS.retries) report(root, decision.message);
        root.failures = Math.max(root.failures, LIMITS.retries);
        this.#failed(root, begun, SLOW_MS * (1 + random / 2));
    }
  }

  /** Tries again after `ms`, if it has not failed for too long. */
  #failed(root: ThreadRoot, begun: number, ms: number): void {
    const now = this.clock.monotonic();
    if (root.failures === 0 || root.failingSince === undefined) root.failingSince = begun;
    if (now - root.failingSince > LONGEST_FAILURE_MS) {
      this.#giveUp(root, undefined);
      return;
    }
    root.failures++;
    root.notBefore = now + ms;
  }

  /** The chat limits the method or the channel: only requests of the same kind pause. */
  #pause(root: ThreadRoot, ms: number): void {
    root.notBefore = this.clock.monotonic() + ms;
    // The last bucket of an update is the method's.
    const paused = root.location === undefined ? root.client.rates : root.client.updateRates.slice(-1);
    for (const { key } of paused) this.#rateLimits.pause(key, ms);
  }

  /** Gives this state up; the next event tries again. */
  #giveUp(root: ThreadRoot, why: string | undefined): void {
    root.giveUp();
    if (why !== undefined) report(root, why);
  }
}

const ratesOf = ({ location, client, isCardStale }: ThreadRoot): readonly Rate[] =>
  location === undefined || !isCardStale ? client.rates : client.updateRates;

const isNeeded = ({ state, hasEnded }: ThreadRoot): boolean => hasEnded || state.isAwaited === true;

const report = (root: ThreadRoot, why: string): void => {
  root.deps.degraded({ reason: 'RootNotUpdated', message: why });
};

const ownerOf = ({ state }: ThreadRoot): string => state.namespace;
