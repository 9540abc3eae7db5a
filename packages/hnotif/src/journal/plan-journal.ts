import { LazySet } from '../lazy-collections.ts';
import { nextTurn, type Clock } from '@hnotif/core/clock';
import { dropOldest } from '../drop-oldest.ts';
import { inSlices } from '../slices.ts';
import type { Dispatcher } from '../dispatch/dispatcher.ts';
import type { PlanLog } from '../dispatch/plan-log.ts';
import {
  streamKey,
  type Acceptance,
  type LogEntry,
  type Routed,
  type StreamName,
} from '../dispatch/log-entry.ts';
import { idOf, isSameButVersion, type Observed, type Subject } from '@hnotif/core/lifecycle';
import type { Plan } from '@hnotif/core/resources';
import type { MemoryKey, SavePriority } from '@hnotif/core/sinks';
import type { StoredEvent } from './content.ts';
import { memoryKey, type StoredPlan, type StoredValue } from './entry.ts';
import type { JournalListener } from './listener.ts';
import { lastOf, NOWHERE, objectsOf, placeAfter, targetOf, type Place } from './place.ts';
import { idPart, type OutcomeLine } from './outcome-line.ts';
import { Outcomes } from './outcomes.ts';
import { JournalState, type EntryDraft, type EntryWrite } from './state.ts';
import { Waiters } from './waiters.ts';
import type { WriteSchedule } from './write-schedule.ts';

/** A journal object, as the plans see it that have an entry there. */
export interface EntryObject {
  /** Whether it belongs to one plan. */
  readonly isDedicated: boolean;
  /** Whether it cannot be written now, so that events are delivered from memory. */
  readonly cannotWrite: boolean;
  readonly schedule: Pick<WriteSchedule, 'later' | 'settle' | 'urgently' | 'within'>;
  /** Writes everything that is not stored. Resolves when that is done, or has failed once. */
  flush(): Promise<void>;
  /** It is in the place of the plan from now on. */
  add(uid: string, plan: PlanJournal): void;
  /** The place of the plan does not have this object any more. It removes the entry of the plan within this many milliseconds. */
  release(uid: string, withinMs: number): void;
}

/** What the journals of all plans share. */
export interface PlanJournalOptions {
  readonly clock: Clock;
  /** The age of an event, from its acceptance time (milliseconds since the epoch). Default: by the machine's clock. */
  readonly ageOf?: ((at: number) => number) | undefined;
  /** Outcomes of nights are kept for this time (milliseconds). Default: three nights. */
  readonly nightsKeptMs?: number | undefined;
  /** Holds the logs of events that wait. */
  readonly dispatcher: Pick<Dispatcher, 'open' | 'append' | 'release' | 'halveLongest'>;
  readonly listener: Pick<JournalListener, 'appended' | 'released' | 'rebase' | 'memoryFound'>;
  /** Whether a sink still works on the message of a value that it stored. Default: never. */
  readonly isOpen?: ((at: MemoryKey, value: unknown) => boolean) | undefined;
  /** The plan was deleted, and nothing waits any more. Its entry has been discarded. */
  readonly finished?: ((plan: Subject) => void) | undefined;
}

/** The write of a plan with more targets or streams is prepared in a separate turn of the event loop. */
const MANY = 1_000;
/** A change that is not urgent is written after this time (milliseconds). */
export const LAZY_MS = 1_000;
/**
 * The outcome of a delivery, and a value that nothing waits for, are stored within this time (milliseconds). After a kill, a webhook gets
 * such a delivery twice.
 */
export const SETTLE_MS = 500;
/** An entry of at most this size returns to a shared object (characters). */
export const SMALL = 8 * 1024;
/** The entry of a deleted plan without deliveries stays for this time at most, if sinks do not finish their work (milliseconds). */
const DELETED_MS = 24 * 3_600_000;
/** The most deliveries that ended before they were stored, of which the ids are known. */
const MOST_ENDED = 1_000;

/** The changes of an entry, taken for a write. */
export interface PlanDraft extends EntryDraft {
  readonly plan: PlanJournal;
  /** How many of the waiting promises this write resolves. */
  readonly waiters: number;
}

/** A write of an entry. */
export type PlanWrite = PlanDraft & EntryWrite;

/**
 * The entry of one plan. Events are released when the write that contains them is acknowledged. If nothing can be written, they are delivered
 * from memory, and this is reported.
 */
export class PlanJournal {
  readonly live: { current: Plan };
  readonly state: JournalState;
  readonly #options: PlanJournalOptions;
  #place: Place<EntryObject> = NOWHERE;
  /** The last stored entry that we wrote or read; undefined: there was none. */
  #stored: Pick<StoredPlan, 'gen' | 'observed'> | undefined;
  /** Streams and ids of deliveries that have ended, and may not be stored yet. */
  readonly #ended = new LazySet<string>();
  /** Cancels the timer after which the entry of the deleted plan no longer waits for sinks. */
  #cancelDeleted: (() => void) | undefined;
  readonly #waiters = new Waiters();
  /** Whether events are derived again that may have been sent. */
  #isRebasing = false;

  /** `observed`: the state of a plan without an entry. */
  constructor(
    options: PlanJournalOptions,
    live: { current: Plan },
    stored: StoredPlan | undefined,
    observed: Observed,
  ) {
    this.#options = options;
    this.live = live;
    const outcomes = new Outcomes(options.nightsKeptMs);
    this.state = new JournalState(stored?.observed ?? observed, options.dispatcher.open(live), outcomes);
    if (stored === undefined) return;
    this.#restore(stored.events());
    for (const memory of stored.sinks) this.state.remember(memory);
    outcomes.restore(stored);
    this.#found(stored);
  }

  get subject(): Subject {
    return this.live.current;
  }

  /** Where the entry is. Objects are told when they come into it or leave it. */
  get place(): Place<EntryObject> {
    return this.#place;
  }

  get #object(): EntryObject | undefined {
    return targetOf(this.#place);
  }

  /** Whether its entry is too large for a shared object. */
  get isLarge(): boolean {
    if (this.#object?.isDedicated !== true) return false;
    return this.#place.kind === 'moving' || this.state.length > SMALL;
  }

  /** Whether no entry is stored, as far as known: the plan has its first journal, or its journal was deleted. */
  get #isNew(): boolean {
    return lastOf(this.#place) === undefined;
  }

  /** Whether it may move: nothing that is stored elsewhere has to be removed. */
  get isSettled(): boolean {
    return this.#place.kind === 'at' || this.#isNew;
  }

  /** Whether its write takes so long that it needs its own turn of the event loop. */
  get isWide(): boolean {
    const { observed, log } = this.state;
    return observed.targets.length + log.streams.size > MANY;
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

  /** Whether there are events that are neither stored nor released. */
  get hasUnstored(): boolean {
    const { log } = this.state;
    return (log.newest?.at ?? 0) > Math.max(log.releasedTo, this.#stored?.observed.seq ?? 0);
  }

  /** Whether something waits for the next write: an event to send, or a request. */
  get isAwaited(): boolean {
    return this.hasUnstored || this.#waiters.isUrgent;
  }

  /** Whether an event is stored. */
  stores({ at }: Pick<LogEntry, 'at'>): boolean {
    return !this.#isNew && at <= (this.#stored?.observed.seq ?? 0);
  }

  /** Whether the entry with this `gen` is the last one that we wrote or read. */
  isStored(gen: number): boolean {
    return gen === this.#stored?.gen;
  }

  /** Begins at this place. The events of an earlier process are sent once the object has our term. */
  begin(place: Place<EntryObject>): void {
    this.#placed(place);
    const { isEmpty } = this.state.log;
    if (place.kind === 'at') this.state.unchanged(!isEmpty);
    else this.state.rewrite();
    if (!this.isDirty) return;
    if (isEmpty) this.#object?.schedule.later(LAZY_MS);
    else this.#object?.schedule.urgently(this.subject.uid);
  }

  /** Moves to another object, to which all of it is written. */
  moveTo(to: EntryObject): void {
    this.#placed(placeAfter(this.#place, { kind: 'move', to }));
    this.state.rewrite();
    if (this.#isNew && !this.isAwaited) to.schedule.later(LAZY_MS);
    else to.schedule.urgently(this.subject.uid);
  }

  /** Objects that have left the place remove what they have within this many milliseconds. */
  #placed(place: Place<EntryObject>, withinMs = LAZY_MS): void {
    const { uid } = this.subject;
    const [before, former] = [objectsOf(this.#place), this.#object];
    this.#place = place;
    const now = objectsOf(place);
    for (const object of now) if (object !== former) object.add(uid, this);
    for (const object of before) if (!now.includes(object)) object.release(uid, withinMs);
  }

  /** Takes a new state and its events, at `now` (milliseconds since the epoch). The events are released when they are stored. */
  accept(observed: Observed, derived: readonly Routed[], now: number): void {
    const events = this.#isRebasing ? derived.map((each) => this.#unsent(each)) : derived;
    const { changes } = this.state;
    const before = this.state.observed;
    this.state.observed = observed;
    // Only the version has changed, for instance by a new label: this needs no write.
    if (events.length === 0 && this.#stored !== undefined && isSameButVersion(before, observed)) return;
    changes.observed = true;
    const waits = events.some(({ to }) => to.length > 0);
    if (waits) {
      const since = this.#options.clock.monotonic();
      this.#append(events, { acceptedAt: now, since, restored: false });
      changes.log = true;
      // A plan that was deleted and has returned may count from a lower number than its log: see `adopt`.
      this.state.observed = numberedTo(observed, this.state.log);
    }
    if (this.#object?.cannotWrite === true) this.#release(this.state.observed.seq);
    if (waits) this.#object?.schedule.urgently(this.subject.uid);
    else this.#object?.schedule.later(LAZY_MS);
  }

  /** Deliveries have ended and left the log. Stored within `withinMs`; in a burst, with the next write of the object. */
  settled(ending: OutcomeLine, withinMs: number): void {
    const { changes } = this.state;
    this.state.outcomes.add(ending, changes.outcomes);
    changes.log = true;
    for (const id of ending.ids ?? []) this.#ended.add(`${ending.stream} ${id}`);
    dropOldest(this.#ended, MOST_ENDED);
    if (!this.#finish(withinMs)) this.#object?.schedule.settle(withinMs);
  }

  /** Resolves when the value of a sink is stored, or cannot be stored. */
  remember(stream: string, key: string, value: unknown, priority: SavePriority): Promise<void> {
    const changed = this.state.remember({ stream, key, value });
    for (const each of changed) this.state.changes.streams.add(each);
    // Without a change there is no write to wait for.
    if (changed.size === 0 || this.#finish(SETTLE_MS)) return Promise.resolve();
    // A running attempt waits for it, and others wait for the attempt.
    if (priority === 'now') this.#object?.schedule.within(0);
    else if (priority === 'soon') this.#object?.schedule.urgently(this.subject.uid);
    else this.#object?.schedule.settle(SETTLE_MS);
    return this.#written(priority !== 'later') ?? Promise.resolve();
  }

  /** Resolves when all outcomes are stored, or cannot be stored; undefined: they are stored. */
  persistOutcomes(): Promise<void> | undefined {
    if (!this.state.changes.log || this.#object?.cannotWrite !== false) return undefined;
    this.#object?.schedule.urgently(this.subject.uid);
    return this.#written(true);
  }

  /** Resolves at the next write; undefined: there will be none. */
  #written(isUrgent: boolean): Promise<void> | undefined {
    if (this.#object?.cannotWrite !== false) return undefined;
    return this.#waiters.wait(isUrgent);
  }

  /** Writes all changes. Resolves when they are stored, or a write has failed once. */
  async flush(): Promise<void> {
    const object = this.#object;
    await object?.flush();
    // It may have moved because of its size.
    if (this.#object !== object) await this.#object?.flush();
  }

  /** The entry was deleted from this object, or cannot be read there. */
  lost(object: EntryObject): void {
    this.#placed(placeAfter(this.#place, { kind: 'lost', object }));
    if (object !== this.#object) return;
    this.state.lost();
    this.state.rewrite();
  }

  /** The plan was deleted. Its entry stays until nothing waits any more. */
  planDeleted(at: number): void {
    this.state.deletedAt = at;
    this.#cancelDeleted = this.#options.clock.after(Math.max(0, DELETED_MS - this.#ageOf(at)), () => {
      this.#cancelDeleted = undefined;
      this.#finish(SETTLE_MS);
    });
    if (this.#finish(LAZY_MS)) return;
    this.state.changes.plan = true;
    this.#object?.schedule.urgently(this.subject.uid);
  }

  /** The plan is there again, under its uid: it was restored from a backup. */
  planReturned(): void {
    this.#cancelDeleted?.();
    this.state.deletedAt = undefined;
    this.state.changes.plan = true;
    this.#object?.schedule.later(LAZY_MS);
  }

  /** Discards the entry of a deleted plan for which nothing waits. False: the plan exists, or something waits. */
  #finish(withinMs: number): boolean {
    const { deletedAt, log } = this.state;
    if (deletedAt === undefined || this.#object === undefined || !log.isEmpty) return false;
    if (this.#cancelDeleted !== undefined && this.state.memories().some((each) => this.#isOpen(each)))
      return false;
    this.#placed(NOWHERE, withinMs);
    this.close();
    this.#options.finished?.(this.subject);
    return true;
  }

  /** Resolves all promises that wait for a write, and ends the timer. */
  close(): void {
    this.#place = NOWHERE;
    this.#cancelDeleted?.();
    this.#waiters.resolve();
  }

  /** Takes its changes for a write. `short`: with long messages cut. Yields where other work may run. */
  *draft(short = false): Generator<undefined, PlanDraft> {
    const waiters = this.#waiters.count;
    if (this.#isPlanWanted) this.state.changes.plan = true;
    return { plan: this, waiters, ...(yield* this.state.draft(short)) };
  }

  /** Prepares a write of all of it with long messages cut, dropping deliveries until it fits; undefined: nothing more can be dropped. */
  async shortWrite(room: number, took?: (ms: number) => void): Promise<PlanWrite | undefined> {
    const { log } = this.state;
    for (;;) {
      const { pending } = log;
      this.state.rewrite();
      await nextTurn();
      const draft = await inSlices(this.#options.clock, this.draft(true), took);
      const write = await this.state.complete(draft, room);
      if (write !== undefined) return write;
      // The plan was deleted meanwhile. Its deliveries are finished from memory.
      if (this.#object === undefined) return undefined;
      // Deliveries that ended meanwhile have made room.
      if (
        log.pending >= pending &&
        !this.state.dropOldValues((each) => this.#isOpen(each)) &&
        !this.#options.dispatcher.halveLongest(log)
      )
        return undefined;
    }
  }

  /** Our write is stored. */
  committed(write: PlanWrite): void {
    const { observed, patch, waiters } = write;
    this.state.committed(write);
    this.#stored = { gen: patch.gen, observed };
    if (!this.state.changes.log) this.#ended.clear();
    this.#release(observed.seq);
    this.#waiters.resolve(waiters);
    this.#placed(placeAfter(this.#place, { kind: 'stored' }));
    // Another process may have ended its last deliveries.
    if (!this.#finish(LAZY_MS) && !this.state.log.isEmpty && !this.state.hasPlan)
      this.#object?.schedule.later(LAZY_MS);
  }

  /** Nothing can be stored: events are delivered from memory. */
  deliverFromMemory(): void {
    this.#release(this.state.observed.seq);
    this.#waiters.resolve();
  }

  /**
   * Another process with no higher term wrote in between (a former leader that did not know it). Its events stay, without the deliveries
   * that have ended here. Events that it does not have are derived again from its state; those of a deleted plan follow its events. Those
   * that were released, from memory, keep their places in the log, and are not sent again.
   */
  adopt(theirs: StoredPlan): void {
    const { deletedAt, log } = this.state;
    const own = deletedAt === undefined ? [] : unreleased(log);
    log.truncate();
    this.#restore(theirs.events());
    for (const { by, ...each } of own) this.#append([this.#unsent(each)], by);
    // They may be newer than those that this process read at its start.
    for (const memory of theirs.sinks) {
      const { restored = false } = this.state.recall(memory.stream, memory.key) ?? { restored: true };
      if (restored) this.state.remember(memory);
    }
    this.#found(theirs);
    this.#placed(placeAfter(this.#place, { kind: 'adopted' }));
    const observed = numberedTo(theirs.observed, log);
    this.state.observed = observed;
    this.state.rewrite();
    this.#isRebasing = true;
    if (deletedAt === undefined) this.#options.listener.rebase(this.subject.uid, observed);
    this.#isRebasing = false;
    this.reportMemories();
  }

  /** Reports the values that sinks saved in another process. */
  reportMemories(): void {
    for (const memory of this.state.memories())
      if (memory.restored)
        this.#options.listener.memoryFound(this.live, memoryKey(this.subject, memory), memory.value);
  }

  /** Another process has stored this entry. */
  #found(theirs: StoredPlan): void {
    this.#stored = { gen: theirs.gen, observed: theirs.observed };
    this.state.found(theirs);
  }

  /** Restores events that another process accepted. It may have sent them. */
  #restore(events: Iterable<StoredEvent>): void {
    const { clock } = this.#options;
    for (const { event, to, acceptedAt } of events) {
      const open = to.filter((stream) => !this.#hasEnded(event.id, stream));
      if (event.seq <= this.state.log.releasedTo || open.length === 0) continue;
      const since = clock.monotonic() - Math.max(0, this.#ageOf(acceptedAt));
      this.#append([{ event, to: open }], { acceptedAt, since, restored: true });
    }
  }

  #hasEnded(id: string, stream: StreamName): boolean {
    return this.#ended.has(`${streamKey(stream)} ${idPart(id)}`);
  }

  /** The event without the streams that have had it, or wait for it. */
  #unsent({ event, to }: Routed): Routed {
    const id = event.id ?? idOf(event);
    return {
      event,
      to: to.filter(
        (stream) => !this.#hasEnded(id, stream) && !this.state.waits(streamKey(stream), idPart(id)),
      ),
    };
  }

  #append(events: readonly Routed[], by: Acceptance): void {
    const { dispatcher, listener } = this.#options;
    listener.appended(this.live, events, by.restored);
    dispatcher.append(this.state.log, events, by);
  }

  /** Events up to this seq are stored, or cannot be stored. They may be sent. */
  #release(upTo: number): void {
    const { dispatcher, listener } = this.#options;
    const { log } = this.state;
    const entries = log.entries(log.releasedTo + 1, upTo).filter(({ restored }) => !restored);
    if (entries.length > 0) listener.released(entries);
    dispatcher.release(log, upTo);
  }

  #ageOf(at: number): number {
    const { clock, ageOf = (then) => clock.now() - then } = this.#options;
    return ageOf(at);
  }

  #isOpen(memory: StoredValue): boolean {
    return this.#options.isOpen?.(memoryKey(this.subject, memory), memory.value) === true;
  }
}

/** The events of this process that may not be sent yet, and the streams in which they wait. */
const unreleased = (log: PlanLog): (Routed & { readonly by: LogEntry })[] =>
  log.entries(log.releasedTo + 1).flatMap((entry) => {
    if (entry.restored) return [];
    const waiting = [...entry.group].filter(({ cursor }) => cursor <= entry.at);
    const to = waiting.filter((stream) => !stream.isSkipped(entry.at));
    return [
      {
        by: entry,
        event: log.eventOf(entry),
        to: to.map(({ to: { notification, sink }, sinkType: type }) => ({ notification, sink, type })),
      },
    ];
  });

/** The next event of the plan has a number after all places in its log. */
function numberedTo(observed: Observed, { newest, releasedTo }: PlanLog): Observed {
  const seq = Math.max(observed.seq, releasedTo, newest?.at ?? 0);
  return seq === observed.seq ? observed : { ...observed, seq };
}
