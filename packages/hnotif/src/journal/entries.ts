import type { JournalEntry } from '@hnotif/core/resources';
import type { PlanJournal } from './plan-journal.ts';

/** Where the entry of one plan stands in a journal object; undefined: the object has none. */
export type Place =
  /** It was found at the start, and its plan was not seen yet. */
  | { readonly kind: 'found'; readonly entry: JournalEntry | undefined }
  /** The plan writes it. `isOld`: the stored entry is older than one in another object. A write removes it before the plan is written. */
  | { readonly kind: 'here'; readonly plan: PlanJournal; readonly isOld: boolean }
  /** The plan has moved. It stays until it is in the other object. `isLast`: the other object has no entry yet. */
  | { readonly kind: 'leaving'; readonly isLast: boolean }
  /** The next write removes it. */
  | { readonly kind: 'discarded' };

export type Change =
  /** The plan is here from now on. `isThere`: it continues from the entry that is stored here. */
  | { readonly kind: 'join'; readonly plan: PlanJournal; readonly isThere: boolean }
  /** The plan moves away. `isLast`: its last entry is this one. */
  | { readonly kind: 'leave'; readonly isLast: boolean }
  | { readonly kind: 'discard' }
  /** A write has removed the entry. */
  | { readonly kind: 'removed' }
  /** Another process wrote this entry. */
  | { readonly kind: 'read'; readonly entry: JournalEntry | undefined }
  /** The object has no entry of the plan: another process or a user removed it. */
  | { readonly kind: 'vanished' };

/** The next place of an entry. */
export function placeAfter(place: Place | undefined, change: Change): Place | undefined {
  switch (change.kind) {
    case 'join': {
      const { plan, isThere } = change;
      if (place?.kind === 'here') return { ...place, plan };
      const isLast = isThere || (place?.kind === 'leaving' && place.isLast);
      return { kind: 'here', plan, isOld: place !== undefined && !isLast };
    }
    case 'leave':
      return { kind: 'leaving', isLast: change.isLast && !isOld(place) };
    case 'discard':
      return { kind: 'discarded' };
    case 'removed':
      return place?.kind === 'discarded' ? undefined : current(place);
    case 'read':
      return place === undefined || place.kind === 'found' ? { kind: 'found', entry: change.entry } : place;
    case 'vanished':
      return place?.kind === 'here' ? current(place) : undefined;
  }
}

/** Whether the next write of the object removes the entry. */
export const isRemoved = (place: Place | undefined): boolean => place?.kind === 'discarded' || isOld(place);

const isOld = (place: Place | undefined): boolean => place?.kind === 'here' && place.isOld;

const current = (place: Place | undefined): Place | undefined =>
  place?.kind === 'here' && place.isOld ? { ...place, isOld: false } : place;

/** The entries of one journal object, by the uid of their plan. */
export class Entries {
  readonly #places = new Map<string, Place>();
  #served = 0;

  /** Plans that write their entries here. */
  get served(): number {
    return this.#served;
  }

  /** Whether it has no entries, or only entries to remove. */
  get isEmpty(): boolean {
    return this.kept === 0;
  }

  /** Entries that are not to be removed. */
  get kept(): number {
    let kept = 0;
    for (const { kind } of this.#places.values()) if (kind !== 'discarded') kept++;
    return kept;
  }

  at(uid: string): Place | undefined {
    return this.#places.get(uid);
  }

  has(plan: PlanJournal): boolean {
    const place = this.#places.get(plan.subject.uid);
    return place?.kind === 'here' && place.plan === plan;
  }

  /** Whether the plan may be written: it is here, and nothing older has to be removed first. */
  isWritable(plan: PlanJournal): boolean {
    return this.has(plan) && !isOld(this.#places.get(plan.subject.uid));
  }

  /** The plans that write their entries here. */
  *plans(): Iterable<PlanJournal> {
    for (const place of this.#places.values()) if (place.kind === 'here') yield place.plan;
  }

  /** Deliveries in entries whose plans were not seen yet. */
  get foundWaiting(): number {
    let waiting = 0;
    for (const place of this.#places.values())
      if (place.kind === 'found') waiting += place.entry?.waiting ?? 0;
    return waiting;
  }

  /** Uids of entries that the next write removes. */
  get removed(): string[] {
    return [...this.#places].flatMap(([uid, place]) => (isRemoved(place) ? [uid] : []));
  }

  /** A copy: places may change meanwhile. */
  all(): readonly (readonly [uid: string, Place])[] {
    return [...this.#places];
  }

  change(uid: string, change: Change): void {
    const before = this.#places.get(uid);
    const after = placeAfter(before, change);
    this.#served += Number(after?.kind === 'here') - Number(before?.kind === 'here');
    if (after === undefined) this.#places.delete(uid);
    else this.#places.set(uid, after);
  }
}
