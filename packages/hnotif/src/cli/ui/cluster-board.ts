import {
  type Leader,
  rowChange,
  snapshotOf,
  type Board,
  type Change,
  type Head,
  ROWS_AT_ONCE,
  type Row,
  type RowChange,
  type MessageItem,
} from '@hnotif/core/page';
import type { Clock } from '@hnotif/core/clock';
import { inSlices } from '../../slices.ts';
import { keyOf, type Plan } from '@hnotif/core/resources';
import { streamKey } from '../../dispatch/log-entry.ts';
import { deliveriesOf } from '../../explain/deliveries.ts';
import type { ClusterView, ViewListener } from './cluster-view.ts';
import type { Feed } from './feed.ts';
import { hasOpenDots, seeDeliveries, seePlan, type SeenPlan, type SinkStates } from './plan-row.ts';

/** Changes are collected for this time before they are sent (milliseconds). */
const COLLECT_MS = 150;

/** A row that is new or has changed. */
interface Made {
  readonly change: RowChange;
  readonly row: Row;
}

/** Where the rows come from. */
type BoardView = Pick<ClusterView, 'plan' | 'notificationsIn' | 'factsOf'>;

/** Makes rows of what the cluster shows, and sends what has changed to the feed. */
export class ClusterBoard implements ViewListener {
  readonly #view: BoardView;
  readonly #clock: Clock;
  readonly #feed: Feed;
  readonly #now: () => number;
  readonly #board: Board = new Map();
  readonly #seen = new Map<string, SeenPlan>();
  /** The keys of plans, by namespace and uid. */
  readonly #keys = new Map<string, string>();
  readonly #dirty = new Set<string>();
  readonly #gone = new Set<string>();
  #head: Head;
  #isHeadNew = false;
  #areFactsNew = false;
  #messages: MessageItem[] = [];
  #isStopped = false;
  #isFlushing = false;
  #cancel: (() => void) | undefined;

  /** `now`: the API server's time (milliseconds since the epoch). */
  constructor(view: BoardView, clock: Clock, now: () => number, feed: Feed, head: Head) {
    this.#view = view;
    this.#clock = clock;
    this.#now = now;
    this.#feed = feed;
    this.#head = head;
  }

  stop(): void {
    this.#cancel?.();
    this.#isStopped = true;
  }

  /** The whole board, for a client that connects. */
  snapshot(): Iterable<Change> {
    return snapshotOf(this.#board, this.#head, this.#now);
  }

  setHead(leader: Leader, unseen: readonly string[]): void {
    const head: Head = { ...this.#head, leader: leader.message, serving: leader.state, unseen };
    if (JSON.stringify(head) === JSON.stringify(this.#head)) return;
    this.#head = head;
    this.#isHeadNew = true;
    this.#schedule();
  }

  addMessage(item: MessageItem): void {
    this.#messages.push(item);
    this.#schedule();
  }

  planChanged(plan: Plan): void {
    const key = keyOf(plan);
    this.#keys.set(`${plan.namespace}/${plan.uid}`, key);
    this.#seen.set(key, seePlan(this.#seen.get(key), plan, this.#now()));
    this.#gone.delete(key);
    this.#touch(key);
  }

  planDeleted(plan: Plan): void {
    const key = keyOf(plan);
    this.#keys.delete(`${plan.namespace}/${plan.uid}`);
    this.#seen.delete(key);
    this.#dirty.delete(key);
    this.#gone.add(key);
    this.#schedule();
  }

  entryChanged(namespace: string, uid: string): void {
    const key = this.#keys.get(`${namespace}/${uid}`);
    if (key !== undefined) this.#touch(key);
  }

  /** A notification has changed. Its deliveries may wait for another reason, and the answers to questions may be different. */
  notificationChanged(namespace: string): void {
    this.#areFactsNew = true;
    this.#schedule();
    for (const [key, { row }] of this.#seen)
      if (row.namespace === namespace && (row.dots.size === 0 || hasOpenDots(row))) this.#touch(key);
  }

  #touch(key: string): void {
    this.#dirty.add(key);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isFlushing || this.#cancel !== undefined) return;
    this.#cancel = this.#clock.after(COLLECT_MS, () => {
      this.#cancel = undefined;
      void this.#flush();
    });
  }

  async #flush(): Promise<void> {
    this.#isFlushing = true;
    const keys = [...this.#dirty];
    do {
      const made = await inSlices(this.#clock, this.#changes(keys.splice(0, ROWS_AT_ONCE)));
      if (this.#isStopped) return;
      this.#push(made);
    } while (keys.length > 0);
    this.#isFlushing = false;
    if (this.#dirty.size > 0) this.#schedule();
  }

  #push(made: readonly Made[]): void {
    // A plan may have been deleted after its row was made.
    const left = made.filter(({ change }) => !this.#gone.has(change.key));
    const gone = [...this.#gone].filter((key) => this.#board.has(key));
    this.#gone.clear();
    const messages = this.#messages.splice(0);
    const change: Omit<Change, 'now'> = {
      ...(left.length > 0 && { rows: left.map((each) => each.change) }),
      ...(gone.length > 0 && { gone }),
      ...(messages.length > 0 && { messages }),
      ...(this.#isHeadNew && { head: this.#head }),
      ...(this.#areFactsNew && { facts: true }),
    };
    if (Object.keys(change).length === 0) return;
    this.#feed.push({ ...change, now: this.#now() });
    this.#isHeadNew = false;
    this.#areFactsNew = false;
    for (const key of gone) this.#board.delete(key);
    for (const { change, row } of left) this.#board.set(change.key, row);
  }

  *#changes(keys: readonly string[]): Generator<undefined, readonly Made[]> {
    const made: Made[] = [];
    for (const key of keys) {
      if (!this.#dirty.delete(key)) continue;
      const row = this.#row(key);
      const change = row && rowChange(key, this.#board.get(key), row);
      if (row !== undefined && change !== undefined) made.push({ change, row });
      yield;
    }
    return made;
  }

  #row(key: string): Row | undefined {
    const seen = this.#seen.get(key);
    const plan = seen && this.#view.plan(seen.row.namespace, seen.row.plan);
    if (seen === undefined || plan === undefined) return undefined;
    const now = this.#withDeliveries(plan, seen);
    this.#seen.set(key, now);
    return now.row;
  }

  #withDeliveries(plan: Plan, seen: SeenPlan): SeenPlan {
    const facts = this.#view.factsOf(plan);
    // What cannot be read now stays as it was.
    if (typeof facts.journal === 'string') return seen;
    const notifications = this.#view.notificationsIn(plan.namespace);
    const sinks: SinkStates = new Map(
      notifications.flatMap(({ name, status }) =>
        (status.sinks ?? []).map(
          (sink) => [streamKey({ notification: name, sink: sink.name }), sink.state] as const,
        ),
      ),
    );
    return seeDeliveries(seen, deliveriesOf({ notifications, shown: [facts] }), sinks);
  }
}
