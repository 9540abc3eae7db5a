import { nextTurn, type Clock } from '../clock.ts';
import type { Acceptance, LogEntry, Routed } from '../dispatch/log-entry.ts';
import type { PlanLog } from '../dispatch/plan-log.ts';
import type { Subject } from '../lifecycle/event-json.ts';
import { isSameButVersion, type Observed } from '../lifecycle/observed.ts';
import type { EntryPatch } from '../resources/journal.ts';
import { observedContent, shortObserved, type StoredEvent } from './content.ts';
import { valuesText, type StoredPlan } from './entry.ts';
import { LogTexts } from './log-texts.ts';
import { JournalState, type OutcomeLine } from './state.ts';
import { pack } from './text.ts';

/** The journal object in which a plan has its entry. */
export interface EntryObject {
  /** Whether nothing can be written there now, so that what is accepted is delivered from memory. */
  readonly cannotWrite: boolean;
  /** Whether our own term stands there: no former leader can write any more. */
  readonly isOurs: boolean;
  /** Something is to be written within so many milliseconds. */
  writeWithin(withinMs: number): void;
  /** Something of a plan that is waited for is to be written within so many milliseconds; 0: now, but for a burst. */
  writeUrgently(uid: string, withinMs: number): void;
  /** Writes what is not written yet; resolves when that is done, or has failed once. */
  flush(): Promise<void>;
  /** Takes the entry of a plan out, which is in no hurry. */
  discard(uid: string): void;
}

export interface PlanJournalOptions {
  readonly clock: Clock;
  /** How long ago events were accepted of which a journal says so (milliseconds since the epoch). Default: by the clock of the machine. */
  readonly ageOf?: ((at: number) => number) | undefined;
  readonly subject: Subject;
  /** Empty. What waits in it is kept. */
  readonly log: PlanLog;
  /** Puts events into the log, and keeps it within its bounds. */
  readonly append: (log: PlanLog, routed: readonly Routed[], by: Acceptance) => void;
  /** Events up to this seq are kept (or cannot be): they may be sent. */
  readonly release: (log: PlanLog, upTo: number) => void;
  /** The log is too large to be kept: some of it is dropped. False: there is nothing to drop. */
  readonly halveLongest: (log: PlanLog) => boolean;
  /** What was derived since then is not kept: derive again from this. Calls `accept`, or not. */
  readonly rebase: (observed: Observed) => void;
}

/** A plan of more targets, or with more that waits, is written in a turn of the event loop of its own. */
const MANY = 1_000;
/** After so long other work has its turn (milliseconds). */
const SLICE_MS = 4;
/** What changed and is urgent for nothing is written after so long (milliseconds). */
export const LAZY_MS = 1_000;
/** What was settled waits no longer for its turn (milliseconds): a kill makes it come twice. */
const SETTLE_PATIENCE_MS = 5_000;
/** The longest entry (characters, all of one byte): an object of 1 MiB and more is refused by many clusters. */
export const LARGEST_ENTRY = 700_000;

/** What of an entry differs from what was written last. */
interface Changes {
  /** Nothing but who writes. */
  touched: boolean;
  observed: boolean;
  /** What waits. */
  log: boolean;
  /** Slots. */
  readonly outcomes: Set<string>;
  /** Streams whose sinks remember something else. */
  readonly streams: Set<string>;
}

const noChanges = (): Changes => ({
  ...{ touched: false, observed: false, log: false },
  ...{ outcomes: new Set(), streams: new Set() },
});

/** What is being written of a plan. */
export interface EntryWrite {
  readonly plan: PlanJournal;
  readonly patch: EntryPatch & { readonly gen: number };
  readonly texts: Texts;
  readonly observed: Observed;
  readonly changes: Changes;
  /** How many of those who wait for a value of a sink wait for this write. */
  readonly waiters: number;
}

/** Texts of an entry by their names: `observed`, `log 12`, `sinks night/ops`. null: it is taken out. */
type Texts = Map<string, string | null>;

/**
 * What is kept of one plan. What is accepted is released when the write that holds it has been acknowledged, and not before: but
 * where nothing can be written, it is delivered from memory, and that is told.
 */
export class PlanJournal {
  readonly subject: Subject;
  /** Whether its entry is too large to stand beside others. */
  isLarge = false;
  readonly #options: PlanJournalOptions;
  readonly #state: JournalState;
  readonly #lengths = new Map<string, number>();
  #object: EntryObject = NO_OBJECT;
  #changes: Changes = noChanges();
  readonly #logTexts: LogTexts;
  /** The target table that is told beside what was observed, by its number. */
  #lastTable: number | undefined;
  #gen: number;
  /** `gen` of the entry that stands in the journal, as far as is known; undefined: none does. */
  #storedGen: number | undefined;
  /** What the last acknowledged write held; undefined: there was none. */
  #stored: Observed | undefined;
  /** Events up to this one have been released. */
  #released: number;
  #isClosed = false;
  #waiters: (() => void)[] = [];
  /** Ends the patience of what is settled and not written. */
  #cancelPatience: (() => void) | undefined;
  /** Other objects with an entry, which is taken out once it stands in its present place. */
  readonly #formerObjects = new Set<EntryObject>();

  /** `observed`: what is known of the plan where no journal says it. */
  constructor(options: PlanJournalOptions, kept: StoredPlan | undefined, observed: Observed) {
    const { log, subject } = options;
    this.subject = subject;
    this.#options = options;
    this.#gen = kept?.gen ?? 0;
    this.#storedGen = kept?.gen;
    this.#stored = kept?.observed;
    this.#state = new JournalState(kept?.observed ?? observed, log);
    this.#restore(kept?.events() ?? []);
    for (const memory of kept?.sinks ?? []) this.#state.remember(memory);
    this.#state.restoreOutcomes(kept?.outcomes ?? {});
    for (const [name, length] of kept?.lengths ?? []) this.#lengths.set(name, length);
    this.#logTexts = new LogTexts(log, this.#lengths.keys());
    this.#released = log.isEmpty ? (kept?.observed.seq ?? 0) : 0;
  }

  /** What was observed last, be it kept or not: derive from this. */
  get observed(): Observed {
    return this.#state.observed;
  }

  get state(): Pick<JournalState, 'recall' | 'memories' | 'outcomes'> {
    return this.#state;
  }

  get pending(): number {
    return this.#state.log.pending;
  }

  /** The streams in which something waits. */
  *waitingStreams(): Iterable<string> {
    for (const [key, { waiting }] of this.#state.log.streams) if (waiting > 0) yield key;
  }

  /** When the oldest of what waits was accepted (milliseconds since the epoch); Infinity: nothing waits. */
  get oldest(): number {
    return this.#state.log.oldest?.acceptedAt ?? Infinity;
  }

  /** Whether there is something to write. */
  get isDirty(): boolean {
    const { touched, observed, log, outcomes, streams } = this.#changes;
    return touched || observed || log || outcomes.size > 0 || streams.size > 0;
  }

  /** Characters of the entry that was written last. */
  get length(): number {
    let length = 0;
    for (const each of this.#lengths.values()) length += each;
    return length;
  }

  /** Whether the entry with this `gen` is the one that we know. */
  isStored(gen: number): boolean {
    return gen === this.#storedGen;
  }

  /**
   * It has an entry in this object from now on. `isThere`: an earlier process has written it there; what waits in it is sent once our own
   * term stands there. What `others` say of the plan is older.
   */
  placeIn(place: EntryObject, isThere: boolean, others: readonly EntryObject[]): void {
    for (const other of others) this.#formerObjects.add(other);
    this.move(place);
    const { isEmpty } = this.#state.log;
    if (isThere) {
      // What waits is written anew: cursors refer to the texts of this process.
      this.#changes = { ...noChanges(), touched: !isEmpty, log: !isEmpty };
      if (place.isOurs) this.#release(this.#state.observed.seq);
      this.#leaveFormer();
    }
    if (!this.isDirty) return;
    if (isEmpty) place.writeWithin(LAZY_MS);
    else place.writeUrgently(this.subject.uid, 0);
  }

  /** What was derived, at `now` (milliseconds since the epoch). Released as soon as it is kept. */
  accept(observed: Observed, events: readonly Routed[], now: number): void {
    const { append, clock } = this.#options;
    const before = this.#state.observed;
    this.#state.observed = observed;
    // Labels and the like: not worth a write.
    if (events.length === 0 && this.#stored !== undefined && isSameButVersion(before, observed)) return;
    this.#changes.observed = true;
    const waits = events.some(({ to }) => to.length > 0);
    if (waits) {
      append(this.#state.log, events, { acceptedAt: now, since: clock.monotonic(), restored: false });
      this.#changes.log = true;
    }
    if (this.#object.cannotWrite) this.#release(observed.seq);
    if (waits) this.#object.writeUrgently(this.subject.uid, 0);
    else this.#object.writeWithin(LAZY_MS);
  }

  /** Deliveries have ended, and are out of the log; written within `withinMs`, for a chat however many others are to be written. */
  settled(ending: OutcomeLine, withinMs: number, isChat: boolean): void {
    this.#changes.outcomes.add(this.#state.addOutcome(ending));
    this.#changes.log = true;
    if (isChat) this.#object.writeUrgently(this.subject.uid, withinMs);
    else this.#object.writeWithin(withinMs);
    if (this.#isClosed) return;
    this.#cancelPatience ??= this.#options.clock.after(SETTLE_PATIENCE_MS, () => {
      this.#object.writeUrgently(this.subject.uid, 0);
    });
  }

  /** Whether something was accepted that is neither kept nor released. */
  get isHeld(): boolean {
    const known = Math.max(this.#released, this.#stored?.seq ?? 0);
    return this.#state.log.entries().some(({ seq }) => seq > known);
  }

  /** Whether an event stands in what was written last. */
  stores({ seq }: Pick<LogEntry, 'seq'>): boolean {
    return this.#storedGen !== undefined && seq <= (this.#stored?.seq ?? 0);
  }

  /** Resolves when what a sink remembers is kept, or cannot be. */
  remember(stream: string, key: string, value: unknown): Promise<void> {
    for (const changed of this.#state.remember({ stream, key, value })) this.#changes.streams.add(changed);
    if (this.#isClosed) return Promise.resolve();
    this.#object.writeUrgently(this.subject.uid, 0);
    if (this.#object.cannotWrite) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  /** Resolves when all that has ended is kept, or cannot be; undefined: it is. */
  persistOutcomes(): Promise<void> | undefined {
    if (!this.#changes.log || this.#isClosed || this.#object.cannotWrite) return undefined;
    this.#object.writeUrgently(this.subject.uid, 0);
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  /** Writes what is not written yet; resolves when that is done, or has failed once. */
  async flush(): Promise<void> {
    const place = this.#object;
    await place.flush();
    // It may have been too large for that one.
    if (this.#object !== place) await this.#object.flush();
  }

  /** It has another object from now on, to which all of it is written. */
  move(place: EntryObject): void {
    if (this.#object !== NO_OBJECT) this.#formerObjects.add(this.#object);
    this.#formerObjects.delete(place);
    this.#object = place;
    this.rewrite();
  }

  /** All of it is written anew. */
  rewrite(): void {
    this.#logTexts.reset();
    this.#changes = {
      ...{ touched: true, observed: true, log: true },
      outcomes: new Set(this.#state.outcomes.keys()),
      streams: new Set(this.#state.memories().map(({ stream }) => stream)),
    };
  }

  /** It is to be written, be there something new or not. */
  touch(): void {
    this.#changes.touched = true;
  }

  /** The entry is gone from its object. */
  vanished(): void {
    this.#storedGen = undefined;
    this.rewrite();
  }

  /** The plan is gone: what was accepted is finished from memory, be it kept or not. */
  planDeleted(): void {
    this.close();
    this.#object.discard(this.subject.uid);
    this.#leaveFormer();
    this.#release(this.#state.observed.seq);
  }

  /** Who waits for a value of a sink goes on. */
  close(): void {
    this.#isClosed = true;
    this.#cancelPatience?.();
    this.#cancelPatience = undefined;
    for (const resolve of this.#waiters.splice(0)) resolve();
  }

  /** What is to be written; undefined: it takes more than `room` (characters). */
  async prepareWrite(room: number): Promise<EntryWrite | undefined> {
    const { observed, log } = this.#state;
    // What has just been accepted has had its turn of the event loop.
    if (observed.targets.length + log.streams.size > MANY) {
      await nextTurn();
      await this.#makeIds();
    }
    return this.#prepare(room, false);
  }

  /** Half of the work of writing thousands of events are their ids: those are made in slices. */
  async #makeIds(): Promise<void> {
    const { clock } = this.#options;
    let began = clock.monotonic();
    for (const entry of this.#state.log.entries()) {
      void entry.id;
      if (clock.monotonic() - began < SLICE_MS) continue;
      await nextTurn();
      began = clock.monotonic();
    }
  }

  /** The same with long messages cut, and without what has to go for `room`; undefined: there is nothing left that could go. */
  async prepareShortWrite(room: number): Promise<EntryWrite | undefined> {
    for (;;) {
      const { pending } = this;
      this.rewrite();
      await nextTurn();
      const draft = await this.#prepare(room, true);
      if (draft !== undefined) return draft;
      // What was settled while it was packed has made room.
      if (
        this.pending >= pending &&
        !this.#state.dropOldValues() &&
        !this.#options.halveLongest(this.#state.log)
      )
        return undefined;
    }
  }

  async #prepare(room: number, short: boolean): Promise<EntryWrite | undefined> {
    const changes = this.#changes;
    this.#changes = noChanges();
    this.#cancelPatience?.();
    this.#cancelPatience = undefined;
    const { observed } = this.#state;
    const waiters = this.#waiters.length;
    const texts = await this.#texts(changes, short);
    if (texts !== undefined && this.#lengthWith(texts) <= room)
      return { plan: this, patch: this.#patch(texts, changes), texts, observed, changes, waiters };
    this.#again(changes);
    return undefined;
  }

  /** A write of ours stands there. */
  committed({ patch, texts, observed, waiters }: EntryWrite): void {
    this.#logTexts.written(texts);
    this.#storedGen = patch.gen;
    this.#stored = observed;
    this.#release(observed.seq);
    for (const resolve of this.#waiters.splice(0, waiters)) resolve();
    this.#leaveFormer();
  }

  /** A write came to nothing. */
  failed({ changes }: EntryWrite): void {
    this.#again(changes);
  }

  /** Nothing can be kept: what is accepted is delivered all the same. */
  deliverFromMemory(): void {
    this.#release(this.#state.observed.seq);
    for (const resolve of this.#waiters.splice(0)) resolve();
  }

  /**
   * Another process with no higher term wrote in between (a leader that did not know yet that it was none). What it kept is kept;
   * what we derived and have not released is derived again from there.
   */
  adopt(theirs: StoredPlan | undefined): void {
    if (theirs === undefined) {
      this.vanished();
      return;
    }
    const { log } = this.#state;
    log.truncate();
    this.#restore(theirs.events());
    for (const memory of theirs.sinks)
      if (this.#state.recall(memory.stream, memory.key) === undefined) this.#state.remember(memory);
    this.#gen = Math.max(this.#gen, theirs.gen);
    this.#storedGen = theirs.gen;
    this.#state.observed = theirs.observed;
    this.rewrite();
    this.#options.rebase(theirs.observed);
  }

  /** What another process accepted, and may have sent. */
  #restore(events: Iterable<StoredEvent>): void {
    const { append, clock, log } = this.#options;
    const { ageOf = (at) => clock.now() - at } = this.#options;
    for (const { event, to, acceptedAt } of events) {
      if (event.seq <= log.releasedTo) continue;
      const since = clock.monotonic() - Math.max(0, ageOf(acceptedAt));
      append(log, [{ event, to }], { acceptedAt, since, restored: true });
    }
  }

  /** The texts of what has changed; undefined: one is too long to be packed. */
  async #texts(changes: Changes, short: boolean): Promise<Texts | undefined> {
    const { observed, log } = this.#state;
    const texts: Texts = new Map(changes.log ? this.#logTexts.changes(short) : []);
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
    for (const stream of changes.streams) {
      const memories = this.#state.memories(stream);
      texts.set(`sinks ${stream}`, memories.length === 0 ? null : valuesText(memories));
    }
    for (const [name, text] of texts) {
      if (text === null) continue;
      const packing = pack(text);
      if (packing === text) continue;
      const packed = await packing;
      if (packed === undefined) return undefined;
      texts.set(name, packed);
    }
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
    if (outcomes.size > 0) patch.outcomes = this.#state.outcomesIn(outcomes);
    return { name: this.subject.name, gen: ++this.#gen, waiting: this.pending, ...patch };
  }

  #lengthWith(texts: Texts): number {
    let length = this.length;
    for (const [name, text] of texts) length += (text?.length ?? 0) - (this.#lengths.get(name) ?? 0);
    return length;
  }

  /** These have to be written after all. */
  #again(changes: Changes): void {
    const now = this.#changes;
    now.touched ||= changes.touched;
    now.observed ||= changes.observed;
    now.log ||= changes.log;
    // Whether the texts stand there is not known.
    if (changes.log) this.#logTexts.reset();
    for (const slot of changes.outcomes) now.outcomes.add(slot);
    for (const stream of changes.streams) now.streams.add(stream);
  }

  #leaveFormer(): void {
    for (const place of this.#formerObjects) place.discard(this.subject.uid);
    this.#formerObjects.clear();
  }

  #release(upTo: number): void {
    this.#released = Math.max(this.#released, upTo);
    this.#options.release(this.#state.log, this.#released);
  }
}

/** Before it has a place. */
const NO_OBJECT: EntryObject = {
  cannotWrite: false,
  isOurs: false,
  writeWithin: () => undefined,
  writeUrgently: () => undefined,
  flush: () => Promise.resolve(),
  discard: () => undefined,
};
