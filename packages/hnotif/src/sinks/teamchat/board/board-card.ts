import type { PlanView } from '../../../resources/plan-view.ts';
import { withCluster } from '../../../render/context.ts';
import type { Row } from '../../board/row.ts';
import { comparisonText, countsText, endedWord, type BoardView } from '../../board/view.ts';
import { fitText } from '../fit.ts';
import { context, fenced, header, name, section, sentence } from '../mrkdwn.ts';
import { BETWEEN } from '../presets/context.ts';
import { durationOf } from '../presets/duration.ts';
import { linkTexts } from '../presets/links.ts';
import { packed } from '../presets/targets.ts';
import { barOf } from '../presets/tally.ts';
import { shownTime } from '../presets/time.ts';
import { operationOf } from '../presets/words.ts';
import type { ChatMessage, PresetOptions } from '../types.ts';

/** Of all lines: with everything else it keeps a message below 12,000 characters, which Slack takes. */
const BUDGET = 8_000;
/** chat.update refuses a longer text, where chat.postMessage cuts (bytes). */
const LONGEST_TEXT = 4_000;
/** https://docs.slack.dev/reference/block-kit/blocks/section-block */
const LONGEST_SECTION = 3_000;
/** The most lines for plans of one state. */
const MOST_LINES = 20;
/** Of plans that only run: they need nobody. */
const MOST_RUNNING = 8;
/** Of the names of plans that are done (UTF-16 units): more are a wall of text, below which the last line is lost. */
const LONGEST_FOLDED = 400;
const LONGEST_ERROR = 160;
const LONGEST_NAME = 80;

/** The board as blocks, within the limits of the chat. Every value is escaped. */
export function blocksBoard(view: BoardView, plan: PlanView, options: PresetOptions): ChatMessage {
  return {
    text: fitText(noticeText(view, plan)),
    blocks: [
      header(`${emojiOf(view)} ${wordsOf(view, plan)}`),
      section(fenced(barText(view))),
      ...packed(linesOf(view, BUDGET), LONGEST_SECTION).map(section),
      context([...linkTexts(plan), ...footOf(view, options)].join(BETWEEN)),
    ],
  };
}

/** The board as text in mrkdwn, with the same content. */
export function textBoard(view: BoardView, plan: PlanView, options: PresetOptions): ChatMessage {
  const text = (budget: number): string =>
    [
      `${emojiOf(view)} *${wordsOf(view, plan)}*`,
      barText(view),
      ...linesOf(view, budget),
      [...linkTexts(plan), ...footOf(view, options)].join(' | '),
    ].join('\n');
  // The letters of many languages take three bytes.
  const shown = [2_800, 1_400, 700].map(text).find((each) => Buffer.byteLength(each) <= LONGEST_TEXT);
  return { text: fitText(shown ?? noticeText(view, plan)) };
}

/** The counts only, without markup. */
export const plainBoard = (view: BoardView, plan: PlanView): ChatMessage => ({
  text: fitText(noticeText(view, plan)),
});

/** The reply at the end of a night. */
export const endNotice = (view: BoardView, plan: PlanView): ChatMessage => ({
  text: fitText(
    [`${emojiOf(view)} *${wordsOf(view, plan)}*`, countsText(view), tookText(view), comparisonText(view)]
      .filter((part) => part !== '')
      .join(BETWEEN),
  ),
});

const barText = (view: BoardView): string => `${barOf(view.ended, view.total)} ${countsText(view)}`;

/** One line for lock screens and screen readers. */
const noticeText = (view: BoardView, plan: PlanView): string =>
  `${wordsOf(view, plan)}: ${name(view.namespace, LONGEST_NAME)} — ${countsText(view)}`;

/** Ours alone, without any text of a plan. */
function wordsOf({ operation, isOver, total, ended, rows }: BoardView, plan: PlanView): string {
  const what = operation === 'shutdown' ? 'Hibernation' : operation === 'wakeup' ? 'Wake-Up' : 'Operation';
  const all = `${what} of ${total} ${total === 1 ? 'Plan' : 'Plans'}`;
  const { length: failed } = rows.failed;
  // Not all have failed.
  const end = ended === total ? ' Completed' : ended + failed < total ? ' Unfinished' : `, ${failed} Failed`;
  return withCluster(`${all}${isOver ? end : ' in Progress'}`, plan);
}

/** A night with failures is not green. */
function emojiOf({ operation, isOver, total, ended, rows }: BoardView): string {
  if (rows.failed.length > 0) return isOver ? ':x:' : ':warning:';
  if (!isOver) return operation === 'shutdown' ? ':crescent_moon:' : ':sunny:';
  return rows.short.length > 0 || ended < total ? ':warning:' : ':white_check_mark:';
}

function footOf(view: BoardView, options: PresetOptions): string[] {
  const time = (at: number): string => shownTime(new Date(at).toISOString(), options);
  return [
    name(view.namespace, LONGEST_NAME),
    operationOf(view),
    `Began ${time(view.openedAt)}`,
    view.isOver ? tookText(view) : `Updated ${time(view.updatedAt)}`,
    view.isOver ? comparisonText(view) : '',
  ].filter((part) => part !== '');
}

function tookText({ openedAt, updatedAt }: BoardView): string {
  const took = durationOf(new Date(openedAt).toISOString(), new Date(updatedAt).toISOString());
  return took === '' ? '' : `took ${took}`;
}

/** Failed plans first, with their errors; then those that are not done; then the names of the others. */
function linesOf(view: BoardView, budget: number): string[] {
  const { failed, retrying, running, short, done } = view.rows;
  const lines: string[] = [];
  let left = budget;
  const add = (line: string): boolean => {
    if (line === '' || line.length + 1 > left) return false;
    left -= line.length + 1;
    lines.push(line);
    return true;
  };
  const list = (
    rows: readonly Row[],
    word: string,
    lineOf: (row: Row) => string,
    most = MOST_LINES,
  ): void => {
    let shown = 0;
    // A place for the line that counts the rest.
    left -= 40;
    for (const row of rows.slice(0, most)) {
      if (!add(lineOf(row))) break;
      shown++;
    }
    left += 40;
    if (shown < rows.length) add(`… and ${rows.length - shown} more ${word}`);
  };
  list(failed, 'failed', (row) => lineWithError(':x:', row));
  list(retrying, 'retrying', (row) => lineWithError(':arrows_counterclockwise:', row));
  list(running, 'running', (row) => `:hourglass_flowing_sand: ${nameOf(row)}${targetsOf(row)}`, MOST_RUNNING);
  list(short, 'with failed targets', (row) => `:warning: ${nameOf(row)}${targetsOf(row)}`);
  add(foldedNames(done, endedWord(view.operation), Math.min(left - 1, LONGEST_FOLDED)));
  return lines;
}

const nameOf = ({ plan }: Row): string => `*${name(plan, LONGEST_NAME) || 'unnamed'}*`;

/** ` 3 of 5 targets, 1 failed` */
const targetsOf = ({ completed, failed, total }: Row): string =>
  total === 0
    ? ''
    : ` ${completed} of ${total} ${total === 1 ? 'target' : 'targets'}${failed > 0 ? `, ${failed} failed` : ''}`;

function lineWithError(emoji: string, row: Row): string {
  const error = sentence(row.error, LONGEST_ERROR);
  return `${emoji} ${nameOf(row)}${targetsOf(row)}${error === '' ? '' : ` — ${error}`}`;
}

/** `:white_check_mark: 98 asleep: orders, payments and 96 more`; `''` for none, or without room. */
function foldedNames(rows: readonly Row[], word: string, room: number): string {
  if (rows.length === 0) return '';
  const begin = `:white_check_mark: ${rows.length} ${word}`;
  const names: string[] = [];
  let left = room - begin.length - ':  and 00000 more'.length;
  for (const { plan } of rows) {
    const shown = name(plan, LONGEST_NAME / 2) || 'unnamed';
    left -= shown.length + 2;
    if (left < 0) break;
    names.push(shown);
  }
  const more = rows.length - names.length;
  if (names.length === 0) return begin.length <= room ? begin : '';
  return `${begin}: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
