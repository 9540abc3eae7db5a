import type { TargetState } from '../../../lifecycle/event.ts';
import { name, sentence } from '../mrkdwn.ts';
import { newsBeside } from './news.ts';
import { emojiOf, needsLook } from './words.ts';

const rank = ({ state }: TargetState): number => (state === 'Failed' ? 0 : state === 'Aborted' ? 1 : 2);

/** Those first that somebody has to look at, else in the plan's order. */
export const inOrder = (targets: readonly TargetState[]): TargetState[] =>
  [...targets].sort((a, b) => rank(a) - rank(b));

/** A target without its message: `:x: *orders-db* (rds) Failed`. `room`: for the name; the rest has half of it. */
function headOf(target: TargetState, room: number): string {
  const executor = name(target.executor, room / 2);
  return [
    emojiOf(target.state),
    `*${name(target.name, room) || 'unnamed'}*`,
    executor === '' ? '' : `(${executor})`,
    name(target.state, room / 2),
  ]
    .filter((part) => part !== '')
    .join(' ');
}

/** A name in full, and where there are too many: of some 80 characters a line. */
const ROOMS = [80, 22] as const;
const LONGEST_MESSAGE = 240;
/** Fewer characters of a message tell nothing. */
const SHORTEST_MESSAGE = 24;

/**
 * A line for each target, at most `most` of them, then `… and 4 more`; altogether at most `budget` characters with their line
 * breaks. What a message says is cut first, then names, then lines. A message that stands in `told`, the error above as it is
 * shown, is left out.
 */
export function targetLines(
  targets: readonly TargetState[],
  most: number,
  budget: number,
  told = '',
): string[] {
  const lines = linesOf(inOrder(targets).slice(0, most), budget - longestMore(targets), told);
  return [...lines, ...moreLine(targets.length - lines.length)];
}

/**
 * The same on few lines: those that somebody has to look at have one each, of the others name and state stand in a row, once
 * none of the former is left out. At most `most` altogether.
 */
export function shortTargetLines(
  targets: readonly TargetState[],
  most: number,
  budget: number,
  told: string,
): string[] {
  const room = budget - longestMore(targets);
  const sad = inOrder(targets.filter(needsLook));
  const lines = linesOf(sad.slice(0, most), room, told);
  const others =
    lines.length < sad.length
      ? []
      : targets.filter((target) => !needsLook(target)).slice(0, most - lines.length);
  const row: string[] = [];
  let left = room - sizeOf(lines);
  for (const target of others) {
    const part = `${emojiOf(target.state)} ${name(target.name, SHORT_NAME) || 'unnamed'}`;
    left -= part.length + BETWEEN.length;
    if (left < 0) break;
    row.push(part);
  }
  const more = moreLine(targets.length - lines.length - row.length);
  return [...lines, ...(row.length === 0 ? more : [[...row, ...more].join(BETWEEN)])];
}

const BETWEEN = '  ·  ';
const SHORT_NAME = 40;

const moreLine = (more: number): string[] => (more > 0 ? [`… and ${more} more`] : []);
const longestMore = ({ length }: readonly TargetState[]): number =>
  `… and ${length} more`.length + BETWEEN.length;

/** As many lines as there is room for, of these targets in this order. */
function linesOf(targets: readonly TargetState[], room: number, told: string): string[] {
  const isNews = newsBeside(told);
  const hasNews = (target: TargetState): boolean => hasMessage(target) && isNews(target.message);
  let heads: string[] = [];
  for (const nameRoom of ROOMS) {
    heads = targets.map((target) => headOf(target, nameRoom));
    if (sizeOf(heads) <= room) break;
  }
  while (sizeOf(heads) > room) heads.pop();
  const shown = targets.slice(0, heads.length);
  const tells = shown.filter(hasNews).length;
  const each = Math.min(
    LONGEST_MESSAGE,
    Math.floor((room - sizeOf(heads)) / Math.max(1, tells)) - ' — '.length,
  );
  return shown.map((target, i) =>
    hasNews(target) && each >= SHORTEST_MESSAGE
      ? `${heads[i]} — ${sentence(target.message, each)}`
      : `${heads[i]}`,
  );
}

/** That a target is done needs no more words. */
const hasMessage = ({ state, message }: TargetState): boolean =>
  message.trim() !== '' && state !== 'Completed';

const sizeOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length + 1, 0);

/** The target that has just changed, and what it says: `:x: *orders-db* (rds) → Failed`. */
export function changeLine(target: TargetState): string {
  const executor = name(target.executor, 40);
  return `*${name(target.name, 80) || 'unnamed'}*${executor === '' ? '' : ` (${executor})`} → ${name(target.state, 40) || 'unknown'}`;
}

/** Lines as texts of at most `limit` characters each, for as many sections. */
export function packed(lines: readonly string[], limit: number): string[] {
  const texts: string[] = [];
  for (const line of lines) {
    const last = texts.at(-1);
    if (last !== undefined && last.length + 1 + line.length <= limit)
      texts[texts.length - 1] = `${last}\n${line}`;
    else texts.push(line);
  }
  return texts;
}
