import type { Execution, TargetResult } from '../resources/plan.ts';
import type { TargetState } from './event.ts';
import type { ObservedTarget } from './observed.ts';

/** What a target is before its run has touched it. */
export const PENDING = 'Pending';

export const isTerminal = (state: string): boolean =>
  state === 'Completed' || state === 'Failed' || state === 'Aborted';

/** One target now and as last seen; `before` is undefined for a target that was not there. */
export interface TargetPair {
  readonly before: ObservedTarget | undefined;
  readonly now: Execution;
  /** Of `before` in its list; -1 where it was not there. */
  readonly place: number;
}

/**
 * Pairs the plan's rows with those last seen, by name and executor, in the plan's order. Linear: rows keep their places
 * but for a changed spec, so the index is looked up by place first.
 */
export function pairTargets(
  before: readonly ObservedTarget[],
  rows: readonly Execution[],
): readonly TargetPair[] {
  let places: Map<string, number> | undefined;
  return rows.map((now, index) => {
    const same = before[index];
    if (same?.name === now.target && same.executor === now.executor)
      return { before: same, now, place: index };
    places ??= new Map(before.map(({ name, executor }, place) => [keyOf(name, executor), place]));
    const place = places.size === 0 ? -1 : (places.get(keyOf(now.target, now.executor)) ?? -1);
    return { before: before[place], now, place };
  });
}

export const NO_DUPLICATES: ReadonlySet<number> = new Set();

/** The places of the targets that the plan lists more than once. */
export function duplicatesOf(rows: readonly Execution[]): ReadonlySet<number> {
  const names = new Set<string>();
  for (const { target } of rows) names.add(target);
  if (names.size === rows.length) return NO_DUPLICATES;
  const places = new Map<string, number>();
  const twins = new Set<number>();
  for (const [index, { target, executor }] of rows.entries()) {
    const key = keyOf(target, executor);
    const first = places.get(key);
    if (first === undefined) places.set(key, index);
    else twins.add(first).add(index);
  }
  return twins;
}

/** Unambiguous, and quicker than JSON. */
const keyOf = (name: string, executor: string): string => `${name.length} ${name}${executor}`;

/** Whether the target does something else than before, or does it in another job. */
export const isMoved = ({ before, now }: TargetPair): boolean =>
  before !== undefined && (before.state !== now.state || isOtherJob(before.jobRef, now.jobRef));

/**
 * Whether the target certainly began anew, which is all that an unseen Start of a re-run leaves behind: within a run a
 * Completed or Aborted target stays as it is, and a target that has had a job keeps naming one.
 */
export const isReset = (pair: TargetPair): boolean => {
  const { before, now } = pair;
  if (before === undefined) return false;
  if (before.state === 'Completed' || before.state === 'Aborted') return isMoved(pair);
  return before.jobRef !== '' && now.jobRef === '' && now.state === PENDING;
};

/** A reference that appears or goes away is no other job. */
export const isOtherJob = (before: string, now: string): boolean =>
  before !== '' && now !== '' && before !== now;

export const stateOf = (row: TargetResult): TargetState => ({
  name: row.target,
  executor: row.executor,
  state: row.state,
  message: row.message,
});

/** The table as it is when a run begins. */
export const untouched = (row: TargetResult): TargetState => ({
  ...stateOf(row),
  state: PENDING,
  message: '',
});

/** The row to remember; the one before where nothing changed, so that a quiet plan costs no memory. */
export function observe({ before, now }: Pick<TargetPair, 'before' | 'now'>): ObservedTarget {
  if (before?.state === now.state && before.message === now.message && before.jobRef === now.jobRef)
    return before;
  // Field by field: V8 keeps what is put together by a spread in four times the memory.
  const { target: name, executor, state, message, jobRef } = now;
  return { name, executor, state, message, jobRef };
}
