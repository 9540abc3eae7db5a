import { stripVTControlCharacters } from 'node:util';
import type { Paint } from './paint.ts';
import { wrapped } from './wrap.ts';

/** Columns of `lead`: on a terminal of 80 columns most deliveries have to fit on their line. */
const LEAD = 17;
/** What goes on a line below is that much further in than what it belongs to. */
const HANG = '  ';

/**
 * What each delivery's first line begins with: when it arrived (milliseconds since the epoch, shown in UTC), and how long after
 * the write that caused it (undefined: not known).
 */
export function lead(arrivedAt: number, latencyMs: number | undefined, paint: Paint): string {
  const time = new Date(arrivedAt).toISOString().slice(11, 19);
  const latency = latencyMs === undefined ? '' : `${Math.round(latencyMs)} ms`;
  return paint('gray', `${time} ${latency.padStart(7)} `);
}

/** The lines of a message below its first one: no text in it can pass for a delivery of its own. */
export const gutter = (lines: readonly string[], paint: Paint): string[] =>
  lines.map((line) => `${bar(paint)} ${line}`.trimEnd());

const bar = (paint: Paint): string => `    ${paint('gray', '│')}`;

/** A line of any of these forms as lines of so many columns: what goes on stays below what it belongs to, behind its bar. */
export function fitted(line: string, columns: number, paint: Paint): string[] {
  const text = stripVTControlCharacters(line);
  const within = /^ {4}│ ( *)(?:▏ )?/.exec(text);
  const indent = /^ */.exec(text)?.[0] ?? '';
  const hang =
    within !== null
      ? `${bar(paint)} ${within[1] ?? ''}${HANG}`
      : /^\d\d:\d\d:\d\d .{7} /.test(text)
        ? ' '.repeat(LEAD) + HANG
        : indent + HANG;
  return wrapped(line, columns, hang);
}
