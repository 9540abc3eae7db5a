import { dropOldest } from '../drop-oldest.ts';
import { LazyMap, LazySet } from '../lazy-collections.ts';
import type { PlanLog } from '../dispatch/plan-log.ts';
import type { Observed } from '@hnotif/core/lifecycle';
import type { EntryPatch } from '@hnotif/core/resources';
import { observedContent, shortObserved } from './content.ts';
import { valuesText, type StoredPlan, type StoredValue } from './entry.ts';
import { logTexts, nothingWritten } from './log-texts.ts';
import { freeSlotsOf, lengthOf, linesIn, NO_OUTCOMES, slotsOf } from './outcomes.ts';
import { planText } from './plan-text.ts';
import { packLong, type Sizes, type Texts } from './text.ts';

/** An entry of at most this size returns to a shared object (characters). */
export const SMALL = 8 * 1024;
/** Values stored for one sink of a plan: each operation of a cycle has one. */
const VALUES_PER_SINK = 8;
/** Texts with the values of a stream have these names. */
const SINKS = 'sinks ';
/** Values stored for all sinks. Deleted sinks leave their values behind. */
const VALUES = 256;

/** The changes of an entry since its last write. */
interface Changes {
  observed: boolean;
  /** The log. */ log: boolean;
  /** The state of the plan itself. */ plan: boolean;
  /** The slots of outcomes, by their names. */
  readonly outcomes: LazySet<string>;
  /** The streams whose values have changed. */
  readonly streams: LazySet<string>;
}

const NONE_DEFLATED: Sizes = new Map();

const noChanges = (): Changes => ({
  ...{ observed: false, log: false, plan: false },
  ...{ outcomes: new LazySet(), streams: new LazySet() },
});

/** The changes of an entry, taken for a write. */
export interface EntryDraft {
  readonly texts: Texts;
  readonly observed: Observed;
  readonly changes: Changes;
}

/** A write of an entry. */
export interface EntryWrite extends EntryDraft {
  readonly patch: EntryPatch & { readonly gen: number };
}

/**
 * The data of one plan that is stored: its observed state, its log, the values of its sinks, the last outcomes; and the texts of its entry that
 * have to be written because of that.
 */
export class JournalState {
  /** The dispatcher removes deliveries that have ended. */
  readonly log: PlanLog;
  observed: Observed;
  /** When the plan was deleted (milliseconds since the epoch); undefined: it exists. */
  deletedAt: number | undefined;
  /** The last stored entry that we wrote or read; undefined: there was none. */
  stored: Pick<StoredPlan, 'gen' | 'observed'> | undefined;
  /** How the last deliveries ended. */
  outcomes = NO_OUTCOMES;
  /** The values of sinks, in the order of their first save. */
  readonly #memories = new LazyMap<string, StoredValue>();
  /** Values that eight newer ones of their sink have replaced. Saved again, they are not new. */
  readonly #replaced = new LazySet<string>();
  #written = nothingWritten();
  /** Characters of each text that may be stored. */
  readonly #lengths = new LazyMap<string, number>();
  /** Bytes of the JSON of those that are deflated. */
  readonly #sizes = new LazyMap<string, number>();
  /** They have to be written. Code that changes the state sets them. */
  changes = noChanges();
  #gen = 0;

  constructor(observed: Observed, log: PlanLog) {
    this.observed = observed;
    this.log = log;
  }

  /** Whether an event waits in a stream. `id`: the beginning of its id. */
  waits(stream: string, id: string): boolean {
    const found = this.log.streams.get(stream);
    return found !== undefined && this.log.waitingOf(found).some((entry) => entry.id.startsWith(id));
  }

  /** The values of all sinks, or of one stream. The oldest comes first. */
  memories(stream?: string): readonly StoredValue[] {
    const all = [...this.#memories.values()];
    return stream === undefined ? all : all.filter((memory) => memory.stream === stream);
  }

  /** The value of a stream under a key. */
  recall(stream: string, key: string): StoredValue | undefined {
    return this.#memories.get(idOf({ stream, key }));
  }

  /**
   * Saves a value. If there are too many, of the stream or of all, the oldest is removed: the one that was saved first, even if it was
   * saved again later. An update of an old thread must not remove a newer thread. Returns the streams whose values have changed.
   */
  remember(memory: StoredValue): ReadonlySet<string> {
    const id = idOf(memory);
    if (this.#replaced.has(id)) return new Set();
    const isNew = !this.#memories.has(id);
    this.#memories.set(id, memory);
    const changed = new Set([memory.stream, ...(isNew ? this.#makeRoom(memory.stream) : [])]);
    for (const each of changed) this.changes.streams.add(each);
    return changed;
  }

  /** After a new value of `stream`. Returns the other streams that have lost one. */
  #makeRoom(stream: string): readonly string[] {
    const [ofAll] = this.#memories.values();
    const [ofStream, ...others] = this.memories(stream);
    const isFull = this.#memories.size > VALUES && ofAll !== undefined;
    if (isFull) this.#memories.delete(idOf(ofAll));
    if (others.length >= VALUES_PER_SINK && ofStream !== undefined) {
      this.#memories.delete(idOf(ofStream));
      this.#replaced.add(idOf(ofStream));
      dropOldest(this.#replaced, VALUES);
    }
    return isFull ? [ofAll.stream] : [];
  }

  /**
   * Removes values, but not the last one of each sink: at first those that nobody needs, such as the threads whose cards show their end; if
   * there are none, those that are `open`, too. False: there were no others.
   */
  dropOldValues(open: (memory: StoredValue) => boolean): boolean {
    const all = this.memories();
    const newest = new Map(all.map((memory) => [memory.stream, memory]));
    const old = all.filter((memory) => newest.get(memory.stream) !== memory);
    const unneeded = old.filter((memory) => !open(memory));
    const dropped = unneeded.length > 0 ? unneeded : old;
    for (const memory of dropped) this.#memories.delete(idOf(memory));
    return dropped.length > 0;
  }

  /** Whether there is something to write. */
  get isDirty(): boolean {
    const { observed, log, plan, outcomes, streams } = this.changes;
    return observed || log || plan || outcomes.size > 0 || streams.size > 0;
  }

  /** Characters of the entry that was written last, without outcomes. */
  get length(): number {
    let length = 0;
    for (const each of this.#lengths.values()) length += each;
    return length;
  }

  /** Whether the state of the plan itself may be stored. */
  get hasPlan(): boolean {
    return this.#lengths.has('plan');
  }

  /** Another process has stored this entry. */
  found({ gen, observed, lengths, sizes }: Pick<StoredPlan, 'gen' | 'observed' | 'lengths' | 'sizes'>): void {
    this.stored = { gen, observed };
    this.#gen = Math.max(this.#gen, gen);
    for (const [name, length] of lengths) this.#has(name, length, sizes.get(name));
  }

  #has(name: string, length: number, size: number | undefined): void {
    this.#lengths.set(name, length);
    if (size === undefined) this.#sizes.delete(name);
    else this.#sizes.set(name, size);
  }

  /** Nothing is stored any more. */
  lost(): void {
    this.#lengths.clear();
    this.#sizes.clear();
  }

  /** All of it is stored. `log`: but the log has to be written again, because cursors refer to the texts of this process. */
  unchanged(log: boolean): void {
    this.changes = { ...noChanges(), log };
  }

  /** Writes all of it again. */
  rewrite(): void {
    const { deletedAt, outcomes } = this;
    const stored = [...this.#lengths.keys()];
    this.#written = nothingWritten();
    this.changes = {
      ...{ observed: true, log: true },
      plan: deletedAt !== undefined || this.hasPlan,
      // Another process may have written more of them.
      outcomes: new LazySet([...slotsOf(outcomes), ...(stored.length === 0 ? [] : freeSlotsOf(outcomes))]),
      streams: new LazySet([
        ...this.memories().map(({ stream }) => stream),
        ...stored.flatMap((name) => (name.startsWith(SINKS) ? [name.slice(SINKS.length)] : [])),
      ]),
    };
  }

  /** Takes the changes for a write. `short`: with long messages cut. Yields where other work may run. */
  *draft(short: boolean): Generator<undefined, EntryDraft> {
    const changes = this.changes;
    this.changes = noChanges();
    const { deletedAt, log, observed } = this;
    const before = this.#written.last?.table;
    const made = changes.log ? yield* this.#logTexts(short) : undefined;
    const texts: Texts = made?.texts ?? new Map();
    // No other work may run from here until the table is read, not even a promise that has settled: it may end the last delivery of the log.
    const last = (made?.written ?? this.#written).last?.table;
    if (last !== undefined && last !== before) changes.observed = true;
    if (changes.observed) {
      const content = observedContent(observed, last === undefined ? undefined : log.tables.at(last));
      texts.set('observed', JSON.stringify(short ? shortObserved(content) : content));
    }
    const isOver = log.isEmpty && deletedAt === undefined;
    // A change as all others: if this write fails, the next one has it.
    changes.plan ||= isOver && this.hasPlan;
    if (changes.plan)
      texts.set('plan', isOver ? null : planText({ plan: log.plan.current, deletedAt }, short));
    for (const stream of changes.streams) {
      const memories = this.memories(stream);
      texts.set(`${SINKS}${stream}`, memories.length === 0 ? null : valuesText(memories));
    }
    return { texts, observed, changes };
  }

  /**
   * The texts of the log. If all of it has become due again meanwhile, they begin again, and the next write has all of it, too: this one may be
   * left out, for instance because the plan has moved.
   */
  *#logTexts(short: boolean): ReturnType<typeof logTexts> {
    const before = this.#written;
    let made = yield* logTexts(this.log, before, short, this.#lengths);
    const isAgain = before !== this.#written;
    if (isAgain) made = yield* this.#logTexts(short);
    this.#written = isAgain ? nothingWritten() : made.written;
    return made;
  }

  /**
   * Makes a draft a write; undefined: the entry would be longer than `room` (characters) or than what can be read, and the changes still
   * have to be written. Synchronous when no text has to be deflated.
   */
  complete<D extends EntryDraft>(
    draft: D,
    room: number,
  ): (D & EntryWrite) | undefined | Promise<(D & EntryWrite) | undefined> {
    const complete = (sizes: Sizes | undefined): (D & EntryWrite) | undefined => {
      if (sizes !== undefined && this.#lengthWith(draft.texts) <= room)
        return { ...draft, patch: this.#patch(draft, sizes) };
      this.failed(draft);
      return undefined;
    };
    return packLong(draft.texts, this.#sizes)?.then(complete) ?? complete(NONE_DEFLATED);
  }

  /** These changes still have to be written. */
  failed({ changes }: EntryDraft): void {
    const now = this.changes;
    now.observed ||= changes.observed;
    now.log ||= changes.log;
    now.plan ||= changes.plan;
    // It is not known whether the texts are stored.
    if (changes.log) this.#written = nothingWritten();
    for (const slot of changes.outcomes) now.outcomes.add(slot);
    for (const stream of changes.streams) now.streams.add(stream);
  }

  /** This write is stored. */
  committed({ observed, patch, texts }: EntryWrite): void {
    this.stored = { gen: patch.gen, observed };
    for (const [name, text] of texts) {
      if (text !== null) continue;
      this.#lengths.delete(name);
      this.#sizes.delete(name);
    }
  }

  #patch({ changes, texts }: EntryDraft, sizes: Sizes): EntryWrite['patch'] {
    const { name, pending: waiting } = this.log;
    const patch: EntryWrite['patch'] & Record<string, unknown> = { name, gen: ++this.#gen, waiting };
    for (const [of, text] of texts) {
      if (text !== null) this.#has(of, text.length, sizes.get(of));
      const [part = '', key] = of.split(' ');
      if (key === undefined) patch[part] = text;
      else ((patch[part] ??= {}) as Record<string, unknown>)[key] = text;
    }
    return Object.assign(patch, linesIn(this.outcomes, changes.outcomes));
  }

  #lengthWith(texts: Texts): number {
    let length = this.length + lengthOf(this.outcomes);
    for (const [name, text] of texts) length += (text?.length ?? 0) - (this.#lengths.get(name) ?? 0);
    return length;
  }
}

const idOf = ({ stream, key }: Pick<StoredValue, 'stream' | 'key'>): string => `${stream} ${key}`;
