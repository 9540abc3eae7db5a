import type { JournalEntry } from '@hnotif/core/resources';
import { lastOf, objectsOf, targetOf } from './place.ts';
import type { EntryObject, PlanJournal } from './plan-journal.ts';

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
  readonly #object: EntryObject;
  readonly #slots = new Map<string, Slot>();

  constructor(object: EntryObject) {
    this.#object = object;
  }

  /** Plans that write their entries here. */
  get served(): number {
    let served = 0;
    for (const slot of this.#slots.values()) if (this.#isWritten(slot)) served++;
    return served;
  }

  /** Entries that are not to be removed. */
  get kept(): number {
    let kept = 0;
    for (const slot of this.#slots.values()) if (this.#isKept(slot)) kept++;
    return kept;
  }

  /** Whether it has no entries, or only entries to remove. */
  get isEmpty(): boolean {
    return this.kept === 0;
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

  /** Whether it may be written now: nothing older has to be removed first. */
  isWritable(plan: PlanJournal): boolean {
    return this.has(plan) && !this.removed(plan.subject.uid);
  }

  /** The plans that write their entries here. */
  *plans(): Iterable<PlanJournal> {
    for (const slot of this.#slots.values()) if (this.#isWritten(slot)) yield slot.plan;
  }

  /** Deliveries in entries whose plans were not seen yet. */
  get foundWaiting(): number {
    let waiting = 0;
    for (const { entry } of this.#slots.values()) waiting += entry?.waiting ?? 0;
    return waiting;
  }

  /** Whether the next write removes the stored entry of a plan: the plan has moved, or goes on from another entry. */
  removed(uid: string): boolean {
    const slot = this.#slots.get(uid);
    if (slot?.isStored !== true) return false;
    return !this.#isKept(slot) || (slot.isOld && this.#isWritten(slot));
  }

  /** Uids of entries that the next write removes. */
  get allRemoved(): string[] {
    return [...this.#slots.keys()].filter((uid) => this.removed(uid));
  }

  /** Another process has stored this entry. */
  found(uid: string, entry: JournalEntry | undefined): void {
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
    slot.isOld = isStored && this.#isWritten(slot) && lastOf(slot.plan.place) !== this.#object;
    this.#slots.set(uid, slot);
  }

  /** All uids. A copy: it may change meanwhile. */
  get uids(): readonly string[] {
    return [...this.#slots.keys()];
  }

  #isWritten(slot: Slot): slot is Slot & { readonly plan: PlanJournal } {
    return slot.plan != null && targetOf(slot.plan.place) === this.#object;
  }

  #isKept({ plan }: Slot): boolean {
    return plan === undefined || (plan !== null && objectsOf(plan.place).includes(this.#object));
  }
}
