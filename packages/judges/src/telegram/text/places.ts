import { endOf, type Span } from './entity.ts';

/** How many of the sorted numbers are below a limit. */
export function countBelow(numbers: readonly number[], limit: number): number {
  return firstIndex(numbers.length, (index) => (numbers[index] ?? limit) >= limit);
}

/** The spans that overlap a span. The spans are sorted and do not overlap each other. */
export function overlapping<T extends Span>(spans: readonly T[], span: Span): T[] {
  const ends = (index: number): number => endOf(spans[index] ?? span);
  const from = firstIndex(spans.length, (index) => ends(index) > span.offset);
  const past = firstIndex(spans.length, (index) => (spans[index] ?? span).offset >= endOf(span));
  return spans.slice(from, past);
}

/** The first index from which a condition holds. */
function firstIndex(length: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
