/** Ranges of integers. */
import type { Context } from '../../context.ts';
import { type FuncMap, contextual } from '../../value/func.ts';
import { INT, sliceOf } from '../../value/type.ts';
import { type Slice, appendedList } from '../../value/value.ts';

const INTS = sliceOf(INT);

const wrap = (value: bigint): bigint => BigInt.asIntN(64, value);

/**
 * The numbers from `start` up or down to `stop`, without `stop`. None if the step has the wrong direction.
 * @param bytes the size of each number in the result
 */
function steps({ budget }: Context, start: bigint, stop: bigint, step: bigint, bytes: number): bigint[] {
  if (step === 0n || start === stop || start < stop !== step > 0n) return [];
  const count = (stop - start + step + (step > 0n ? -1n : 1n)) / step;
  const end = start + count * step;
  // Go would wrap after the largest number and never end.
  const length = end === wrap(end) ? Number(count) : Infinity;
  budget.grow(bytes * length);
  const numbers: bigint[] = [];
  for (let number = start; numbers.length < length; number += step) {
    budget.spend(1);
    numbers.push(number);
  }
  return numbers;
}

function untilStep(context: Context, start: bigint, stop: bigint, step: bigint): Slice {
  return appendedList(INTS, steps(context, start, stop, step, 16));
}

/** The shell's `seq`: `end`, `start end` or `start step end`, including the end. */
function seq(context: Context, ...params: bigint[]): string {
  if (params.length === 0 || params.length > 3) return '';
  const start = params.length === 1 ? 1n : (params[0] ?? 0n);
  const end = params.at(-1) ?? 0n;
  const down = end < start;
  const step = params.length === 3 ? params[1] : undefined;
  if (down && step !== undefined && step > 0n) return '';
  const one = down ? -1n : 1n;
  return steps(context, start, wrap(end + one), step ?? one, 40).join(' ');
}

export const ranges: FuncMap = {
  until: contextual('func(int) []int', (context: Context, count: bigint) =>
    untilStep(context, 0n, count, count < 0n ? -1n : 1n),
  ),
  untilStep: contextual('func(int, int, int) []int', untilStep),
  seq: contextual('func(...int) string', seq),
};
