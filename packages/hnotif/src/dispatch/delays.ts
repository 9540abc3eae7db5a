import type { Limits } from './limits.ts';

/**
 * The wait before the next probe after `tries` failed ones: doubles each time, with a random part of a tenth, so that sinks do not probe
 * together.
 */
export function probeDelay(tries: number, random: number, { probeMinMs, probeMaxMs }: Limits): number {
  return Math.min(probeMinMs * 2 ** tries, probeMaxMs) * (0.9 + random * 0.2);
}

/** The shortest pause after `before` pauses in a row. A receiver may name a time in the past again and again. */
export function pauseFloor(before: number, { pauseMinMs, pauseMinInARowMs }: Limits): number {
  return Math.min(pauseMinMs * 2 ** before, Math.max(pauseMinMs, pauseMinInARowMs));
}
