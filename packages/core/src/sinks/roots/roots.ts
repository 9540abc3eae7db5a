import type { Clock } from '../../clock.ts';
import type { LifecycleEvent } from '../../lifecycle/event.ts';
import type { RateLimits } from '../rate.ts';
import { REQUEST_MS } from './post-root.ts';
import type { SearchSpan } from './root-client.ts';
import { type RootSlots, RootUpdater } from './root-updater.ts';
import type { ThreadRoot } from './thread-root.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface RootsOptions {
  /** Its wall clock must not be wrong by a minute: messages are searched for by their time. That of this machine may be. */
  readonly clock: Clock;
  readonly rateLimits: RateLimits;
  /** Of updates, as of deliveries. Default: no limit. */
  readonly slots?: RootSlots;
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
 */
export class Roots {
  /** Of all requests and searches. */
  readonly clock: Clock;
  /** When requests of a former process can have no more effect (monotonic milliseconds). */
  readonly formerProcessDoneAt: number;
  readonly #updater: RootUpdater;
  /** When this process began to serve, by both clocks. */
  readonly #began: number;
  readonly #beganAt: number;

  constructor(options: RootsOptions) {
    this.clock = options.clock;
    this.#updater = new RootUpdater(options);
    this.#began = options.clock.now();
    this.#beganAt = options.clock.monotonic();
    this.formerProcessDoneAt = this.#beganAt + (options.lateMs ?? REQUEST_MS);
  }

  /** Updates the root if it is stale. */
  schedule(root: ThreadRoot): void {
    this.#updater.schedule(root);
  }

  isScheduled(root: ThreadRoot): boolean {
    return this.#updater.has(root);
  }

  /** A root that is new in this process: when it may be updated, and where it is searched for. */
  prepare(root: ThreadRoot, { event, recorded, mayBeSent }: Opening): void {
    root.notBeforeTakeOver = this.formerProcessDoneAt;
    // If the chat has no search, only the journal says that a message may be there.
    const isKnown = recorded || root.client.search !== undefined;
    if (root.location === undefined && event !== undefined && isKnown)
      root.searchSpan = this.#spanOf(event, recorded, mayBeSent);
  }

  /** Resolves when no root waits for an update. */
  idle(): Promise<void> {
    return this.#updater.idle();
  }

  /** Ends every timer and request. */
  close(): void {
    this.#updater.close();
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
}
