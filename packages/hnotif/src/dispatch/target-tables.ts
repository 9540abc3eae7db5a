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
  if ('all' in change) return changeBetween(withChange(before, change), before) ?? { set: [] };
  return {
    set: change.set.flatMap(([index]) => {
      const target = before[index];
      return target === undefined ? [] : [[index, target.state, target.message] as const];
    }),
  };
}

/** Tables that are cached: the newest and those used last. Others are computed from the changes. */
const CACHED_TABLES = 4;

/** The memory of a target without its texts (bytes). Measured on V8, rounded up. */
const TARGET_OVERHEAD = 120;

const SIZES = new WeakMap<Table, number>();

/** The memory that a target table takes (bytes). All events of one step share it. */
function sizeOfTable(targets: Table): number {
  const known = targets.length === 0 ? 0 : SIZES.get(targets);
  if (known !== undefined) return known;
  const sizeOf = ({ name, executor, message }: TargetState): number =>
    TARGET_OVERHEAD + 2 * (name.length + executor.length + message.length);
  const bytes = targets.reduce((sum, target) => sum + sizeOf(target), 0);
  SIZES.set(targets, bytes);
  return bytes;
}

/** The memory of a change without its texts (bytes), and of each row of it. Measured on V8, rounded up. */
const CHANGE_OVERHEAD = 100;
const ROW_OVERHEAD = 80;

/** The memory that a change takes (bytes). */
function sizeOfChange(change: TableChange): number {
  if ('all' in change) return CHANGE_OVERHEAD;
  const texts = 'rows' in change ? change.rows.map((row) => row.join('')) : change.set.map((row) => row[2]);
  return texts.reduce((bytes, { length }) => bytes + ROW_OVERHEAD + 2 * length, CHANGE_OVERHEAD);
}

/** The target tables of a log, by number: the oldest table, and the changes to each later one. */
export class TargetTables {
  #oldest = 0;
  #newest = 0;
  /** By number, from the second on: the change from the table before. A number without one is an equal table, or one that was forgotten. */
  readonly #changes = new LazyMap<number, TableChange>();
  #changedBytes = 0;
  readonly #cached = new LazyMap<number, Table>();

  /** The memory that the newest table and the changes take (bytes). */
  get bytes(): number {
    return sizeOfTable(this.#cached.get(this.#newest) ?? []) + this.#changedBytes;
  }

  /** Appends a table and returns its number. When nothing has changed, that is the number of the newest table. */
  push(table: Table): number {
    const before = this.#cached.get(this.#newest);
    const change = before && changeBetween(before, table);
    if (before !== undefined && change === undefined) return this.#newest;
    this.#newest++;
    if (change === undefined) this.#oldest = this.#newest;
    else this.#change(this.#newest, change);
    this.#keep(this.#newest, table);
    return this.#newest;
  }

  /** The table of this number. For one that `keepOnly` forgot: the last one before it that is kept. */
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
      if (change === undefined) continue;
      // A change that replaces the whole table is rare. Then both tables are compared.
      if (!('set' in change)) return changeBetween(this.at(before), this.at(after));
      for (const each of change.set) indexes.set(each[0], each);
    }
    return indexes.size === 0 ? undefined : { set: [...indexes.values()] };
  }

  /** Forgets the tables before this number. */
  forget(before: number): void {
    if (before <= this.#oldest) return;
    this.#cached.set(before, this.at(before));
    for (let number = this.#oldest; number <= before; number++) {
      this.#change(number, undefined);
      if (number < before) this.#cached.delete(number);
    }
    this.#oldest = before;
  }

  /** Forgets all tables but these, the oldest and the newest. The changes between two of them become one. */
  keepOnly(numbers: Iterable<number>): void {
    const kept = new Set(numbers).add(this.#newest);
    let before = this.#oldest;
    let forgotten: number[] = [];
    for (const number of [...this.#changes.keys()]) {
      if (!kept.has(number)) {
        forgotten.push(number);
        continue;
      }
      if (forgotten.length > 0) {
        const change = this.between(before, number);
        for (const each of forgotten) {
          this.#change(each, undefined);
          this.#cached.delete(each);
        }
        this.#change(number, change);
        forgotten = [];
      }
      before = number;
    }
  }

  clear(): void {
    this.#changes.clear();
    this.#changedBytes = 0;
    this.#cached.clear();
    this.#oldest = this.#newest + 1;
  }

  #change(number: number, change: TableChange | undefined): void {
    const before = this.#changes.get(number);
    if (before !== undefined) this.#changedBytes -= sizeOfChange(before);
    if (change === undefined) this.#changes.delete(number);
    else this.#changes.set(number, change);
    if (change !== undefined) this.#changedBytes += sizeOfChange(change);
  }

  #keep(number: number, table: Table): void {
    this.#cached.set(number, table);
    for (const other of this.#cached.keys()) {
      if (this.#cached.size <= CACHED_TABLES) return;
      if (other !== this.#oldest && other !== this.#newest && other !== number) this.#cached.delete(other);
    }
  }
}
