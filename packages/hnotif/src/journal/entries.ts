import type { Journal, JournalEntry, JournalSummary } from '@hnotif/core/resources';
import { readEntry } from './entry.ts';
import type { EntryObject } from './place.ts';
import type { PlanDraft, PlanJournal } from './plan-journal.ts';

/** Sinks that the summary names. */
const NAMED = 3;

/** What one journal object has of a plan. */
interface Slot {
  /** The plan, which knows the place of its entry; null: it was deleted, and nothing of it is kept; undefined: it was not seen yet. */
  plan: PlanJournal | null | undefined;
  /** Of a plan that was not seen yet. */
  entry: JournalEntry | undefined;
  /** Whether the object may have an entry of the plan. */
  isStored: boolean;
  /** Whether that is not the last entry of the plan. A write removes it before the plan is written here. */
  isOld: boolean;
}

/** The entries of one journal object, by the uid of their plan. */
export class Entries {
  readonly #object: EntryObject<PlanJournal>;
  readonly #placeOf: (plan: PlanJournal) => EntryObject<PlanJournal>;
  readonly #slots = new Map<string, Slot>();

  /** `placeOf`: the object that should hold the entry of a plan. */
  constructor(
    object: EntryObject<PlanJournal>,
    placeOf: (plan: PlanJournal) => EntryObject<PlanJournal>,
    found?: Pick<Journal, 'plans'>,
  ) {
    this.#object = object;
    this.#placeOf = placeOf;
    for (const [uid, entry] of found?.plans ?? []) this.#found(uid, entry);
  }

  /** All entries, also those that the next write removes. It is asked for each event and each outcome, so nothing is counted. */
  get size(): number {
    return this.#slots.size;
  }

  /** Whether a plan writes its entry here. */
  get isServing(): boolean {
    for (const slot of this.#slots.values()) if (this.#isWritten(slot)) return true;
    return false;
  }

  /** Entries that are not to be removed. */
  get kept(): number {
    let kept = 0;
    for (const slot of this.#slots.values()) if (this.#isKept(slot)) kept++;
    return kept;
  }

  /** Whether it has no entries, or only entries to remove. */
  get isEmpty(): boolean {
    for (const slot of this.#slots.values()) if (this.#isKept(slot)) return false;
    return true;
  }

  /** The entry of a plan that was not seen yet. */
  entry(uid: string): JournalEntry | undefined {
    return this.#slots.get(uid)?.entry;
  }

  /** Whether the plan writes its entry here. */
  has(plan: PlanJournal): boolean {
    const slot = this.#slots.get(plan.subject.uid);
    return slot?.plan === plan && this.#isWritten(slot);
  }

  /** The plans that write their entries here. */
  *plans(): Iterable<PlanJournal> {
    for (const slot of this.#slots.values()) if (this.#isWritten(slot)) yield slot.plan;
  }

  /** Counts the deliveries that wait in all entries, and names their sinks. */
  get summary(): JournalSummary {
    let waiting = 0;
    let oldest = Infinity;
    const streams = new Set<string>();
    // Of plans that were not seen yet.
    for (const { entry } of this.#slots.values()) waiting += entry?.waiting ?? 0;
    for (const { state } of this.plans()) {
      waiting += state.log.pending;
      oldest = Math.min(oldest, state.log.oldest?.acceptedAt ?? Infinity);
      for (const [key, stream] of state.log.streams) if (stream.waiting > 0) streams.add(key);
    }
    const named = [...streams].slice(0, NAMED).join(', ');
    return {
      plans: this.kept,
      waiting,
      oldest: oldest === Infinity ? null : new Date(oldest).toISOString(),
      for: streams.size > NAMED ? `${named} and ${streams.size - NAMED} more` : named,
    };
  }

  /** Takes the changes of the plans, but not of plans that move to another object now. Yields where other work may run. */
  *takeChanges(): Generator<undefined, readonly PlanDraft[]> {
    const drafts: PlanDraft[] = [];
    const dirty: PlanJournal[] = [];
    for (const slot of this.#slots.values())
      if (this.#isWritten(slot) && slot.plan.isDirty) dirty.push(slot.plan);
    for (const plan of dirty) {
      // Something older may have to be removed first.
      if (!this.has(plan) || this.#isRemoved(this.#slots.get(plan.subject.uid)) || !plan.isDirty) continue;
      // A move waits for another object. Events are stored here now, and a later write moves the plan.
      const to = plan.outbox.isAwaited || !plan.place.isSettled ? this.#object : this.#placeOf(plan);
      if (to !== this.#object) {
        plan.moveTo(to);
        continue;
      }
      drafts.push(yield* plan.draft());
      yield;
    }
    return drafts;
  }

  /** Whether the next write removes the stored entry of a plan: the plan has moved, or goes on from another entry. */
  #isRemoved(slot: Slot | undefined): boolean {
    if (slot?.isStored !== true) return false;
    return !this.#isKept(slot) || (slot.isOld && this.#isWritten(slot));
  }

  /** Uids of entries that the next write removes. */
  get allRemoved(): string[] {
    const removed: string[] = [];
    for (const [uid, slot] of this.#slots) if (this.#isRemoved(slot)) removed.push(uid);
    return removed;
  }

  /** Adopts the entries that another process has written. Then everything is written in our own name. */
  adopt({ plans }: Pick<Journal, 'plans'>): void {
    for (const plan of [...this.plans()]) {
      const { uid } = plan.subject;
      if (!plans.has(uid)) continue;
      const entry = plans.get(uid);
      const isKnown =
        this.#isRemoved(this.#slots.get(uid)) ||
        (entry !== undefined && entry.gen === plan.state.stored?.gen);
      const theirs = isKnown ? undefined : readEntry(entry, plan.subject);
      if (theirs !== undefined) plan.adopt(theirs);
      else if (isKnown) plan.state.rewrite();
      else plan.lost(this.#object);
    }
    for (const [uid, entry] of plans) this.#found(uid, entry);
    for (const uid of [...this.#slots.keys()]) if (!plans.has(uid)) this.emptied(uid)?.lost(this.#object);
  }

  /** The object does not exist any more. */
  deleted(): void {
    for (const uid of [...this.#slots.keys()]) this.emptied(uid)?.lost(this.#object);
  }

  /** Another process has stored this entry. */
  #found(uid: string, entry: JournalEntry | undefined): void {
    this.#set(uid, this.#slots.get(uid)?.plan, entry, true);
  }

  /** The place of this plan has this object from now on. Null: the plan was deleted, and the next write removes its entry. */
  add(uid: string, plan: PlanJournal | null): void {
    this.#set(uid, plan, undefined, this.#slots.get(uid)?.isStored === true);
  }

  /** A write of these entries is sent. */
  sent(uids: Iterable<string>): void {
    for (const uid of uids) {
      const slot = this.#slots.get(uid);
      if (slot !== undefined) slot.isStored = true;
    }
  }

  /** The object has no entry of the plan any more. Returns the plan, if this object is still in its place. */
  emptied(uid: string): PlanJournal | undefined {
    const slot = this.#slots.get(uid);
    if (slot === undefined) return undefined;
    slot.isStored = slot.isOld = false;
    if (slot.plan != null && this.#isKept(slot)) return slot.plan;
    this.#slots.delete(uid);
    return undefined;
  }

  /** The place of this plan does not have this object any more. */
  release(uid: string): void {
    if (this.#slots.get(uid)?.isStored === false) this.#slots.delete(uid);
  }

  #set(uid: string, plan: Slot['plan'], entry: JournalEntry | undefined, isStored: boolean): void {
    const slot: Slot = { plan, entry: plan === undefined ? entry : undefined, isStored, isOld: false };
    slot.isOld = isStored && this.#isWritten(slot) && slot.plan.place.last !== this.#object;
    this.#slots.set(uid, slot);
  }

  #isWritten(slot: Slot): slot is Slot & { readonly plan: PlanJournal } {
    return slot.plan != null && slot.plan.place.target === this.#object;
  }

  #isKept({ plan }: Slot): boolean {
    return plan === undefined || plan?.place.has(this.#object) === true;
  }
}
