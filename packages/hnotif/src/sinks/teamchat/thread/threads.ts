import type { Clock } from '../../../clock.ts';
import type { LifecycleEvent } from '../../../lifecycle/event.ts';
import type { RateLimits } from '../../rate.ts';
import type { MemoryKey, SinkMemory } from '../../memory.ts';
import type { Progress } from '../../sink.ts';
import { Boards, type Opening } from '../board/boards.ts';
import { type ThrottledTime, History, PAGE, type SearchSpan } from './history.ts';
import { REQUEST_MS } from './post-root.ts';
import { partsOfRootKey } from './root.ts';
import type { DuplicateRisk } from './search.ts';
import { staleRoot, type RootStore } from './root-store.ts';
import { RunState } from './run-state.ts';
import type { RootDeps } from './root-state.ts';
import { ThreadRoot } from './thread-root.ts';
import { RootUpdater } from './root-updater.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A root that was not used for this time is evicted, whatever its status. */
const WEEK_MS = 7 * DAY_MS;
/** The most roots in memory. Ended ones are evicted first, in the order of their last use. */
const MOST_ROOTS = 20_000;
/** Between two searches for roots to evict (milliseconds). */
const SWEEP_MS = 10 * 60_000;

export interface ThreadsOptions {
  /** Its wall clock must not be wrong by a minute: messages are searched for by their time. That of this machine may be. */
  readonly clock: Clock;
  readonly rateLimits: RateLimits;
  /** Default: nothing is stored. After a restart, roots are searched for in the channel's history. */
  readonly store?: RootStore;
  /** Of the rows of boards. Default: nothing is stored. */
  readonly memory?: SinkMemory;
  /**
   * How long requests of a former process may still have an effect after this one began to serve (milliseconds). Default: the time
   * limit of a request.
   */
  readonly lateMs?: number | undefined;
}

/** What a sink knows of a delivery besides its progress. */
export interface DeliveryState extends ThrottledTime {
  /** Whether it was reported that the message or its root may be there twice. */
  riskReported: boolean;
  /** Whether the event has its reply on a board. */
  replied: boolean;
  /** Whether its thread was gone once. */
  moved: boolean;
  /** Consecutive failed searches. */
  failedSearches: number;
  /** Why a message that is posted now may be there twice. */
  duplicateRisk: DuplicateRisk | undefined;
  /** When its last ambiguous request can have no more effect (monotonic milliseconds). */
  settledAt: number;
  /** The state of the search: the next page, messages per page, pages read. */
  cursor: string;
  limit: number;
  pages: number;
}

export const NEW_SEARCH = { cursor: '', limit: PAGE, pages: 0, throttledMs: 0 };

/**
 * The threads of all teamchat sinks of the process. Create it when the process begins to serve: another process may have sent what
 * happened before.
 */
export class Threads {
  /** Of all requests and searches. */
  readonly clock: Clock;
  readonly #store: RootStore | undefined;
  readonly #updater: RootUpdater;
  /** The messages of nights, for the sinks with boards. */
  readonly boards: Boards;
  /** When this process began to serve, by both clocks. */
  readonly #began: number;
  readonly #beganAt: number;
  /** When requests of a former process can have no more effect (monotonic milliseconds). */
  readonly #formerProcessDoneAt: number;
  /** In the order of their last use. */
  readonly #roots = new Map<string, { readonly root: ThreadRoot; readonly usedAt: number }>();
  readonly #histories = new Map<string, { readonly history: History; usedAt: number }>();
  readonly #deliveries = new WeakMap<Progress, DeliveryState>();
  #sweptAt: number;

  constructor(options: ThreadsOptions) {
    this.clock = options.clock;
    this.#store = options.store;
    this.#updater = new RootUpdater(options);
    this.boards = new Boards({
      ...{ clock: options.clock, memory: options.memory },
      schedule: (root) => {
        this.schedule(root);
      },
      prepare: (root, opening) => {
        this.#prepare(root, opening);
      },
    });
    this.#began = options.clock.now();
    this.#sweptAt = this.#beganAt = options.clock.monotonic();
    this.#formerProcessDoneAt = this.#beganAt + (options.lateMs ?? REQUEST_MS);
  }

  /** Roots in memory. */
  get size(): number {
    return this.#roots.size;
  }

  /**
   * The root of an event that is being delivered, with the event applied. `mayBeSent`: a former process accepted the event and may
   * have sent it.
   */
  open(key: string, event: LifecycleEvent, context: RootDeps, mayBeSent: boolean): ThreadRoot {
    const known = this.#roots.get(key)?.root;
    if (known === undefined) this.#evict();
    const root = known ?? this.#make(key, event, context, mayBeSent);
    root.apply(event);
    root.deps = context;
    this.#roots.delete(key);
    this.#roots.set(key, { root, usedAt: this.clock.monotonic() });
    return root;
  }

  /** The history of a channel, as read with one credential. `key` must not show the credential. */
  history(key: string, channel: string): History {
    const usedAt = this.clock.monotonic();
    const known = this.#histories.get(key) ?? { history: new History(this.clock, channel), usedAt };
    known.usedAt = usedAt;
    this.#histories.set(key, known);
    return known.history;
  }

  delivery(progress: Progress): DeliveryState {
    let state = this.#deliveries.get(progress);
    if (state === undefined) {
      state = {
        ...{
          riskReported: false,
          replied: false,
          moved: false,
          failedSearches: 0,
          duplicateRisk: undefined,
          settledAt: -Infinity,
        },
        ...NEW_SEARCH,
      };
      this.#deliveries.set(progress, state);
    }
    return state;
  }

  /** Updates the root if it is stale. */
  schedule(root: ThreadRoot): void {
    this.#updater.schedule(root);
  }

  /** A sink saved this value in an earlier process. The result: the key of its message, if it may be stale. */
  found(at: MemoryKey, value: unknown): string | undefined {
    return this.boards.found(at, value) ?? staleRoot(at, value);
  }

  /** Updates a root that an earlier process left stale in this channel. */
  repair(key: string, channel: string, context: RootDeps): void {
    const record = this.#store?.load(partsOfRootKey(key));
    if (record?.location?.asked !== channel) return;
    const { shown } = record.desired;
    if (this.clock.now() - Date.parse(shown.timestamp) < DAY_MS)
      this.schedule(this.open(key, shown, context, true));
  }

  /** Resolves when no root waits for an update. */
  idle(): Promise<void> {
    return this.#updater.idle();
  }

  /** Ends every timer and request. */
  close(): void {
    this.boards.close();
    this.#updater.close();
  }

  #make(key: string, event: LifecycleEvent, context: RootDeps, mayBeSent: boolean): ThreadRoot {
    const at = partsOfRootKey(key);
    const record = this.#store?.load(at);
    const root = new ThreadRoot(key, new RunState(at, event, record, this.#store), context, record);
    this.#prepare(root, { event, recorded: record !== undefined, mayBeSent });
    return root;
  }

  /** A root that is new in this process: when it may be updated, and where it is searched for. */
  #prepare(root: ThreadRoot, { event, recorded, mayBeSent }: Opening): void {
    root.notBeforeTakeOver = this.#formerProcessDoneAt;
    if (root.location === undefined && event !== undefined)
      root.searchSpan = this.#spanOf(event, recorded, mayBeSent);
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
        after: Math.max(this.#formerProcessDoneAt, this.clock.monotonic()),
        by,
        unlikely: false,
      };
    if (this.#began < since) return undefined;
    const unlikely = kind === 'Start';
    const isOurs = unlikely && !mayBeSent;
    // Times of plans are whole seconds.
    if (isOurs && Date.parse(timestamp) >= Math.floor(this.#began / 1000) * 1000) return undefined;
    return { since, after: isOurs ? this.#beganAt : this.#formerProcessDoneAt, by, unlikely };
  }

  /** Evicts roots that ended a day ago or were not used for a week, unused histories, and one more root if there are too many. */
  #evict(): void {
    const now = this.clock.monotonic();
    if (now - this.#sweptAt >= SWEEP_MS) {
      this.#sweptAt = now;
      for (const [key, { root, usedAt }] of this.#roots)
        if (now - usedAt > WEEK_MS || (now - usedAt > DAY_MS && this.#isEvictable(root)))
          this.#roots.delete(key);
      for (const [key, { usedAt }] of this.#histories) if (now - usedAt > DAY_MS) this.#histories.delete(key);
    }
    if (this.#roots.size >= MOST_ROOTS) this.#roots.delete(this.#nextToEvict());
  }

  /** The ended root that was used longest ago; if none has ended, the root that was used longest ago. */
  #nextToEvict(): string {
    let oldest: string | undefined;
    for (const [key, { root }] of this.#roots) {
      if (this.#isEvictable(root)) return key;
      oldest ??= key;
    }
    return oldest ?? '';
  }

  #isEvictable(root: ThreadRoot): boolean {
    return root.hasEnded && !this.#updater.has(root);
  }
}
