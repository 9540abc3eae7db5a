import type { LifecycleEvent } from '../../lifecycle/event.ts';
import { sinkKey, type SinkAddress } from '../../resources/sink-address.ts';
import { storedRow } from './memory.ts';
import { nightOf } from './night.ts';
import { failuresOf } from './view.ts';
import type { MemoryKey, SinkMemory } from '../memory.ts';
import type { RootDeps } from '../roots/root-state.ts';
import type { Roots } from '../roots/roots.ts';
import { ThreadRoot } from '../roots/thread-root.ts';
import { BoardState, type BoardOptions } from './board-state.ts';

const DAY_MS = 24 * 3_600_000;
/** A night that began longer ago is forgotten (milliseconds). The one before is needed to compare. */
const KEPT_MS = 8 * DAY_MS;
/** Nights of one operation of a sink in memory: the newest ones. The last one may go on for a day; those before are for comparison. */
const MOST_NIGHTS = 3;
/** Nights of one sink in memory, whatever operations its plans name. */
const MOST_OF_ALL = 12;
/**
 * A night that a delivery has used within this time (milliseconds) is kept besides. After an outage deliveries of many nights wait at once:
 * if they forgot each other's nights, none would be posted.
 */
const IN_USE_MS = 10 * 60_000;

/** The boards of all sinks of the process. */
export class Boards {
  readonly #roots: Roots;
  readonly #memory: SinkMemory | undefined;
  /** By sink, the newest first. */
  readonly #boards = new Map<string, BoardState[]>();

  /** `memory`: of the rows. Undefined: nothing is stored. */
  constructor(roots: Roots, memory: SinkMemory | undefined) {
    this.#roots = roots;
    this.#memory = memory;
  }

  /** A sink saved this value in an earlier process. The result: the key of the board, if it may not show its end yet. */
  found({ address, planUid, key }: MemoryKey, value: unknown): string | undefined {
    const stored = storedRow(key, value);
    const now = this.#roots.clock.now();
    if (stored === undefined || now - stored.openedAt > KEPT_MS) return undefined;
    const { operation, openedAt } = stored;
    const isThis = (state: BoardState): boolean =>
      state.operation === operation && state.openedAt === openedAt;
    const state = this.#of(address).find(isThis) ?? this.#open(address, operation, openedAt);
    state.restore(planUid, stored);
    // A delivery may have come before the entry that knows the message.
    if (stored.place !== undefined) state.root?.located(stored.place);
    return stored.announced || now - stored.row.until > DAY_MS ? undefined : state.key;
  }

  /** The board of an event that is being delivered, with the event applied. */
  open(
    address: SinkAddress,
    event: LifecycleEvent,
    options: BoardOptions,
    context: RootDeps,
    mayBeSent: boolean,
  ): { readonly state: BoardState; readonly root: ThreadRoot } {
    const state =
      nightOf(this.#of(address), event, options.limits) ??
      this.#open(address, event.operation, Date.parse(event.timestamp));
    const isConfigured = state.options !== options;
    state.options = options;
    state.usedAt = this.#roots.clock.monotonic();
    const root = this.#rootOf(state, context, event, mayBeSent);
    root.apply(event);
    // After a restart the event may change nothing.
    if (isConfigured) state.wait();
    return { state, root };
  }

  /** Updates a board that an earlier process left. */
  repair(key: string, address: SinkAddress, options: BoardOptions, context: RootDeps): void {
    const state = this.#of(address).find((each) => each.key === key);
    if (state?.storedPlace?.asked !== context.client.channel) return;
    state.options = options;
    this.#roots.schedule(this.#rootOf(state, context, undefined, true));
    state.wait();
  }

  /** Ends every timer. */
  close(): void {
    for (const boards of this.#boards.values()) for (const state of boards) state.close();
  }

  /** Forgets sinks without a night for long. They may be deleted. */
  #evict(used: readonly BoardState[]): void {
    const now = this.#roots.clock.now();
    for (const [key, boards] of this.#boards) {
      if (boards === used || boards.some(({ openedAt }) => now - openedAt <= KEPT_MS)) continue;
      for (const state of boards) state.close();
      this.#boards.delete(key);
    }
  }

  #of(address: SinkAddress): BoardState[] {
    const key = sinkKey(address);
    const boards = this.#boards.get(key) ?? [];
    this.#boards.set(key, boards);
    return boards;
  }

  #open(address: SinkAddress, operation: string, openedAt: number): BoardState {
    const boards = this.#of(address);
    const state: BoardState = new BoardState(
      address,
      { operation, openedAt },
      {
        clock: this.#roots.clock,
        memory: this.#memory,
        schedule: (root) => {
          this.#roots.schedule(root);
        },
        failedBefore: () => {
          const before = boards.find((each) => isBefore(each, state));
          return before && failuresOf(before);
        },
      },
    );
    boards.push(state);
    boards.sort((a, b) => b.openedAt - a.openedAt);
    // The event may be older than all of them.
    const others = boards.filter((each) => each !== state);
    const same = others.filter((each) => each.operation === operation);
    const unusedSince = this.#roots.clock.monotonic() - IN_USE_MS;
    for (const old of new Set([...same.slice(MOST_NIGHTS - 1), ...others.slice(MOST_OF_ALL - 1)])) {
      if (old.usedAt > unusedSince) continue;
      old.close();
      boards.splice(boards.indexOf(old), 1);
    }
    this.#evict(boards);
    return state;
  }

  #rootOf(
    state: BoardState,
    context: RootDeps,
    event: LifecycleEvent | undefined,
    mayBeSent: boolean,
  ): ThreadRoot {
    if (state.root !== undefined) {
      state.root.deps = context;
      return state.root;
    }
    const location = state.storedPlace;
    state.root = new ThreadRoot(state.key, state, context, location && { sent: '', location });
    this.#roots.prepare(state.root, { event, mayBeSent, recorded: state.isRestored });
    return state.root;
  }
}

const isBefore = (one: BoardState, other: BoardState): boolean =>
  one.operation === other.operation && one.openedAt < other.openedAt;
