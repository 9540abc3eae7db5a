/** Runs of whole numbers. */
import type { Context } from '../../context.ts';
import { type FuncMap, contextual } from '../../value/func.ts';
import { INT, sliceOf } from '../../value/type.ts';
import { Slice } from '../../value/value.ts';

const INTS = sliceOf(INT);

const wrap = (value: bigint): bigint => BigInt.asIntN(64, value);

/** From `start` up or down to before `stop`; none when the step leads away from it. */
function steps({ budget }: Context, start: bigint, stop: bigint, step: bigint): bigint[] {
  if (step === 0n || start === stop || start < stop !== step > 0n) return [];
  const count = (stop - start + step + (step > 0n ? -1n : 1n)) / step;
  const end = start + count * step;
  // Go would wrap past the largest number and begin anew.
  const length = end === wrap(end) ? Number(count) : Infinity;
  budget.grow(16 * length);
  budget.spend(length);
  return Array.from({ length }, (_, i) => start + BigInt(i) * step);
}

function untilStep(context: Context, start: bigint, stop: bigint, step: bigint): Slice {
  return new Slice(INTS, steps(context, start, stop, step));
}

/** The shell's `seq`: `end`, `start end` or `start step end`, the end included. */
function seq(context: Context, ...params: bigint[]): string {
  if (params.length === 0 || params.length > 3) return '';
  const start = params.length === 1 ? 1n : (params[0] ?? 0n);
  const end = params.at(-1) ?? 0n;
  const down = end < start;
  const step = params.length === 3 ? params[1] : undefined;
  if (down && step !== undefined && step > 0n) return '';
  const one = down ? -1n : 1n;
  const numbers = steps(context, start, wrap(end + one), step ?? one);
  context.budget.grow(20 * numbers.length);
  return numbers.join(' ');
}

export const ranges: FuncMap = {
  until: contextual('func(int) []int', (context: Context, count: bigint) =>
    untilStep(context, 0n, count, count < 0n ? -1n : 1n),
  ),
  untilStep: contextual('func(int, int, int) []int', untilStep),
  seq: contextual('func(...int) string', seq),
};
