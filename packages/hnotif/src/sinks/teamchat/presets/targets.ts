import type { TargetState } from '../../../lifecycle/event.ts';
import { name, sentence } from '../mrkdwn.ts';
import { emojiOf } from './words.ts';

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
 * breaks. What a message says is cut first, then names, then lines. A message that stands in `told`, the error above, is left out.
 */
export function targetLines(
  targets: readonly TargetState[],
  most: number,
  budget: number,
  told = '',
): string[] {
  const hasNews = (target: TargetState): boolean =>
    hasMessage(target) && !told.includes(target.message.trim());
  const room = budget - `… and ${targets.length} more`.length - 1;
  let shown = inOrder(targets).slice(0, most);
  let heads: string[] = [];
  for (const nameRoom of ROOMS) {
    heads = shown.map((target) => headOf(target, nameRoom));
    if (sizeOf(heads) <= room) break;
  }
  while (sizeOf(heads) > room) heads.pop();
  shown = shown.slice(0, heads.length);
  const tells = shown.filter(hasNews).length;
  const each = Math.min(
    LONGEST_MESSAGE,
    Math.floor((room - sizeOf(heads)) / Math.max(1, tells)) - ' — '.length,
  );
  const lines = shown.map((target, i) =>
    hasNews(target) && each >= SHORTEST_MESSAGE
      ? `${heads[i]} — ${sentence(target.message, each)}`
      : `${heads[i]}`,
  );
  const more = targets.length - shown.length;
  return more > 0 ? [...lines, `… and ${more} more`] : lines;
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
