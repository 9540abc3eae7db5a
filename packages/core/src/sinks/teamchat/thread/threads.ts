import type { Clock } from '../../../clock.ts';
import { overflowOf } from '../../../fair/excess.ts';
import type { LifecycleEvent } from '../../../lifecycle/event.ts';
import { Boards } from '../../board/boards.ts';
import type { MemoryKey, SinkMemory } from '../../memory.ts';
import { Roots, type RootsOptions } from '../../roots/roots.ts';
import type { Searched } from '../../roots/search.ts';
import { ThreadRoot } from '../../roots/thread-root.ts';
import type { Progress } from '../../sink.ts';
import { type ThrottledTime, History, PAGE } from './history.ts';
import { partsOfRootKey } from './root.ts';
import { recordIn, staleRoot } from './root-store.ts';
import { type RunDeps, RunState } from './run-state.ts';

const DAY_MS = 24 * 3_600_000;
/** A root that was not used for this time is evicted, whatever its status. */
const WEEK_MS = 7 * DAY_MS;
/** The most roots in memory. The namespaces with the most of them lose theirs: ended ones first, in the order of their last use. */
const MOST_ROOTS = 20_000;
/** Between two searches for roots to evict (milliseconds). */
const SWEEP_MS = 10 * 60_000;

export interface ThreadsOptions extends RootsOptions {
  /** Default: nothing is stored. After a restart, roots are searched for in the channel's history. */
  readonly memory?: SinkMemory;
}

interface Run {
  readonly root: ThreadRoot;
  readonly state: RunState;
  readonly usedAt: number;
}

/** What a sink knows of a delivery besides its progress. */
export interface DeliveryState extends ThrottledTime, Searched {
  /** Whether it was reported that the message or its root may be there twice. */
  riskReported: boolean;
  /** Whether its thread was gone once. */
  moved: boolean;
  /** When its last ambiguous request can have no more effect (monotonic milliseconds). */
  settledAt: number;
  /** The state of the search: the next page, messages per page, pages read. */
  cursor: string;
  limit: number;
  pages: number;
}

export const NEW_SEARCH = { cursor: '', limit: PAGE, pages: 0, throttledMs: 0 };

/** The threads of all teamchat sinks of the process, and the boards of all sinks. */
export class Threads {
  /** Of all requests and searches. */
  readonly clock: Clock;
  readonly roots: Roots;
  readonly #memory: SinkMemory | undefined;
  /** The messages of nights, for the sinks with boards. */
  readonly boards: Boards;
  /** In the order of their last use. */
  readonly #runs = new Map<string, Run>();
  readonly #histories = new Map<string, { readonly history: History; usedAt: number }>();
  readonly #deliveries = new WeakMap<Progress, DeliveryState>();
  #sweptAt: number;

  constructor(options: ThreadsOptions) {
    const { clock, memory } = options;
    this.clock = clock;
    this.#memory = memory;
    this.roots = new Roots(options);
    this.boards = new Boards(this.roots, memory);
    this.#sweptAt = clock.monotonic();
  }

  /** Roots in memory. */
  get size(): number {
    return this.#runs.size;
  }

  /**
   * The root of an event that is being delivered, with the event applied. `mayBeSent`: a former process accepted the event and may
   * have sent it.
   */
  open(key: string, event: LifecycleEvent, context: RunDeps, mayBeSent: boolean): ThreadRoot {
    const known = this.#runs.get(key);
    if (known === undefined) this.#evict();
    const { root, state } = known ?? this.#make(key, event, context, mayBeSent);
    root.apply(event);
    root.deps = context;
    state.forms = context.cards;
    this.#runs.delete(key);
    this.#runs.set(key, { root, state, usedAt: this.clock.monotonic() });
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
          moved: false,
          failedSearches: 0,
          duplicateRisk: undefined,
          // A former process may have a request in flight.
          settledAt: progress.unclearSince === undefined ? -Infinity : this.roots.formerProcessDoneAt,
        },
        ...NEW_SEARCH,
      };
      this.#deliveries.set(progress, state);
    }
    return state;
  }

  /** A sink saved this value in an earlier process. The result: the key of its message, if it may be stale. */
  found(at: MemoryKey, value: unknown): string | undefined {
    return this.boards.found(at, value) ?? staleRoot(at, value);
  }

  /** Updates a root that an earlier process left stale in this channel. */
  repair(key: string, channel: string, context: RunDeps): void {
    const record = recordIn(this.#memory, partsOfRootKey(key));
    if (record?.location?.asked !== channel) return;
    const { shown } = record.desired;
    if (this.clock.now() - Date.parse(shown.timestamp) < DAY_MS)
      this.roots.schedule(this.open(key, shown, context, true));
  }

  /** Ends every timer and request. */
  close(): void {
    this.boards.close();
    this.roots.close();
  }

  #make(key: string, event: LifecycleEvent, context: RunDeps, mayBeSent: boolean): Omit<Run, 'usedAt'> {
    const at = partsOfRootKey(key);
    const record = recordIn(this.#memory, at);
    const state = new RunState(at, event, record, this.#memory, context.cards);
    const root = new ThreadRoot(key, state, context, record);
    this.roots.prepare(root, { event, recorded: record !== undefined, mayBeSent });
    return { root, state };
  }

  /** Evicts roots that ended a day ago or were not used for a week, unused histories, and more roots if there are too many. */
  #evict(): void {
    const now = this.clock.monotonic();
    if (now - this.#sweptAt >= SWEEP_MS) {
      this.#sweptAt = now;
      for (const [key, { root, usedAt }] of this.#runs)
        if (now - usedAt > WEEK_MS || (now - usedAt > DAY_MS && this.#isEvictable(root)))
          this.#runs.delete(key);
      for (const [key, { usedAt }] of this.#histories) if (now - usedAt > DAY_MS) this.#histories.delete(key);
    }
    if (this.#runs.size < MOST_ROOTS) return;
    const runs = [...this.#runs];
    const isEvictable = ([, { root }]: (typeof runs)[number]): boolean => this.#isEvictable(root);
    const endedFirst = new Map([...runs.filter(isEvictable), ...runs]);
    for (const [key] of overflowOf(endedFirst, MOST_ROOTS - 1, ({ state }) => state.namespace))
      this.#runs.delete(key);
  }

  #isEvictable(root: ThreadRoot): boolean {
    return root.hasEnded && !this.roots.isScheduled(root);
  }
}
