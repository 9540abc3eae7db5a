import type { Subject } from '@hnotif/core/lifecycle';
import { LAZY_MS, type WriteSchedule } from './write-schedule.ts';

/**
 * Where the entry of one plan is. `O`: a journal object. An entry moves when its plan belongs to another object. That one is written first,
 * and then what other objects have is removed. So the last stored entry always stays somewhere.
 */
export type Place<O> =
  /** Nowhere: the plan has not begun, or is finished. */
  | { readonly kind: 'none' }
  /** This object has the last stored entry, and no other object has one. */
  | { readonly kind: 'at'; readonly object: O }
  /** The next write stores it in `to`. Then it is removed from `from`. `last`: the object with the last stored entry; undefined: none. */
  | { readonly kind: 'moving'; readonly from: readonly O[]; readonly to: O; readonly last: O | undefined };

export type PlaceChange<O> =
  /** The next write stores the entry in this object. */
  | { readonly kind: 'move'; readonly to: O }
  /** A write has stored it. */
  | { readonly kind: 'stored' }
  /** Another process has stored an entry where this one is written, and the plan goes on from it. */
  | { readonly kind: 'adopted' }
  /** This object has no entry of the plan that can be read. */
  | { readonly kind: 'lost'; readonly object: O };

export const NOWHERE: Place<never> = { kind: 'none' };

/** The place of a plan with entries in these objects. It goes on from the one in `last`; undefined: none can be read. */
export function placeFound<O>(objects: readonly O[], to: O, last: O | undefined): Place<O> {
  const from = objects.filter((object) => object !== to);
  return from.length === 0 && last === to ? { kind: 'at', object: to } : { kind: 'moving', from, to, last };
}

export function placeAfter<O>(place: Place<O>, change: PlaceChange<O>): Place<O> {
  if (place.kind === 'none') return change.kind === 'move' ? placeFound<O>([], change.to, undefined) : place;
  const to = targetOf(place);
  const last = lastOf(place);
  switch (change.kind) {
    case 'move':
      return to === change.to ? place : placeFound([...objectsOf(place)], change.to, last);
    case 'stored':
      return { kind: 'at', object: to };
    case 'adopted':
      return placeFound(objectsOf(place), to, to);
    case 'lost': {
      const others = objectsOf(place).filter((object) => object !== change.object);
      return placeFound(others, to, last === change.object ? undefined : last);
    }
  }
}

/** The object that the next write stores the entry in. */
export function targetOf<O>(place: Exclude<Place<O>, { readonly kind: 'none' }>): O;
export function targetOf<O>(place: Place<O>): O | undefined;
export function targetOf<O>(place: Place<O>): O | undefined {
  if (place.kind === 'at') return place.object;
  return place.kind === 'moving' ? place.to : undefined;
}

/** The object with the last stored entry. */
export function lastOf<O>(place: Place<O>): O | undefined {
  if (place.kind === 'at') return place.object;
  return place.kind === 'moving' ? place.last : undefined;
}

/** All objects that may have an entry to be kept. */
export function objectsOf<O>(place: Place<O>): readonly O[] {
  if (place.kind === 'at') return [place.object];
  return place.kind === 'moving' ? [...place.from, place.to] : [];
}

/** A journal object, as the plans (`P`) see it that have an entry there. */
export interface EntryObject<P> {
  /** Whether it belongs to one plan. */
  readonly isDedicated: boolean;
  /** Whether it cannot be written now, so that events are delivered from memory. */
  readonly cannotWrite: boolean;
  /** Whether this process has written it last and the write was acknowledged, as far as known, and no other process may serve soon. */
  readonly isCurrent: boolean;
  readonly schedule: Pick<WriteSchedule, 'later' | 'settle' | 'urgently' | 'within'>;
  /** Writes everything that is not stored. Resolves when that is done, or has failed once. */
  flush(): Promise<void>;
  /** It is in the place of the plan from now on. */
  add(uid: string, plan: P): void;
  /** The place of the plan does not have this object any more. It removes the entry of the plan within this many milliseconds. */
  release(uid: string, withinMs: number): void;
}

/** The place of a plan. Objects are told when they come into it or leave it. */
export class EntryPlace<P extends { readonly subject: Subject }> {
  readonly #plan: P;
  #place: Place<EntryObject<P>> = NOWHERE;

  constructor(plan: P) {
    this.#plan = plan;
  }

  get kind(): Place<EntryObject<P>>['kind'] {
    return this.#place.kind;
  }

  /** The object that the next write stores the entry in. */
  get target(): EntryObject<P> | undefined {
    return targetOf(this.#place);
  }

  /** The object with the last stored entry; undefined: none is stored, as far as known. */
  get last(): EntryObject<P> | undefined {
    return lastOf(this.#place);
  }

  /** All objects that may have an entry to be kept. */
  get objects(): readonly EntryObject<P>[] {
    return objectsOf(this.#place);
  }

  /** Whether this object may have an entry to be kept. */
  has(object: EntryObject<P>): boolean {
    return this.target === object || this.objects.includes(object);
  }

  /** Whether the entry may move: nothing that is stored elsewhere has to be removed. */
  get isSettled(): boolean {
    return this.#place.kind === 'at' || this.last === undefined;
  }

  change(change: PlaceChange<EntryObject<P>>): void {
    this.set(placeAfter(this.#place, change));
  }

  /** Objects that leave the place remove what they have within this many milliseconds. */
  set(place: Place<EntryObject<P>>, withinMs = LAZY_MS): void {
    const { uid } = this.#plan.subject;
    const { objects: before, target: former } = this;
    this.#place = place;
    for (const object of this.objects) if (object !== former) object.add(uid, this.#plan);
    for (const object of before) if (!this.objects.includes(object)) object.release(uid, withinMs);
  }

  /** Nowhere from now on. No object is told. */
  forget(): void {
    this.#place = NOWHERE;
  }
}
