import type { TargetState } from '../lifecycle/event.ts';

/** A target as it is written: name, executor, state, message. */
export type Row = readonly [name: string, executor: string, state: string, message: string];

/**
 * What a step changed in a plan's target table: a plan may have thousands of targets, and wait with hundreds of events, of
 * which each changed a few.
 */
export type TableChange =
  /** Another table: other targets, or another order. */
  | { readonly rows: readonly Row[] }
  /** The same targets, all of them in this state and without a message: how a run begins. */
  | { readonly all: string }
  /** The same targets, but these, by their place. */
  | { readonly set: readonly (readonly [place: number, state: string, message: string])[] };

export const rowOf = ({ name, executor, state, message }: TargetState): Row => [
  name,
  executor,
  state,
  message,
];

export const targetOf = ([name, executor, state, message]: Row): TargetState => ({
  name,
  executor,
  state,
  message,
});

type Table = readonly TargetState[];

/** What was found before, by the later table: a journal is written many times with the same events in it. */
const KNOWN = new WeakMap<Table, { readonly before: Table; readonly change: TableChange | undefined }>();

/** Whether both tell the same of the same targets. */
export const isSameTable = (before: Table, after: Table): boolean =>
  before === after || (before.length === after.length && compare(before, after) === undefined);

/** What makes `after` of `before`; undefined: they are the same. */
export function changeBetween(before: Table, after: Table): TableChange | undefined {
  if (before === after) return undefined;
  const known = KNOWN.get(after);
  if (known?.before === before) return known.change;
  const change = compare(before, after);
  KNOWN.set(after, { before, change });
  return change;
}

function compare(before: Table, after: Table): TableChange | undefined {
  const sameTargets =
    before.length === after.length &&
    after.every(({ name, executor }, at) => before[at]?.name === name && before[at].executor === executor);
  if (!sameTargets) return { rows: after.map(rowOf) };
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
