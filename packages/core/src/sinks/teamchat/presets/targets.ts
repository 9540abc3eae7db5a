import { groupedBy } from '../../../grouped-by.ts';
import type { TargetState } from '../../../lifecycle/event.ts';
import { isUnsuccessful, unsuccessfulFirst } from '../../../render/targets.ts';
import { name, sentence } from '../mrkdwn.ts';
import { BETWEEN } from './context.ts';
import { type TargetDuration, NO_DURATION } from '../../../render/duration.ts';
import { notShownIn } from './not-shown-in.ts';
import { emojiOf } from './words.ts';

/** How a message lists targets. */
export interface Listing {
  /** Targets at most. */
  readonly most: number;
  /** Characters at most, with line breaks. */
  readonly budget: number;
  /** The mrkdwn above the targets. Messages that it contains are left out. */
  readonly shownText?: string;
  readonly durationOf?: TargetDuration;
  /** How many targets there are, where `targets` has only the first of them. */
  readonly total?: number;
}

const labelOf = ({ name: text }: TargetState, room: number): string => name(text, room) || 'unnamed';

/** A target without its message: `:x: *orders-db* (rds) Failed after 2 min`. `room`: for the name; the rest has half of it. */
function headOf(target: TargetState, room: number, took: TargetDuration): string {
  const executor = name(target.executor, room / 2);
  return [
    emojiOf(target.state),
    `*${labelOf(target, room)}*`,
    executor === '' ? '' : `(${executor})`,
    name(target.state, room / 2),
    took(target),
  ]
    .filter((part) => part !== '')
    .join(' ');
}

const LONGEST_MESSAGE = 240;
/** A shorter part of a message is useless. */
const SHORTEST_MESSAGE = 24;

/**
 * A line for each target, and one line with the names of those that are waiting; then how many more there are. Messages are cut first,
 * then durations and names, then lines.
 */
export function targetLines(targets: readonly TargetState[], listing: Listing): string[] {
  const { most, budget, total = targets.length } = listing;
  const room = budget - longestMore(total);
  const lined = unsuccessfulFirst(targets.filter((target) => !isWaiting(target)));
  const lines = linesOf(lined.slice(0, most), room, listing);
  const waiting = lines.length < lined.length ? [] : targets.filter(isWaiting);
  const row = nameRow(waiting.slice(0, most - lines.length), room - sizeOf(lines) - WAITING.length);
  const more = moreText(total - lines.length - row.count);
  if (row.count === 0) return more === '' ? lines : [...lines, more];
  // All targets are waiting: no label is needed.
  const begin = lines.length === 0 ? '' : WAITING;
  return [...lines, `${begin}${row.text}${more === '' ? '' : ` ${more}`}`];
}

const WAITING = `${emojiOf('Pending')} Pending: `;

/** Only its name is shown. */
const isWaiting = (target: TargetState): boolean => target.state === 'Pending' && !hasMessage(target);

/** The same on few lines: one for each unsuccessful target. If there is room for all of them, the others follow in a row by state. */
export function shortTargetLines(targets: readonly TargetState[], listing: Listing): string[] {
  const { most, budget } = listing;
  const room = budget - longestMore(targets.length);
  const unsuccessful = unsuccessfulFirst(targets.filter(isUnsuccessful));
  const lines = linesOf(unsuccessful.slice(0, most), room, listing);
  const others =
    lines.length < unsuccessful.length
      ? []
      : targets.filter((target) => !isUnsuccessful(target)).slice(0, most - lines.length);
  const row: string[] = [];
  let [left, count] = [room - sizeOf(lines), 0];
  for (const [state, group] of groupedBy(others, ({ state }) => state)) {
    const begin = targets.every((target) => isWaiting(target)) ? '' : `${emojiOf(state)} `;
    const names = nameRow(group, left - begin.length - BETWEEN.length);
    if (names.count > 0) row.push(begin + names.text);
    count += names.count;
    left -= begin.length + names.text.length + BETWEEN.length;
    if (names.count < group.length) break;
  }
  const more = moreText(targets.length - lines.length - count);
  const last = [...row, more].filter((part) => part !== '').join(BETWEEN);
  return last === '' ? lines : [...lines, last];
}

const SHORT_NAME = 40;

/** As many names as fit: `orders-db, payments-db`. */
function nameRow(
  targets: readonly TargetState[],
  room: number,
): { readonly text: string; readonly count: number } {
  const names: string[] = [];
  let left = room;
  for (const target of targets) {
    const label = labelOf(target, SHORT_NAME);
    left -= label.length + ', '.length;
    if (left < 0) break;
    names.push(label);
  }
  return { text: names.join(', '), count: names.length };
}

const moreText = (more: number): string => (more > 0 ? `… and ${more} more` : '');
const longestMore = (total: number): number => moreText(total).length + BETWEEN.length;

/** From long to short: full names; names in lines of some 80 characters; the same without durations. */
const HEADS: readonly ((target: TargetState, took: TargetDuration) => string)[] = [
  (target, took) => headOf(target, 80, took),
  (target, took) => headOf(target, 22, took),
  (target) => headOf(target, 22, NO_DURATION),
];

/** As many lines as fit. */
function linesOf(
  targets: readonly TargetState[],
  room: number,
  { shownText = '', durationOf: took = NO_DURATION }: Listing,
): string[] {
  const isNew = notShownIn(shownText);
  const hasNewMessage = (target: TargetState): boolean => hasMessage(target) && isNew(target.message);
  let heads: string[] = [];
  for (const head of HEADS) {
    heads = targets.map((target) => head(target, took));
    if (sizeOf(heads) <= room) break;
  }
  while (sizeOf(heads) > room) heads.pop();
  const shown = targets.slice(0, heads.length);
  const tells = shown.filter(hasNewMessage).length;
  const each = Math.min(
    LONGEST_MESSAGE,
    Math.floor((room - sizeOf(heads)) / Math.max(1, tells)) - ' — '.length,
  );
  return shown.map((target, i) =>
    hasNewMessage(target) && each >= SHORTEST_MESSAGE
      ? `${heads[i]} — ${sentence(target.message, each)}`
      : `${heads[i]}`,
  );
}

/** The message of a completed target is not shown. */
const hasMessage = ({ state, message }: TargetState): boolean =>
  message.trim() !== '' && state !== 'Completed';

const sizeOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length + 1, 0);

/** The target that has just changed: `*orders-db* (rds) → Completed in 41 s`. */
export function changeLine(target: TargetState, took: TargetDuration): string {
  const executor = name(target.executor, 40);
  const parts = [
    `*${labelOf(target, 80)}*`,
    executor === '' ? '' : `(${executor})`,
    '→',
    name(target.state, 40) || 'unknown',
    took(target),
  ];
  return parts.filter((part) => part !== '').join(' ');
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
