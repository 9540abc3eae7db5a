import type { Clock } from '../../clock.ts';
import type { LifecycleEvent } from '../../lifecycle/event.ts';
import type { PlanView } from '../../resources/plan-view.ts';
import { sinkKey, type SinkAddress } from '../../resources/sink-address.ts';
import { postTime } from './gather.ts';
import { boardMemoryKey, type StoredRow } from './memory.ts';
import { endOf, type Night, type NightLimits } from './night.ts';
import { hasEnded, looksSame, rowAfter, type Row } from './row.ts';
import { viewOf, type BoardView } from './view.ts';
import type { SavePriority, SinkMemory } from '../memory.ts';
import { type FallbackLevels, mapLevels } from '../roots/levels.ts';
import type { Card } from '../roots/root-client.ts';
import type { Cards, Notice, RootPlace, RootState } from '../roots/root-state.ts';
import type { RootStatus } from '../roots/root-status.ts';
import type { ThreadRoot } from '../roots/thread-root.ts';

/** The least time between two updates (milliseconds). */
const GAP_MS = 3_000;

/** How a sink shows boards. */
export interface BoardOptions {
  readonly limits: NightLimits;
  readonly forms: FallbackLevels<(view: BoardView, plan: PlanView) => Card>;
  /** The reply at the end of a night. */
  readonly endNotice: (view: BoardView, plan: PlanView) => Card;
}

export interface BoardDeps {
  readonly clock: Clock;
  readonly memory: SinkMemory | undefined;
  /** Updates the root if it is stale. */
  readonly schedule: (root: ThreadRoot) => void;
  /** How many plans failed in the night before; undefined: not known. */
  readonly failedBefore: () => number | undefined;
}

/** One night of one sink, as its board shows it. */
export class BoardState implements RootState, Night {
  readonly gapMs = GAP_MS;
  readonly isAwaited = true;
  readonly address: SinkAddress;
  readonly operation: string;
  readonly openedAt: number;
  /** When a delivery was last for it (monotonic milliseconds). */
  usedAt = -Infinity;
  readonly rows = new Map<string, Row>();
  unended = 0;
  /** Both undefined: no delivery has come since the process began. */
  options: BoardOptions | undefined;
  root: ThreadRoot | undefined;
  readonly #deps: BoardDeps;
  /** When it was opened, and when the last plan joined it, in this process (monotonic milliseconds). */
  readonly #begunAt: number;
  #joinedAt: number;
  /** The revision in which the row of a plan has changed. */
  readonly #changedIn = new Map<string, number>();
  /** Plans whose rows are not saved. */
  readonly #unsaved = new Set<string>();
  #revision = 0;
  #place: RootPlace['location'];
  #isRestored = false;
  #isOver = false;
  #isAnnounced = false;
  #cancelTimer: (() => void) | undefined;
  /** When the timer ends (milliseconds since the epoch). */
  #waitsUntil = NaN;

  constructor(address: SinkAddress, night: Pick<Night, 'operation' | 'openedAt'>, deps: BoardDeps) {
    this.address = address;
    this.operation = night.operation;
    this.openedAt = night.openedAt;
    this.#deps = deps;
    this.#begunAt = this.#joinedAt = deps.clock.monotonic();
  }

  /** Not posted before (monotonic milliseconds). */
  get gathersUntil(): number {
    return postTime(this.#begunAt, this.#joinedAt);
  }

  get key(): string {
    return JSON.stringify([sinkKey(this.address), 'board', this.operation, this.openedAt]);
  }

  get name(): string {
    return `the board of ${this.operation} in ${this.namespace}`;
  }

  get namespace(): string {
    return this.address.namespace;
  }

  get digest(): string {
    return String(this.#revision);
  }

  get status(): RootStatus {
    if (!this.#isOver) return 'In Progress';
    return [...this.rows.values()].every(({ state }) => state === 'done') ? 'Completed' : 'Failed';
  }

  /** Whether an earlier process has opened it. It may have posted it, too. */
  get isRestored(): boolean {
    return this.#isRestored;
  }

  /** Where an earlier process has posted it. */
  get storedPlace(): RootPlace['location'] {
    return this.#place;
  }

  /** Whether the card of this digest has all events of a plan. */
  isShown(planUid: string, digest: string): boolean {
    return digest !== '' && Number(digest) >= (this.#changedIn.get(planUid) ?? 0);
  }

  cards(plan: PlanView): Cards {
    const view = this.#view();
    return mapLevels(this.options?.forms ?? [nothingToShow], (form) => () => form(view, plan));
  }

  apply(event: LifecycleEvent): boolean {
    const before = this.rows.get(event.planUid);
    const after = rowAfter(before, event);
    if (after === before) return false;
    if (before === undefined) this.#joinedAt = this.#deps.clock.monotonic();
    this.#set(event.planUid, after);
    this.#unsaved.add(event.planUid);
    this.wait();
    return true;
  }

  /** A row that an earlier process saved. */
  restore(planUid: string, { row, place, announced }: StoredRow): void {
    const known = this.rows.get(planUid);
    if (known === undefined || known.seq < row.seq) this.#set(planUid, row);
    this.#isRestored = true;
    this.#place ??= place;
    this.#isAnnounced ||= announced;
  }

  /** The status in the chat says less than the rows. */
  found(): boolean {
    return false;
  }

  /** Each plan's entry has its own row. All entries of the board say where its message is. */
  save({ location }: RootPlace, priority: SavePriority): void | Promise<void> {
    const isMoved = location?.ts !== this.#place?.ts;
    this.#place = location;
    if (isMoved) for (const uid of this.rows.keys()) this.#unsaved.add(uid);
    const uids = [...this.#unsaved];
    this.#unsaved.clear();
    const saves = uids.map((uid) => this.#saveRow(uid, priority));
    const waits = saves.filter((each) => each instanceof Promise);
    return waits.length === 0 ? undefined : Promise.all(waits).then(() => undefined);
  }

  #saveRow(planUid: string, priority: SavePriority): void | Promise<void> {
    const row = this.rows.get(planUid);
    if (row === undefined) return undefined;
    const { address, operation, openedAt } = this;
    const board = { operation, openedAt, place: this.#place, announced: this.#isAnnounced };
    const stored: StoredRow = { ...board, row };
    return this.#deps.memory?.save({ address, planUid, key: boardMemoryKey(this) }, stored, priority);
  }

  /** Waits for the end of the night. */
  wait(): void {
    const { clock, schedule } = this.#deps;
    if (this.#isOver || this.options === undefined) return;
    const until = endOf(this, this.options.limits);
    // Most events change nothing about it.
    if (until === this.#waitsUntil) return;
    this.#cancelTimer?.();
    const ms = until - clock.now();
    if (ms > 0) {
      this.#waitsUntil = until;
      this.#cancelTimer = clock.after(ms, () => {
        this.#waitsUntil = NaN;
        this.wait();
      });
      return;
    }
    this.#isOver = true;
    this.#revision++;
    if (this.root !== undefined) schedule(this.root);
  }

  /** Ends its timer. */
  close(): void {
    this.#cancelTimer?.();
  }

  /** The end of the night, for everybody in the channel. A night of one plan without a failure makes no noise. */
  notice(plan: PlanView): Notice | undefined {
    if (!this.#isOver || this.#isAnnounced || this.options === undefined) return undefined;
    if (this.rows.size <= 1 && this.status === 'Completed') return undefined;
    return {
      message: this.options.endNotice(this.#view(), plan),
      posted: () => {
        this.#isAnnounced = true;
        // One entry is enough: they are put together.
        const [uid] = this.rows.keys();
        if (uid !== undefined) void this.#saveRow(uid, 'later');
      },
    };
  }

  #set(planUid: string, row: Row): void {
    const before = this.rows.get(planUid);
    if (before !== undefined && !hasEnded(before)) this.unended--;
    if (!hasEnded(row)) this.unended++;
    this.rows.set(planUid, row);
    if (before === undefined || !looksSame(before, row)) this.#changedIn.set(planUid, ++this.#revision);
  }

  #view(): BoardView {
    const { namespace } = this;
    return viewOf(this, { namespace, isOver: this.#isOver, failedBefore: this.#deps.failedBefore() });
  }
}

const nothingToShow = (): never => {
  throw new Error('a board is shown before its sink is known');
};
