import { LazyMap } from '../lazy-collections.ts';
import { type TargetState, targetRowOf, targetOf, type TargetRow } from '@hnotif/core/lifecycle';

/**
 * The change of a plan's target table by one step. A plan may have thousands of targets and hundreds of waiting events. Each event
 * changed only a few targets.
 */
export type TableChange =
  /** A new table: other targets, or another order. */
  | { readonly rows: readonly TargetRow[] }
  /** The same targets, all in this state and without a message, as when a run begins. */
  | { readonly all: string }
  /** The same targets. These have changed, by their index. */
  | { readonly set: readonly (readonly [index: number, state: string, message: string])[] };

type Table = readonly TargetState[];

/** The change from `before` to `after`; undefined: they are equal. */
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

/** The table after a change. Ignores an index that does not exist. */
export function withChange(before: Table, change: TableChange | undefined): Table {
  if (change === undefined) return before;
  if ('rows' in change) return change.rows.map(targetOf);
  if ('all' in change) return before.map((target) => ({ ...target, state: change.all, message: '' }));
  const after = [...before];
  for (const [index, state, message] of change.set) {
    const target = after[index];
    if (target !== undefined) after[index] = { ...target, state, message };
  }
  return after;
}

/** The change that undoes a change of the table `before`. */
export function inverseOf(before: Table, change: TableChange): TableChange {
  if ('rows' in change) return { rows: before.map(targetRowOf) };
  const indexes = 'all' in change ? before.keys() : change.set.map(([index]) => index);
  const set: (readonly [number, string, string])[] = [];
  for (const index of indexes) {
    const target = before[index];
    if (target !== undefined) set.push([index, target.state, target.message]);
  }
  return { set };
}

/** Tables that are cached: the newest and those used last. Others are computed from the changes. */
const CACHED_TABLES = 4;

/** The memory of a target without its texts (bytes). Measured on V8, rounded up. */
const TARGET_OVERHEAD = 120;

const SIZES = new WeakMap<Table, number>();

/** The memory that a target table takes (bytes). All events of one step share it. */
export function sizeOfTable(targets: Table): number {
  if (targets.length === 0) return 0;
  const known = SIZES.get(targets);
  if (known !== undefined) return known;
  let bytes = 0;
  for (const target of targets)
    bytes += TARGET_OVERHEAD + 2 * (target.name.length + target.executor.length + target.message.length);
  SIZES.set(targets, bytes);
  return bytes;
}

/** The target tables of a log, by number: the oldest table, and the changes to each later one. */
export class TargetTables {
  #oldest = 0;
  #newest = 0;
  /** By number, from the second on: the change from the table before. */
  readonly #changes = new LazyMap<number, TableChange>();
  readonly #cached = new LazyMap<number, Table>();

  get newest(): Table {
    return this.#cached.get(this.#newest) ?? [];
  }

  /** Appends a table and returns its number. When nothing has changed, that is the number of the newest table. */
  push(table: Table): number {
    const before = this.#cached.get(this.#newest);
    const change = before && changeBetween(before, table);
    if (before !== undefined && change === undefined) return this.#newest;
    this.#newest++;
    if (change === undefined) this.#oldest = this.#newest;
    else this.#changes.set(this.#newest, change);
    this.#keep(this.#newest, table);
    return this.#newest;
  }

  /** The table of this number. It must not be forgotten yet. */
  at(number: number): Table {
    const made = this.#cached.get(number);
    if (made !== undefined) return made;
    let from = this.#oldest;
    for (const other of this.#cached.keys()) if (other < number && other > from) from = other;
    let table = this.#cached.get(from) ?? [];
    for (let next = from + 1; next <= number; next++) table = withChange(table, this.#changes.get(next));
    this.#keep(number, table);
    return table;
  }

  /** The change from one table to a later one; undefined: they are equal. */
  between(before: number, after: number): TableChange | undefined {
    const indexes = new Map<number, readonly [number, string, string]>();
    for (let number = before + 1; number <= after; number++) {
      const change = this.#changes.get(number);
      if (number === before + 1 && number === after) return change;
      // A change that replaces the whole table is rare. Then both tables are compared.
      if (change === undefined || !('set' in change)) return changeBetween(this.at(before), this.at(after));
      for (const each of change.set) indexes.set(each[0], each);
    }
    return indexes.size === 0 ? undefined : { set: [...indexes.values()] };
  }

  /** Forgets the tables before this number. */
  forget(before: number): void {
    if (before <= this.#oldest) return;
    this.#cached.set(before, this.at(before));
    for (let number = this.#oldest; number <= before; number++) {
      this.#changes.delete(number);
      if (number < before) this.#cached.delete(number);
    }
    this.#oldest = before;
  }

  clear(): void {
    this.#changes.clear();
    this.#cached.clear();
    this.#oldest = this.#newest + 1;
  }

  #keep(number: number, table: Table): void {
    this.#cached.set(number, table);
    for (const other of this.#cached.keys()) {
      if (this.#cached.size <= CACHED_TABLES) return;
      if (other !== this.#oldest && other !== this.#newest && other !== number) this.#cached.delete(other);
    }
  }
}
