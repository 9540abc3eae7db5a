import { LazyMap, LazySet } from '../lazy-collections.ts';
import { nextTurn, type Clock } from '@hnotif/core/clock';
import { dropOldest } from '../drop-oldest.ts';
import { inSlices } from '../slices.ts';
import { streamKey, type Acceptance, type LogEntry, type Routed } from '../dispatch/log-entry.ts';
import type { PlanLog } from '../dispatch/plan-log.ts';
import { type Subject, isSameButVersion, type Observed } from '@hnotif/core/lifecycle';
import type { EntryPatch } from '@hnotif/core/resources';
import type { SavePriority } from '@hnotif/core/sinks';
import { observedContent, shortObserved, type StoredEvent } from './content.ts';
import { valuesText, type StoredPlan, type StoredValue } from './entry.ts';
import { LogTexts } from './log-texts.ts';
import { lastOf, NOWHERE, objectsOf, placeAfter, targetOf, type Place } from './place.ts';
import { planText } from './plan-text.ts';
import { idPart, type OutcomeLine } from './outcome-line.ts';
import { Outcomes } from './outcomes.ts';
import { JournalState } from './state.ts';
import { pack } from './text.ts';

/** A journal object, as the plans see it that have an entry there. */
export interface EntryObject {
  /** Whether it cannot be written now, so that events are delivered from memory. */
  readonly cannotWrite: boolean;
  /** Requests a write within this many milliseconds. */
  writeWithin(withinMs: number): void;
  /** Requests a write of outcomes within this many milliseconds. After some seconds it is urgent. */
  settleWithin(withinMs: number): void;
  /** Requests a write that deliveries wait for: now, unless there is a burst. */
  writeUrgently(uid: string): void;
  /** Requests a write now, also in a burst: a running attempt waits for it, and others wait for the attempt. */
  writeNow(): void;
  /** Writes everything that is not stored. Resolves when that is done, or has failed once. */
  flush(): Promise<void>;
  /** It is in the place of the plan from now on. */
  add(uid: string, plan: PlanJournal): void;
  /** The place of the plan does not have this object any more. It removes the entry of the plan within this many milliseconds. */
  release(uid: string, withinMs: number): void;
}

export interface PlanJournalOptions {
  readonly clock: Clock;
  /** The age of an event, from its acceptance time (milliseconds since the epoch). Default: by the machine's clock. */
  readonly ageOf?: ((at: number) => number) | undefined;
  /** Outcomes of nights are kept for this time (milliseconds). Default: three nights. */
  readonly nightsKeptMs?: number | undefined;
  readonly subject: Subject;
  /** Empty at first. Its events are stored. */
  readonly log: PlanLog;
  /** Appends events to the log and enforces its limits. */
  readonly append: (log: PlanLog, routed: readonly Routed[], by: Acceptance) => void;
  /** Events up to this seq are stored, or cannot be stored. They may be sent. */
  readonly release: (log: PlanLog, upTo: number) => void;
  /** The log is too large to be stored: drops a part of it. False: there is nothing to drop. */
  readonly halveLongest: (log: PlanLog) => boolean;
  /** Events since then are not stored: derive them again from this state. May call `accept`. */
  readonly rebase: (observed: Observed) => void;
  /** Whether a sink still works on the message of a value that it stored. Default: never. */
  readonly isOpen?: ((value: StoredValue) => boolean) | undefined;
  /** The plan was deleted, and nothing waits any more. Its entry has been discarded. */
  readonly finished?: (() => void) | undefined;
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
/** The longest entry (characters of one byte). Many clusters refuse objects of 1 MiB and more. */
export const LARGEST_ENTRY = 700_000;
/** The entry of a deleted plan without deliveries stays for this time at most, if sinks do not finish their work (milliseconds). */
const DELETED_MS = 24 * 3_600_000;

/** The most deliveries that ended before they were stored, of which the ids are known. */
const MOST_ENDED = 1_000;

/** The changes of an entry since its last write. */
interface Changes {
  /** Only the writer has changed. */
  touched: boolean;
  observed: boolean;
  /** The log. */ log: boolean;
  /** The state of the plan itself. */ plan: boolean;
  /** The slots of outcomes, by their names. */
  readonly outcomes: LazySet<string>;
  /** The streams whose values have changed. */
  readonly streams: LazySet<string>;
}

const noChanges = (): Changes => ({
  ...{ touched: false, observed: false, log: false, plan: false },
  ...{ outcomes: new LazySet(), streams: new LazySet() },
});

/** The changes of an entry, taken for a write. */
export interface EntryDraft {
  readonly plan: PlanJournal;
  readonly texts: Texts;
  readonly observed: Observed;
  readonly changes: Changes;
  /** How many of the waiting promises this write resolves. */
  readonly waiters: number;
}

/** A write of an entry. */
export interface EntryWrite extends EntryDraft {
  readonly patch: EntryPatch & { readonly gen: number };
}

/** Texts of an entry by name: `observed`, `log 12`, `sinks night/ops`. null removes a text. */
type Texts = Map<string, string | null>;

/**
 * The entry of one plan. Events are released when the write that contains them is acknowledged. If nothing can be written, they are delivered
 * from memory, and this is reported.
 */
export class PlanJournal {
  readonly subject: Subject;
  /** Whether its entry is too large for a shared object. */
  isLarge = false;
  readonly #options: PlanJournalOptions;
  readonly #state: JournalState;
  readonly #lengths = new LazyMap<string, number>();
  #place: Place<EntryObject> = NOWHERE;
  #changes: Changes = noChanges();
  readonly #logTexts: LogTexts;
  /** The number of the target table that is stored with the observed state. */
  #lastTable: number | undefined;
  #gen: number;
  /** `gen` of the last stored entry, if there is one. */
  #storedGen: number | undefined;
  /** The observed state in the last acknowledged write; undefined: there was none. */
  #stored: Observed | undefined;
  /** Streams and ids of deliveries that have ended, and may not be stored yet. */
  readonly #ended = new LazySet<string>();
  /** Events up to this seq have been released. */
  #released: number;
  #isClosed = false;
  /** When the plan was deleted (milliseconds since the epoch); undefined: it exists. */
  #deletedAt: number | undefined;
  /** Cancels the timer after which the entry of the deleted plan no longer waits for sinks. */
  #cancelDeleted: (() => void) | undefined;
  /** Promises that the next write resolves. `isUrgent`: a request waits for it. */
  #waiters: { readonly resolve: () => void; readonly isUrgent: boolean }[] = [];

  /** `observed`: the state of a plan without an entry. */
  constructor(options: PlanJournalOptions, stored: StoredPlan | undefined, observed: Observed) {
    const { log, nightsKeptMs, subject } = options;
    this.subject = subject;
    this.#options = options;
    this.#gen = stored?.gen ?? 0;
    this.#storedGen = stored?.gen;
    this.#stored = stored?.observed;
    this.#state = new JournalState(stored?.observed ?? observed, log, new Outcomes(nightsKeptMs));
    this.#restore(stored?.events() ?? []);
    for (const memory of stored?.sinks ?? []) this.#state.remember(memory);
    this.#state.outcomes.restore(stored ?? {});
    this.#logTexts = new LogTexts(log);
    if (stored !== undefined) this.#found(stored);
    this.#released = log.isEmpty ? (stored?.observed.seq ?? 0) : 0;
  }

  /** The last observed state, stored or not. */
  get observed(): Observed {
    return this.#state.observed;
  }

  get state(): Pick<JournalState, 'recall' | 'memories' | 'outcomes'> {
    return this.#state;
  }

  get pending(): number {
    return this.#state.log.pending;
  }

  /** Whether an event waits in a stream. `id`: the beginning of its id. */
  waits(stream: string, id: string): boolean {
    const { log } = this.#state;
    const found = log.streams.get(stream);
    return found !== undefined && log.waitingOf(found).some((entry) => entry.id.startsWith(id));
  }

  /** The streams with deliveries that wait. */
  *waitingStreams(): Iterable<string> {
    for (const [key, { waiting }] of this.#state.log.streams) if (waiting > 0) yield key;
  }

  /** When the oldest event was accepted (milliseconds since the epoch); Infinity: nothing waits. */
  get oldest(): number {
    return this.#state.log.oldest?.acceptedAt ?? Infinity;
  }

  /** Whether there is something to write. */
  get isDirty(): boolean {
    const { touched, observed, log, plan, outcomes, streams } = this.#changes;
    return touched || observed || log || plan || outcomes.size > 0 || streams.size > 0 || this.#isPlanWanted;
  }

  /** Whether deliveries have waited for a while, and the plan is not stored yet. Most are sent before. */
  get #isPlanWanted(): boolean {
    const { oldest } = this.#state.log;
    if (oldest === undefined || this.#lengths.has('plan')) return false;
    return this.#options.clock.monotonic() - oldest.since >= LAZY_MS;
  }

  /** Characters of the entry that was written last, without outcomes. */
  get length(): number {
    let length = 0;
    for (const each of this.#lengths.values()) length += each;
    return length;
  }

  /** Whether the entry with this `gen` is the last one that we wrote or read. */
  isStored(gen: number): boolean {
    return gen === this.#storedGen;
  }

  /** Where the entry is. Objects are told when they come into it or leave it. */
  get place(): Place<EntryObject> {
    return this.#place;
  }

  get #object(): EntryObject | undefined {
    return targetOf(this.#place);
  }

  /** Begins at this place. The events of an earlier process are sent once the object has our term. */
  begin(place: Place<EntryObject>): void {
    this.#placed(place);
    this.rewrite();
    const { isEmpty } = this.#state.log;
    // The log is written again: cursors refer to the texts of this process.
    if (place.kind === 'at') this.#changes = { ...noChanges(), touched: !isEmpty, log: !isEmpty };
    if (!this.isDirty) return;
    if (isEmpty) this.#object?.writeWithin(LAZY_MS);
    else this.#object?.writeUrgently(this.subject.uid);
  }

  /** Moves to another object, to which all of it is written. */
  moveTo(to: EntryObject): void {
    this.#placed(placeAfter(this.#place, { kind: 'move', to }));
    this.rewrite();
    if (this.isNew && !this.isAwaited) to.writeWithin(LAZY_MS);
    else to.writeUrgently(this.subject.uid);
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
  accept(observed: Observed, events: readonly Routed[], now: number): void {
    const { append, clock } = this.#options;
    const before = this.#state.observed;
    this.#state.observed = observed;
    // Only the version has changed, for instance by a new label: this needs no write.
    if (events.length === 0 && this.#stored !== undefined && isSameButVersion(before, observed)) return;
    this.#changes.observed = true;
    const waits = events.some(({ to }) => to.length > 0);
    if (waits) {
      append(this.#state.log, events, { acceptedAt: now, since: clock.monotonic(), restored: false });
      this.#changes.log = true;
    }
    if (this.#object?.cannotWrite === true) this.#release(observed.seq);
    if (waits) this.#object?.writeUrgently(this.subject.uid);
    else this.#object?.writeWithin(LAZY_MS);
  }

  /** Deliveries have ended and left the log. Stored within `withinMs`; in a burst, with the next write of the object. */
  settled(ending: OutcomeLine, withinMs: number): void {
    this.#state.outcomes.add(ending, this.#changes.outcomes);
    this.#changes.log = true;
    for (const id of ending.ids ?? []) this.#ended.add(`${ending.stream} ${id}`);
    dropOldest(this.#ended, MOST_ENDED);
    if (!this.#finish(withinMs)) this.#object?.settleWithin(withinMs);
  }

  /** Whether there are events that are neither stored nor released. */
  get hasUnstored(): boolean {
    const known = Math.max(this.#released, this.#stored?.seq ?? 0);
    return (this.#state.log.newest?.seq ?? 0) > known;
  }

  /** Whether something waits for the next write: an event to send, or a request. */
  get isAwaited(): boolean {
    return this.hasUnstored || this.#waiters.some(({ isUrgent }) => isUrgent);
  }

  /** Whether no entry is stored, as far as known: the plan has its first journal, or its journal was deleted. */
  get isNew(): boolean {
    return lastOf(this.#place) === undefined;
  }

  /** Whether it may move: nothing that is stored elsewhere has to be removed. */
  get isSettled(): boolean {
    return this.#place.kind === 'at' || this.isNew;
  }

  /** Whether an event is stored. */
  stores({ seq }: Pick<LogEntry, 'seq'>): boolean {
    return !this.isNew && seq <= (this.#stored?.seq ?? 0);
  }

  /** Resolves when the value of a sink is stored, or cannot be stored. */
  remember(stream: string, key: string, value: unknown, priority: SavePriority): Promise<void> {
    const changed = this.#state.remember({ stream, key, value });
    for (const each of changed) this.#changes.streams.add(each);
    // Without a change there is no write to wait for.
    if (changed.size === 0 || this.#isClosed || this.#finish(SETTLE_MS)) return Promise.resolve();
    if (priority === 'now') this.#object?.writeNow();
    else if (priority === 'soon') this.#object?.writeUrgently(this.subject.uid);
    else this.#object?.settleWithin(SETTLE_MS);
    if (this.#object?.cannotWrite === true) return Promise.resolve();
    return this.#written(priority !== 'later');
  }

  /** Resolves when all outcomes are stored, or cannot be stored; undefined: they are stored. */
  persistOutcomes(): Promise<void> | undefined {
    if (!this.#changes.log || this.#isClosed || this.#object?.cannotWrite !== false) return undefined;
    this.#object?.writeUrgently(this.subject.uid);
    return this.#written(true);
  }

  /** Resolves at the next write. */
  #written(isUrgent: boolean): Promise<void> {
    return new Promise((resolve) => this.#waiters.push({ resolve, isUrgent }));
  }

  /** Writes all changes. Resolves when they are stored, or a write has failed once. */
  async flush(): Promise<void> {
    const object = this.#object;
    await object?.flush();
    // It may have moved because of its size.
    if (this.#object !== object) await this.#object?.flush();
  }

  /** Writes all of it again. */
  rewrite(): void {
    this.#logTexts.reset();
    this.#changes = {
      ...{ touched: true, observed: true, log: true },
      plan: this.#deletedAt !== undefined || this.#lengths.has('plan'),
      // Another process may have written more of them.
      outcomes: new LazySet([
        ...this.#state.outcomes.slots,
        ...(this.isNew ? [] : this.#state.outcomes.free),
      ]),
      streams: new LazySet([
        ...this.#state.memories().map(({ stream }) => stream),
        ...this.#writtenStreams(),
      ]),
    };
  }

  /** The streams whose values may be in the journal. */
  *#writtenStreams(): Iterable<string> {
    for (const name of this.#lengths.keys()) if (name.startsWith('sinks ')) yield name.slice('sinks '.length);
  }

  /** Writes it even without a change. */
  touch(): void {
    this.#changes.touched = true;
  }

  /** The entry was deleted from this object, or cannot be read there. */
  lost(object: EntryObject): void {
    this.#placed(placeAfter(this.#place, { kind: 'lost', object }));
    if (object === this.#object) this.rewrite();
  }

  /** The plan was deleted. Its entry stays until nothing waits any more. */
  planDeleted(at: number): void {
    this.#deletedAt = at;
    const { clock, ageOf = (then) => clock.now() - then } = this.#options;
    const leftMs = DELETED_MS - ageOf(at);
    this.#cancelDeleted = clock.after(Math.max(0, leftMs), () => {
      this.#cancelDeleted = undefined;
      this.#finish(SETTLE_MS);
    });
    if (this.#finish(LAZY_MS)) return;
    this.#changes.plan = true;
    this.#object?.writeUrgently(this.subject.uid);
  }

  /** The plan is there again, under its uid: it was restored from a backup. */
  planReturned(): void {
    this.#cancelDeleted?.();
    this.#deletedAt = undefined;
    this.#changes.plan = true;
    this.#object?.writeWithin(LAZY_MS);
  }

  /** Discards the entry of a deleted plan for which nothing waits. False: the plan exists, or something waits. */
  #finish(withinMs: number): boolean {
    if (this.#deletedAt === undefined || this.#isClosed || !this.#state.log.isEmpty) return false;
    const { isOpen = () => false } = this.#options;
    if (this.#cancelDeleted !== undefined && this.#state.memories().some(isOpen)) return false;
    this.close();
    this.#placed(NOWHERE, withinMs);
    this.#options.finished?.();
    return true;
  }

  /** Resolves all promises that wait for a write, and ends the timer. */
  close(): void {
    this.#isClosed = true;
    this.#cancelDeleted?.();
    for (const { resolve } of this.#waiters.splice(0)) resolve();
  }

  /** Whether its write takes so long that it needs its own turn of the event loop. */
  get isWide(): boolean {
    const { observed, log } = this.#state;
    return observed.targets.length + log.streams.size > MANY;
  }

  /** Takes its changes for a write. `short`: with long messages cut. Yields where other work may run. */
  *draft(short = false): Generator<undefined, EntryDraft> {
    const changes = this.#changes;
    this.#changes = noChanges();
    const { observed } = this.#state;
    const waiters = this.#waiters.length;
    return { plan: this, texts: yield* this.#changedTexts(changes, short), observed, changes, waiters };
  }

  /**
   * Makes a draft a write; undefined: the entry would be longer than `room` (characters), and the changes still have to be written.
   * Synchronous when no text has to be deflated.
   */
  complete(draft: EntryDraft, room: number): EntryWrite | undefined | Promise<EntryWrite | undefined> {
    const packing = packLong(draft.texts);
    return packing === undefined
      ? this.#complete(draft, room, true)
      : packing.then((isPacked) => this.#complete(draft, room, isPacked));
  }

  #complete(draft: EntryDraft, room: number, isPacked: boolean): EntryWrite | undefined {
    const { changes, texts } = draft;
    if (isPacked && this.#lengthWith(texts) <= room) return { ...draft, patch: this.#patch(texts, changes) };
    this.#again(changes);
    return undefined;
  }

  /** Prepares a write of all of it with long messages cut, dropping deliveries until it fits; undefined: nothing more can be dropped. */
  async prepareShortWrite(room: number, took?: (ms: number) => void): Promise<EntryWrite | undefined> {
    for (;;) {
      const { pending } = this;
      this.rewrite();
      await nextTurn();
      const draft = await inSlices(this.#options.clock, this.draft(true), took);
      const write = await this.complete(draft, room);
      if (write !== undefined) return write;
      // The plan was deleted meanwhile. Its deliveries are finished from memory.
      if (this.#isClosed) return undefined;
      // Deliveries that ended meanwhile have made room.
      if (
        this.pending >= pending &&
        !this.#state.dropOldValues(this.#options.isOpen ?? (() => false)) &&
        !this.#options.halveLongest(this.#state.log)
      )
        return undefined;
    }
  }

  /** Our write is stored. */
  committed({ patch, texts, observed, waiters }: EntryWrite): void {
    this.#logTexts.written(texts);
    this.#storedGen = patch.gen;
    this.#stored = observed;
    if (!this.#changes.log) this.#ended.clear();
    this.#release(observed.seq);
    for (const { resolve } of this.#waiters.splice(0, waiters)) resolve();
    this.#placed(placeAfter(this.#place, { kind: 'stored' }));
    // Another process may have ended its last deliveries.
    if (!this.#finish(LAZY_MS) && !this.#state.log.isEmpty && !this.#lengths.has('plan'))
      this.#object?.writeWithin(LAZY_MS);
  }

  /** A write has failed. */
  failed({ changes }: EntryWrite): void {
    this.#again(changes);
  }

  /** Nothing can be stored: events are delivered from memory. */
  deliverFromMemory(): void {
    this.#release(this.#state.observed.seq);
    for (const { resolve } of this.#waiters.splice(0)) resolve();
  }

  /**
   * Another process with no higher term wrote in between (a former leader that did not know it). Its events stay, without the deliveries
   * that have ended here. Events that we derived and did not release are derived again from its state.
   */
  adopt(theirs: StoredPlan): void {
    const { log } = this.#state;
    log.truncate();
    this.#restore(theirs.events());
    // They may be newer than those that this process read at its start.
    for (const memory of theirs.sinks) {
      const { restored = false } = this.#state.recall(memory.stream, memory.key) ?? { restored: true };
      if (restored) this.#state.remember(memory);
    }
    this.#gen = Math.max(this.#gen, theirs.gen);
    this.#storedGen = theirs.gen;
    this.#found(theirs);
    this.#placed(placeAfter(this.#place, { kind: 'adopted' }));
    this.#state.observed = theirs.observed;
    this.rewrite();
    this.#options.rebase(theirs.observed);
  }

  /** The entry has these texts, which another process wrote. */
  #found({ lengths }: StoredPlan): void {
    for (const [name, length] of lengths) this.#lengths.set(name, length);
    this.#logTexts.found(lengths.keys());
  }

  /** Restores events that another process accepted. It may have sent them. */
  #restore(events: Iterable<StoredEvent>): void {
    const { append, clock, log } = this.#options;
    const { ageOf = (at) => clock.now() - at } = this.#options;
    for (const { event, to, acceptedAt } of events) {
      const open = to.filter((stream) => !this.#ended.has(`${streamKey(stream)} ${idPart(event.id)}`));
      if (event.seq <= log.releasedTo || open.length === 0) continue;
      const since = clock.monotonic() - Math.max(0, ageOf(acceptedAt));
      append(log, [{ event, to: open }], { acceptedAt, since, restored: true });
    }
  }

  /** The texts that have changed, not packed. Yields where other work may run. */
  *#changedTexts(changes: Changes, short: boolean): Generator<undefined, Texts> {
    const { observed, log } = this.#state;
    const { resets } = this.#logTexts;
    const texts: Texts = new Map(changes.log ? yield* this.#logTexts.changes(short) : []);
    // No other work may run from here until the table is read, not even a promise that has settled: it may end the last delivery of the log.
    const { lastTable } = this.#logTexts;
    if (lastTable !== undefined && lastTable !== this.#lastTable) changes.observed = true;
    if (changes.observed) {
      this.#lastTable = lastTable;
      const content = observedContent(
        observed,
        lastTable === undefined ? undefined : log.tables.at(lastTable),
      );
      texts.set('observed', JSON.stringify(short ? shortObserved(content) : content));
    }
    const isOver = log.isEmpty && this.#deletedAt === undefined;
    // A change as all others: if this write fails, the next one has it.
    changes.plan ||= isOver ? this.#lengths.has('plan') : this.#isPlanWanted;
    if (changes.plan)
      texts.set(
        'plan',
        isOver ? null : planText({ plan: log.plan.current, deletedAt: this.#deletedAt }, short),
      );
    for (const stream of changes.streams) {
      const memories = this.#state.memories(stream);
      texts.set(`sinks ${stream}`, memories.length === 0 ? null : valuesText(memories));
    }
    // Meanwhile all of it has become due again. This write may be left out, for instance because the plan has moved.
    if (this.#logTexts.resets !== resets) this.#logTexts.reset();
    return texts;
  }

  #patch(texts: Texts, { outcomes }: Changes): EntryWrite['patch'] {
    const patch: Record<string, unknown> = {};
    for (const [name, text] of texts) {
      if (text === null) this.#lengths.delete(name);
      else this.#lengths.set(name, text.length);
      const [part = '', key] = name.split(' ');
      if (key === undefined) patch[part] = text;
      else ((patch[part] ??= {}) as Record<string, unknown>)[key] = text;
    }
    Object.assign(patch, this.#state.outcomes.in(outcomes));
    return { name: this.subject.name, gen: ++this.#gen, waiting: this.pending, ...patch };
  }

  #lengthWith(texts: Texts): number {
    let length = this.length + this.#state.outcomes.length;
    for (const [name, text] of texts) length += (text?.length ?? 0) - (this.#lengths.get(name) ?? 0);
    return length;
  }

  /** These changes still have to be written. */
  #again(changes: Changes): void {
    const now = this.#changes;
    now.touched ||= changes.touched;
    now.observed ||= changes.observed;
    now.log ||= changes.log;
    now.plan ||= changes.plan;
    // It is not known whether the texts are stored.
    if (changes.log) this.#logTexts.reset();
    for (const slot of changes.outcomes) now.outcomes.add(slot);
    for (const stream of changes.streams) now.streams.add(stream);
  }

  #release(upTo: number): void {
    this.#released = Math.max(this.#released, upTo);
    this.#options.release(this.#state.log, this.#released);
  }
}

/** Deflates long texts. Resolves with false if one is too long; undefined: no text is long. */
function packLong(texts: Texts): Promise<boolean> | undefined {
  const packings: Promise<boolean>[] = [];
  for (const [name, text] of texts) {
    const packing = text === null ? null : pack(text);
    if (!(packing instanceof Promise)) continue;
    packings.push(
      packing.then((packed) => {
        if (packed !== undefined) texts.set(name, packed);
        return packed !== undefined;
      }),
    );
  }
  return packings.length === 0
    ? undefined
    : Promise.all(packings).then((each) => each.every((isPacked) => isPacked));
}
