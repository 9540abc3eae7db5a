import type { Figures, Latencies, Row } from './row.ts';

/** The limits for every attack. */
export const AIMS = { ratio: 2, memoryMb: 400 } as const;

/** The aims that a row misses; empty: it meets all of them. */
export function missed(figures: Figures, aims: Row['aims'] = {}): string[] {
  const { latency, fared, leaked } = figures;
  const { memoryMb = AIMS.memoryMb, stallMs = Infinity } = aims;
  const misses: string[] = [];
  const check = (isMet: boolean, words: string): void => {
    if (!isMet) misses.push(words);
  };
  if (latency !== undefined) {
    check(latency.beside.missing === 0, 'all messages delivered');
    check(ratioOf(latency) <= AIMS.ratio, `p99 at most × ${AIMS.ratio}`);
  }
  if (fared !== undefined) {
    check(fared.memoryMb < memoryMb, `memory under ${memoryMb} MB`);
    check(stallOf(figures) <= stallMs, `no stall above ${stallMs} ms`);
    check(!fared.leaseLost, 'Lease kept');
    check(fared.exits === 0, 'no exit');
  }
  check(leaked === 0, 'no byte of another tenant');
  return misses;
}

/**
 * The p99 beside the attack, as a multiple of the p99 alone. An attack can also keep the control plane and the processors busy. Then it is
 * a multiple of the p99 of a bare client beside the same attack.
 */
export const ratioOf = ({ alone, beside, bare }: Latencies): number =>
  beside.p99 / Math.max(alone.p99, bare.p99);

/**
 * The longest certain stall of the controller's event loop (milliseconds): by its own metrics, or by the time of a probe, minus the stall
 * of the measuring process.
 */
export const stallOf = ({ fared, harnessStallMs }: Figures): number =>
  Math.max(fared?.stallMs ?? 0, (fared?.healthMs ?? 0) - harnessStallMs);
