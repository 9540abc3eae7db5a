import type { Clock } from '../../../clock.ts';
import type { LifecycleEvent } from '../../../lifecycle/event.ts';
import type { RateLimits } from '../../rate.ts';
import type { Progress } from '../../sink.ts';
import { type Delay, History, PAGE, type SearchSpan } from './history.ts';
import { REQUEST_MS } from './post-root.ts';
import { isTerminal } from './root.ts';
import type { Doubt } from './search.ts';
import type { RootStore } from './root-store.ts';
import { ThreadRoot, type RootContext } from './thread-root.ts';
import { RootUpdater } from './root-updater.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A root that was not used for so long is forgotten, whatever it shows. */
const WEEK_MS = 7 * DAY_MS;
/** Roots at most; of those that have ended the one that was used longest ago goes first. */
const MOST_ROOTS = 20_000;
/** How often it is looked for what may go (milliseconds). */
const SWEEP_MS = 10 * 60_000;

export interface ThreadsOptions {
  readonly clock: Clock;
  readonly permits: RateLimits;
  /** Default: what is known ends with the process and is looked for in the channel's history. */
  readonly store?: RootStore;
  /**
   * A request of a former process has ended so long after this one began to serve (milliseconds): a receiver may do late what it was
   * asked. Default: the time of a request.
   */
  readonly lateMs?: number | undefined;
}

/** What a sink remembers of a delivery besides its progress. */
export interface DeliveryState extends Delay {
  /** Whether it told that it, or its root, may be there twice. */
  doubted: boolean;
  /** Whether its thread was gone once. */
  moved: boolean;
  /** Looks for it in a row that failed. */
  failedSearches: number;
  /** Why it may be there twice, if it is posted now. */
  doubt: Doubt | undefined;
  /** By then its last request of unclear end has done what it does (monotonic milliseconds). */
  clearAt: number;
  /** Where the look for it goes on, by so many messages a page, and how many pages it took. */
  cursor: string;
  limit: number;
  pages: number;
}

/** A look that has not begun. */
export const UNREAD = { cursor: '', limit: PAGE, pages: 0, putOffMs: 0 };

/**
 * The threads of all teamchat sinks of the process: which root each has, and what is still to be shown in it. Make it when
 * the process begins to serve: what happened before may have been told by another one.
 */
export class Threads {
  readonly #clock: Clock;
  readonly #store: RootStore | undefined;
  readonly #updater: RootUpdater;
  /** When it was made, by both clocks. */
  readonly #began: number;
  readonly #beganAt: number;
  /** By then every request of a former process has ended (monotonic milliseconds). */
  readonly #quietAt: number;
  /** The one that was used last stands last. */
  readonly #roots = new Map<string, { readonly root: ThreadRoot; readonly usedAt: number }>();
  readonly #histories = new Map<string, { readonly history: History; usedAt: number }>();
  readonly #deliveries = new WeakMap<Progress, DeliveryState>();
  #sweptAt: number;

  constructor(options: ThreadsOptions) {
    this.#clock = options.clock;
    this.#store = options.store;
    this.#updater = new RootUpdater(options);
    this.#began = options.clock.now();
    this.#sweptAt = this.#beganAt = options.clock.monotonic();
    this.#quietAt = this.#beganAt + (options.lateMs ?? REQUEST_MS);
  }

  /** How many roots are kept. */
  get size(): number {
    return this.#roots.size;
  }

  /**
   * The root of an event that is being delivered, with the event folded into it. `mayBeSent`: a former process accepted the event, and
   * may have sent it.
   */
  open(key: string, event: LifecycleEvent, context: RootContext, mayBeSent: boolean): ThreadRoot {
    const known = this.#roots.get(key)?.root;
    if (known === undefined) this.#makeRoom();
    const root = known ?? this.#make(key, event, context, mayBeSent);
    root.apply(event);
    root.context = context;
    this.#roots.delete(key);
    this.#roots.set(key, { root, usedAt: this.#clock.monotonic() });
    return root;
  }

  /** The history of a channel as one credential reads it. `key` tells nothing of the credential. */
  history(key: string, channel: string): History {
    const usedAt = this.#clock.monotonic();
    const known = this.#histories.get(key) ?? { history: new History(this.#clock, channel), usedAt };
    known.usedAt = usedAt;
    this.#histories.set(key, known);
    return known.history;
  }

  delivery(progress: Progress): DeliveryState {
    let state = this.#deliveries.get(progress);
    if (state === undefined) {
      state = {
        ...{ doubted: false, moved: false, failedSearches: 0, doubt: undefined, clearAt: -Infinity },
        ...UNREAD,
      };
      this.#deliveries.set(progress, state);
    }
    return state;
  }

  /** A root may have something new to show. */
  schedule(root: ThreadRoot): void {
    this.#updater.schedule(root);
  }

  /** Brings a root up to date that an earlier process left behind in a channel; one that stands elsewhere stays as it is. */
  repair(key: string, channel: string, context: RootContext): void {
    const record = this.#store?.load(key);
    if (record?.location?.asked !== channel) return;
    const { shown } = record.desired;
    if (this.#clock.now() - Date.parse(shown.timestamp) < DAY_MS)
      this.schedule(this.open(key, shown, context, true));
  }

  /** Resolves when no root waits for an update any more. */
  idle(): Promise<void> {
    return this.#updater.idle();
  }

  /** Ends every timer and request. */
  close(): void {
    this.#updater.close();
  }

  #make(key: string, event: LifecycleEvent, context: RootContext, mayBeSent: boolean): ThreadRoot {
    const record = this.#store?.load(key);
    const root = new ThreadRoot(key, event, context, record, this.#store);
    root.quietAt = this.#quietAt;
    if (root.location === undefined) root.searchSpan = this.#spanOf(event, record !== undefined, mayBeSent);
    return root;
  }

  /**
   * When a root may have been posted of which this process knows nothing; undefined: it was not. A Start that happened while
   * this process served was never told by another. One that happened before, and that no other process has accepted, most likely was not.
   */
  #spanOf(
    { kind, timestamp }: LifecycleEvent,
    recorded: boolean,
    mayBeSent: boolean,
  ): SearchSpan | undefined {
    // In whole hours: all who look after a restart look for the same.
    const since = Math.floor((this.#clock.now() - DAY_MS) / HOUR_MS) * HOUR_MS;
    const by = 'former';
    if (recorded)
      return { since, after: Math.max(this.#quietAt, this.#clock.monotonic()), by, unlikely: false };
    if (this.#began < since) return undefined;
    const unlikely = kind === 'Start';
    const isOurs = unlikely && !mayBeSent;
    // Plans tell their times in whole seconds.
    if (isOurs && Date.parse(timestamp) >= Math.floor(this.#began / 1000) * 1000) return undefined;
    return { since, after: isOurs ? this.#beganAt : this.#quietAt, by, unlikely };
  }

  /** Forgets roots that ended a day ago or were not used for a week and histories that nobody reads, and more roots where there are too many. */
  #makeRoom(): void {
    const now = this.#clock.monotonic();
    if (now - this.#sweptAt >= SWEEP_MS) {
      this.#sweptAt = now;
      for (const [key, { root, usedAt }] of this.#roots)
        if (now - usedAt > WEEK_MS || (now - usedAt > DAY_MS && this.#mayGo(root))) this.#roots.delete(key);
      for (const [key, { usedAt }] of this.#histories) if (now - usedAt > DAY_MS) this.#histories.delete(key);
    }
    if (this.#roots.size >= MOST_ROOTS) this.#roots.delete(this.#victim());
  }

  /** Of those that have ended the one that was used longest ago; the oldest of all where none has. */
  #victim(): string {
    let oldest: string | undefined;
    for (const [key, { root }] of this.#roots) {
      if (this.#mayGo(root)) return key;
      oldest ??= key;
    }
    return oldest ?? '';
  }

  #mayGo(root: ThreadRoot): boolean {
    return isTerminal(root.desired.status) && !this.#updater.has(root);
  }
}
