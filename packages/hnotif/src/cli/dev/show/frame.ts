import type { Paint } from './paint.ts';

/**
 * What each delivery's first line begins with: when it arrived (milliseconds since the epoch, shown in UTC), and how long after
 * the write that caused it (undefined: not known).
 */
export function lead(arrivedAt: number, latencyMs: number | undefined, paint: Paint): string {
  const time = new Date(arrivedAt).toISOString().slice(11, 23);
  const latency = latencyMs === undefined ? '' : `${Math.round(latencyMs)} ms`;
  return paint('gray', `${time} ${latency.padStart(8)}  `);
}

/** The lines of a message below its first one: no text in it can pass for a delivery of its own. */
export const gutter = (lines: readonly string[], paint: Paint): string[] =>
  lines.map((line) => `    ${paint('gray', '│')} ${line}`.trimEnd());
