import { stripVTControlCharacters } from 'node:util';
import type { Paint } from '../../paint.ts';

/** Columns of `lead`. On a terminal of 80 columns most deliveries should fit on one line. */
const LEAD = 17;
/** The further indentation of a line that continues another one. */
const HANG = '  ';

const COLOUR = /\u001b\[[\d;]*m/g;
const RESET = '\u001b[0m';
/** Characters that terminals show in two columns: emoji, and letters of East Asia. */
const WIDE =
  /\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\uff01-\uff60]/u;

/**
 * The beginning of a delivery's first line: the time of its arrival in UTC, and its latency since the write of the plan (undefined: not
 * known).
 */
export function lead(arrivedAt: number, latencyMs: number | undefined, paint: Paint): string {
  const time = new Date(arrivedAt).toISOString().slice(11, 19);
  const latency = latencyMs === undefined ? '' : `${Math.round(latencyMs)} ms`;
  return paint('gray', `${time} ${latency.padStart(7)} `);
}

/** The further lines of a message. They begin with a bar, so that no text in them looks like a delivery. */
export const gutter = (lines: readonly string[], paint: Paint): string[] =>
  lines.map((line) => `${bar(paint)} ${line}`.trimEnd());

const bar = (paint: Paint): string => `    ${paint('gray', '│')}`;

/** Wraps a line to the width of the terminal. Further lines are indented, and begin with the same bar. */
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

/** Wraps between words. Further lines begin with `hang`, and keep the colour. A word that is too long stays whole, so that it can be copied. */
export function wrapped(line: string, columns: number, hang: string): string[] {
  if (widthOf(line) <= columns) return [line];
  const lines: string[] = [];
  let current = '';
  let colours = '';
  for (const [word] of line.matchAll(/ *[^ ]+/g)) {
    if (current.trim() === '' || widthOf(current + word) <= columns) current += word;
    else {
      lines.push(current + (colours === '' ? '' : RESET));
      current = hang + colours + word.trimStart();
    }
    colours += (word.match(COLOUR) ?? []).join('');
  }
  return [...lines, current];
}

/** The columns of a text on a terminal. */
export function widthOf(text: string): number {
  const characters = new Intl.Segmenter().segment(stripVTControlCharacters(text));
  return [...characters].reduce((width, { segment }) => width + (WIDE.test(segment) ? 2 : 1), 0);
}
