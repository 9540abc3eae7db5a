import type { Figures, Latencies, Row } from './row.ts';

/** What every attack may cost at most. */
export const AIMS = { ratio: 2, memoryMb: 400 } as const;

/** The aims that a row misses, in words; none: it meets them all. */
export function missed(figures: Figures, aims: Row['aims'] = {}): string[] {
  const { latency, fared, leaked } = figures;
  const { memoryMb = AIMS.memoryMb, stallMs = Infinity } = aims;
  const misses: string[] = [];
  const check = (isMet: boolean, words: string): void => {
    if (!isMet) misses.push(words);
  };
  if (latency !== undefined) {
    check(latency.beside.missing === 0, 'not all delivered');
    check(ratioOf(latency) <= AIMS.ratio, `p99 at most × ${AIMS.ratio}`);
  }
  if (fared !== undefined) {
    check(fared.memoryMb < memoryMb, `memory under ${memoryMb} MB`);
    check(stallOf(figures) <= stallMs, `no stall above ${stallMs} ms`);
    check(!fared.leaseLost, 'Lease kept');
    check(fared.exits === 0, 'no exit');
  }
  check(leaked === 0, 'nothing of another tenant');
  return misses;
}

/**
 * How much longer the slowest of a hundred messages takes than it has to: than alone, or, where the attack keeps the control plane and the
 * processors themselves busy, than that of a bare client beside the same attack.
 */
export const ratioOf = ({ alone, beside, bare }: Latencies): number =>
  beside.p99 / Math.max(alone.p99, bare.p99);

/**
 * The longest stall of the controller's loop that is sure (milliseconds): what it says itself, or what it took to answer beyond
 * what the asking process was kept itself.
 */
export const stallOf = ({ fared, harnessStallMs }: Figures): number =>
  Math.max(fared?.stallMs ?? 0, (fared?.healthMs ?? 0) - harnessStallMs);
