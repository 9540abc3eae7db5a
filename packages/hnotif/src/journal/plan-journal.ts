import type { LogEntry, Routed } from '../dispatch/log-entry.ts';
import { isSameButVersion, type Observed, type Subject } from '@hnotif/core/lifecycle';
import type { Plan } from '@hnotif/core/resources';
import type { SavePriority } from '@hnotif/core/sinks';
import { memoryKey, type StoredPlan, type StoredValue } from './entry.ts';
import { Outbox } from './outbox.ts';
import type { PlanJournalOptions } from './plan-options.ts';
import { EntryPlace, NOWHERE, type EntryObject, type Place } from './place.ts';
import type { OutcomeLine } from './outcome-line.ts';
import { restoredOutcomes, withOutcome } from './outcomes.ts';
import { JournalState, SMALL, type EntryDraft, type EntryWrite } from './state.ts';
import { LAZY_MS, SETTLE } from './write-schedule.ts';

/** The entry of a deleted plan without deliveries stays for this time at most, if sinks do not finish their work (milliseconds). */
const DELETED_MS = 24 * 3_600_000;

/** The changes of an entry, taken for a write. */
export interface PlanDraft extends EntryDraft {
  readonly plan: PlanJournal;
  /** How many of the waiting promises this write resolves. */
  readonly waiters: number;
}

/** A write of an entry. */
export type PlanWrite = PlanDraft & EntryWrite;

/**
 * The entry of one plan. Events are released when the write that contains them is acknowledged, or at once if the plan's status proves them.
 * If nothing can be written, they are delivered from memory, and this is reported.
 */
export class PlanJournal {
  readonly live: { current: Plan };
  readonly state: JournalState;
  readonly #options: PlanJournalOptions;
  readonly outbox: Outbox;
  readonly place = new EntryPlace<PlanJournal>(this);
  /** Cancels the timer after which the entry of the deleted plan no longer waits for sinks. */
  #cancelDeleted: (() => void) | undefined;

  /** `observed`: the state of a plan without an entry. */
  constructor(
    options: PlanJournalOptions,
    live: { current: Plan },
    stored: StoredPlan | undefined,
    observed: Observed,
  ) {
    this.#options = options;
    this.live = live;
    this.state = new JournalState(stored?.observed ?? observed, options.dispatcher.open(live));
    this.outbox = new Outbox(options, this.state);
    if (stored === undefined) return;
    this.outbox.restore(stored.events());
    for (const memory of stored.sinks) this.state.remember(memory);
    this.state.outcomes = restoredOutcomes(stored);
    this.state.found(stored);
  }

  get subject(): Subject {
    return this.live.current;
  }

  get #object(): EntryObject<PlanJournal> | undefined {
    return this.place.target;
  }

  /** Whether its entry is too large for a shared object. */
  get isLarge(): boolean {
    if (this.#object?.isDedicated !== true) return false;
    return this.place.kind === 'moving' || this.state.length > SMALL;
  }

  /** Whether there is something to write. */
  get isDirty(): boolean {
    return this.state.isDirty || this.#isPlanWanted;
  }

  /** Whether deliveries have waited for a while, and the plan is not stored yet. Most are sent before. */
  get #isPlanWanted(): boolean {
    const { oldest } = this.state.log;
    if (oldest === undefined || this.state.hasPlan) return false;
    return this.#options.clock.monotonic() - oldest.since >= LAZY_MS;
  }

  /** Whether another process knows of this event. */
  stores(entry: Pick<LogEntry, 'at'>): boolean {
    return this.place.last !== undefined && this.outbox.survives(entry);
  }

  /**
   * The stored state from which another process would derive the next events of the plan. Undefined: they have to be stored before they are
   * sent. The object may be another writer's now, or something of the plan waits already.
   */
  get basis(): Observed | undefined {
    const { log, stored } = this.state;
    const isCurrent = this.place.kind === 'at' && this.#object?.isCurrent === true;
    return isCurrent && log.isEmpty ? stored?.observed : undefined;
  }

  /** Begins at this place. The events of an earlier process are sent once the object has our term. */
  begin(place: Place<EntryObject<PlanJournal>>): void {
    this.place.set(place);
    const { isEmpty } = this.state.log;
    if (place.kind === 'at') this.state.unchanged(!isEmpty);
    else this.state.rewrite();
    if (this.isDirty) this.#request(!isEmpty);
  }

  #request(isUrgent: boolean): void {
    if (isUrgent) this.#object?.schedule.urgently(this.subject.uid);
    else this.#object?.schedule.later();
  }

  /** Moves to another object, to which all of it is written. */
  moveTo(to: EntryObject<PlanJournal>): void {
    this.place.change({ kind: 'move', to });
    this.state.rewrite();
    this.#request(this.place.last !== undefined || this.outbox.isAwaited);
  }

  /**
   * Takes a new state and its events, at `now` (milliseconds since the epoch). The events are released when they are stored, or at once if
   * the plan's status proves them. After the next change it may not prove them any more: what still waits is stored then.
   */
  accept(observed: Observed, derived: readonly Routed[], now: number): void {
    const { changes, observed: before } = this.state;
    const { isAhead } = this.outbox;
    const waits = this.outbox.accept(derived, now);
    this.state.observed = this.outbox.numbered(observed);
    // Only the version has changed, for instance by a new label: this needs no write.
    if (derived.length === 0 && this.state.stored !== undefined && isSameButVersion(before, observed)) return;
    changes.observed = true;
    changes.log ||= waits;
    if (this.#object?.cannotWrite === true) this.outbox.release(this.state.observed.seq);
    const { schedule } = this.#object ?? {};
    if (isAhead || this.outbox.hasUnstored) schedule?.urgently(this.subject.uid);
    else if (waits) schedule?.settle();
    else schedule?.later();
  }

  /** A request has not ended its delivery. What waits behind it is stored soon. */
  delayed(): void {
    if (this.outbox.isAhead) this.#request(true);
  }

  /** Deliveries have ended and left the log. */
  settled(ending: OutcomeLine, delay = SETTLE): void {
    const { changes, outcomes } = this.state;
    this.state.outcomes = withOutcome(outcomes, ending, changes.outcomes, this.#options.nightsKeptMs);
    changes.log = true;
    this.outbox.ended(ending);
    if (!this.#finish(delay.ms)) this.#object?.schedule.settle(delay);
  }

  /** Resolves when the value of a sink is stored, or cannot be stored. */
  remember(stream: string, key: string, value: unknown, priority: SavePriority): Promise<void> {
    const changed = this.state.remember({ stream, key, value });
    // Without a change there is no write to wait for.
    if (changed.size === 0 || this.#finish(SETTLE.ms)) return Promise.resolve();
    return this.#written(priority) ?? Promise.resolve();
  }

  /** Resolves when all outcomes are stored, or cannot be stored; undefined: they are stored. */
  persistOutcomes(): Promise<void> | undefined {
    const isDue = this.state.changes.log && this.#object?.cannotWrite === false;
    return isDue ? this.#written('soon') : undefined;
  }

  /** Requests a write, and resolves at it; undefined: nothing can be stored. */
  #written(priority: SavePriority): Promise<void> | undefined {
    const { cannotWrite, schedule } = this.#object ?? {};
    // A running attempt waits for it, and others wait for the attempt.
    if (priority === 'now') schedule?.within(0);
    else if (priority === 'soon') schedule?.urgently(this.subject.uid);
    else schedule?.settle();
    return cannotWrite === false ? this.outbox.wait(priority !== 'later') : undefined;
  }

  /** Writes all changes. Resolves when they are stored, or a write has failed once. */
  async flush(): Promise<void> {
    const object = this.#object;
    await object?.flush();
    // It may have moved because of its size.
    if (this.#object !== object) await this.#object?.flush();
  }

  /** The entry was deleted from this object, or cannot be read there. */
  lost(object: EntryObject<PlanJournal>): void {
    this.place.change({ kind: 'lost', object });
    if (object !== this.#object) return;
    this.state.lost();
    this.state.rewrite();
  }

  /** The plan was deleted. Its entry stays until nothing waits any more. */
  planDeleted(at: number): void {
    this.state.deletedAt = at;
    this.#cancelDeleted = this.#options.clock.after(Math.max(0, DELETED_MS - this.outbox.ageOf(at)), () => {
      this.#cancelDeleted = undefined;
      this.#finish(SETTLE.ms);
    });
    if (this.#finish(LAZY_MS)) return;
    this.state.changes.plan = true;
    this.#request(true);
  }

  /** The plan is there again, under its uid: it was restored from a backup. */
  planReturned(): void {
    this.#cancelDeleted?.();
    this.state.deletedAt = undefined;
    this.state.changes.plan = true;
    this.#request(false);
  }

  /** Discards the entry of a deleted plan for which nothing waits. False: the plan exists, or something waits. */
  #finish(withinMs: number): boolean {
    const { deletedAt, log } = this.state;
    if (deletedAt === undefined || this.#object === undefined || !log.isEmpty) return false;
    if (this.#cancelDeleted !== undefined && this.state.memories().some((each) => this.#isOpen(each)))
      return false;
    this.place.set(NOWHERE, withinMs);
    this.close();
    this.#options.finished?.(this.subject);
    return true;
  }

  /** Resolves all promises that wait for a write, and ends the timer. */
  close(): void {
    this.place.forget();
    this.#cancelDeleted?.();
    this.outbox.resume();
  }

  /** Takes its changes for a write. `short`: with long messages cut. Yields where other work may run. */
  *draft(short = false): Generator<undefined, PlanDraft> {
    const { waiters } = this.outbox;
    if (this.#isPlanWanted) this.state.changes.plan = true;
    return { plan: this, waiters, ...(yield* this.state.draft(short)) };
  }

  /** Drops what is not needed most: old threads; if there are none, deliveries. False: there is nothing more to drop. */
  makeRoom(): boolean {
    const { dispatcher } = this.#options;
    return this.state.dropOldValues((each) => this.#isOpen(each)) || dispatcher.halveLongest(this.state.log);
  }

  /** Our write is stored. */
  committed(write: PlanWrite): void {
    const { observed, waiters } = write;
    this.state.committed(write);
    if (!this.state.changes.log) this.outbox.endsStored();
    this.outbox.release(observed.seq);
    this.outbox.resume(waiters);
    this.place.change({ kind: 'stored' });
    // Another process may have ended its last deliveries.
    if (!this.#finish(LAZY_MS) && !this.state.log.isEmpty && !this.state.hasPlan) this.#request(false);
  }

  /** Nothing can be stored: events are delivered from memory. */
  deliverFromMemory(): void {
    this.outbox.release(this.state.observed.seq);
    this.outbox.resume();
  }

  /**
   * Another process with no higher term wrote in between (a former leader that did not know it). Its events stay, without the deliveries
   * that have ended here. Events that it does not have are derived again from its state; those of a deleted plan follow its events. Those
   * that were released, from memory, keep their places in the log, and are not sent again.
   */
  adopt(theirs: StoredPlan): void {
    const isDeleted = this.state.deletedAt !== undefined;
    this.outbox.adopt(theirs.events(), isDeleted);
    // They may be newer than those that this process read at its start.
    for (const memory of theirs.sinks) {
      const { restored = false } = this.state.recall(memory.stream, memory.key) ?? { restored: true };
      if (restored) this.state.remember(memory);
    }
    this.state.found(theirs);
    this.place.change({ kind: 'adopted' });
    const observed = (this.state.observed = this.outbox.numbered(theirs.observed));
    this.state.rewrite();
    if (!isDeleted)
      this.outbox.rederive(() => {
        this.#options.listener.rebase(this.subject.uid, observed);
      });
    this.reportMemories();
  }

  /** Reports the values that sinks saved in another process. */
  reportMemories(): void {
    for (const memory of this.state.memories())
      if (memory.restored)
        this.#options.listener.memoryFound(this.live, memoryKey(this.subject, memory), memory.value);
  }

  #isOpen(memory: StoredValue): boolean {
    return this.#options.isOpen?.(memoryKey(this.subject, memory), memory.value) === true;
  }
}
