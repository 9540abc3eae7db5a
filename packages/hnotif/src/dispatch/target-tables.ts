import type { TargetState } from '../lifecycle/event.ts';
import { targetRowOf, targetOf, type TargetRow } from '../lifecycle/event-json.ts';

/**
 * What a step changed in a plan's target table: a plan may have thousands of targets, and wait with hundreds of events, of
 * which each changed a few.
 */
export type TableChange =
  /** Another table: other targets, or another order. */
  | { readonly rows: readonly TargetRow[] }
  /** The same targets, all of them in this state and without a message: how a run begins. */
  | { readonly all: string }
  /** The same targets, but these, by their place. */
  | { readonly set: readonly (readonly [place: number, state: string, message: string])[] };

type Table = readonly TargetState[];

/** What makes `after` of `before`; undefined: they are the same. */
export function changeBetween(before: Table, after: Table): TableChange | undefined {
  if (before === after) return undefined;
  const sameTargets =
    before.length === after.length &&
    after.every(({ name, executor }, at) => before[at]?.name === name && before[at].executor === executor);
  if (!sameTargets) return { rows: after.map(targetRowOf) };
  const set = after.flatMap(({ state, message }, at) =>
    before[at]?.state === state && before[at].message === message ? [] : [[at, state, message] as const],
  );
  if (set.length === 0) return undefined;
  const all = after[0]?.state ?? '';
  const isReset = set.length > 1 && after.every(({ state, message }) => state === all && message === '');
  return isReset ? { all } : { set };
}

/** The table after a change. A place that is not there is passed over. */
export function withChange(before: Table, change: TableChange | undefined): Table {
  if (change === undefined) return before;
  if ('rows' in change) return change.rows.map(targetOf);
  if ('all' in change) return before.map((target) => ({ ...target, state: change.all, message: '' }));
  const after = [...before];
  for (const [place, state, message] of change.set) {
    const target = after[place];
    if (target !== undefined) after[place] = { ...target, state, message };
  }
  return after;
}

/** What makes a table again of what a change has made of it. */
export function inverseOf(before: Table, change: TableChange): TableChange {
  if ('rows' in change) return { rows: before.map(targetRowOf) };
  const places = 'all' in change ? before.keys() : change.set.map(([place]) => place);
  const set: (readonly [number, string, string])[] = [];
  for (const place of places) {
    const target = before[place];
    if (target !== undefined) set.push([place, target.state, target.message]);
  }
  return { set };
}

/** Tables that are kept as they are, the newest and those asked for last; others are made of the changes. */
const MADE = 4;

/**
 * The target tables of a log, numbered: the oldest one whole, of the others what each changed. A plan may have ten thousand targets and
 * wait with hundreds of events, of which each changed a few.
 */
export class TargetTables {
  #oldest = 0;
  #newest = 0;
  /** By number, from the second on: what it changed in the one before. */
  readonly #changes = new Map<number, TableChange>();
  readonly #made = new Map<number, Table>();

  get newest(): Table {
    return this.#made.get(this.#newest) ?? [];
  }

  /** Appends a table; returns its number, which is that of the newest where nothing has changed. */
  push(table: Table): number {
    const before = this.#made.get(this.#newest);
    const change = before && changeBetween(before, table);
    if (before !== undefined && change === undefined) return this.#newest;
    this.#newest++;
    if (change === undefined) this.#oldest = this.#newest;
    else this.#changes.set(this.#newest, change);
    this.#keep(this.#newest, table);
    return this.#newest;
  }

  /** The table of this number, which must not be forgotten. */
  at(number: number): Table {
    const made = this.#made.get(number);
    if (made !== undefined) return made;
    let from = this.#oldest;
    for (const other of this.#made.keys()) if (other < number && other > from) from = other;
    let table = this.#made.get(from) ?? [];
    for (let next = from + 1; next <= number; next++) table = withChange(table, this.#changes.get(next));
    this.#keep(number, table);
    return table;
  }

  /** What makes the one table of the other, an earlier one; undefined: they are the same. */
  between(before: number, after: number): TableChange | undefined {
    const places = new Map<number, readonly [number, string, string]>();
    for (let number = before + 1; number <= after; number++) {
      const change = this.#changes.get(number);
      if (number === before + 1 && number === after) return change;
      // What replaces the whole table is rare: then both are compared.
      if (change === undefined || !('set' in change)) return changeBetween(this.at(before), this.at(after));
      for (const each of change.set) places.set(each[0], each);
    }
    return places.size === 0 ? undefined : { set: [...places.values()] };
  }

  /** Forgets the tables before this number. */
  forget(before: number): void {
    if (before <= this.#oldest) return;
    this.#made.set(before, this.at(before));
    for (let number = this.#oldest; number <= before; number++) {
      this.#changes.delete(number);
      if (number < before) this.#made.delete(number);
    }
    this.#oldest = before;
  }

  clear(): void {
    this.#changes.clear();
    this.#made.clear();
    this.#oldest = this.#newest + 1;
  }

  #keep(number: number, table: Table): void {
    this.#made.set(number, table);
    for (const other of this.#made.keys()) {
      if (this.#made.size <= MADE) return;
      if (other !== this.#oldest && other !== this.#newest && other !== number) this.#made.delete(other);
    }
  }
}
