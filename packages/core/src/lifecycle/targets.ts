import type { Execution, TargetResult } from '../resources/plan.ts';
import type { TargetState } from './event.ts';
import type { ObservedTarget } from './observed.ts';

/** The state of a target before its run has touched it. */
export const PENDING = 'Pending';

export const isTerminal = (state: string): boolean =>
  state === 'Completed' || state === 'Failed' || state === 'Aborted';

/** A target now and as last observed; `before` is undefined for a new target. */
export interface TargetPair {
  readonly before: ObservedTarget | undefined;
  readonly now: Execution;
  /** The index of `before`, or -1. */
  readonly place: number;
}

/**
 * Pairs the plan's rows with the last observed ones, by name and executor, in the plan's order. Linear: rows keep their places unless
 * the spec changes, so the same index is tried first.
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

/** Unambiguous, and faster than JSON. */
const keyOf = (name: string, executor: string): string => `${name.length} ${name}${executor}`;

/** Whether the target has another state or another job. */
export const isMoved = ({ before, now }: TargetPair): boolean =>
  before !== undefined && (before.state !== now.state || isOtherJob(before.jobRef, now.jobRef));

/**
 * Whether the target was certainly reset, which may be the only trace of a re-run whose Start was not observed. Within a run a Completed
 * or Aborted target does not change, and a target with a job keeps a job.
 */
export const isReset = (pair: TargetPair): boolean => {
  const { before, now } = pair;
  if (before === undefined) return false;
  if (before.state === 'Completed' || before.state === 'Aborted') return isMoved(pair);
  return before.jobRef !== '' && now.jobRef === '' && now.state === PENDING;
};

/** A reference that appears or disappears is not another job. */
export const isOtherJob = (before: string, now: string): boolean =>
  before !== '' && now !== '' && before !== now;

export const stateOf = (row: TargetResult): TargetState => ({
  name: row.target,
  executor: row.executor,
  state: row.state,
  message: row.message,
});

/** The target as it is when a run begins. */
export const untouched = (row: TargetResult): TargetState => ({
  ...stateOf(row),
  state: PENDING,
  message: '',
});

/** The row to store; the previous object if nothing has changed, which saves memory. */
export function observe({ before, now }: Pick<TargetPair, 'before' | 'now'>): ObservedTarget {
  if (before?.state === now.state && before.message === now.message && before.jobRef === now.jobRef)
    return before;
  // Field by field: in V8 an object made with a spread takes four times the memory.
  const { target: name, executor, state, message, jobRef } = now;
  return { name, executor, state, message, jobRef };
}
