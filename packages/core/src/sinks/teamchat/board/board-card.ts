import type { PlanView } from '../../../resources/plan-view.ts';
import { linesOf, LONGEST_NAME, type LineStyle } from '../../board/lines.ts';
import { comparisonText, countsText, type BoardView } from '../../board/view.ts';
import { barText, type BoardSign, headingOf, resultTexts, signOf, tookText } from '../../board/words.ts';
import { fitText } from '../fit.ts';
import { context, fenced, header, name, section, sentence } from '../mrkdwn.ts';
import { BETWEEN } from '../presets/context.ts';
import { linkTexts } from '../presets/links.ts';
import { packed } from '../presets/targets.ts';
import { shownTime } from '../presets/time.ts';
import { operationOf } from '../presets/words.ts';
import type { ChatMessage, PresetOptions } from '../types.ts';

/** Of all lines: with everything else it keeps a message below 12,000 characters, which Slack takes. */
const BUDGET = 8_000;
/** chat.update refuses a longer text, where chat.postMessage cuts (bytes). */
const LONGEST_TEXT = 4_000;
/** https://docs.slack.dev/reference/block-kit/blocks/section-block */
const LONGEST_SECTION = 3_000;

const SIGNS: Readonly<Record<BoardSign, string>> = {
  evening: ':crescent_moon:',
  morning: ':sunny:',
  done: ':white_check_mark:',
  warning: ':warning:',
  failed: ':x:',
};

const STYLE: LineStyle = {
  signs: {
    failed: ':x:',
    retrying: ':arrows_counterclockwise:',
    running: ':hourglass_flowing_sand:',
    short: ':warning:',
    done: ':white_check_mark:',
  },
  strong: (text) => `*${text}*`,
  ...{ name, sentence },
  lengthOf: (text) => text.length,
};

/** The board as blocks, within the limits of the chat. Every value is escaped. */
export function blocksBoard(view: BoardView, plan: PlanView, options: PresetOptions): ChatMessage {
  return {
    text: fitText(noticeText(view, plan)),
    blocks: [
      header(`${SIGNS[signOf(view)]} ${headingOf(view, plan)}`),
      section(fenced(barText(view))),
      ...packed(linesOf(view, BUDGET, STYLE), LONGEST_SECTION).map(section),
      context([...linkTexts(plan), ...footOf(view, options)].join(BETWEEN)),
    ],
  };
}

/** The board as text in mrkdwn, with the same content. */
export function textBoard(view: BoardView, plan: PlanView, options: PresetOptions): ChatMessage {
  const text = (budget: number): string =>
    [
      titleOf(view, plan),
      barText(view),
      ...linesOf(view, budget, STYLE),
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
  text: fitText([titleOf(view, plan), ...resultTexts(view)].join(BETWEEN)),
});

const titleOf = (view: BoardView, plan: PlanView): string =>
  `${SIGNS[signOf(view)]} *${headingOf(view, plan)}*`;

/** One line for lock screens and screen readers. */
const noticeText = (view: BoardView, plan: PlanView): string =>
  `${headingOf(view, plan)}: ${name(view.namespace, LONGEST_NAME)} — ${countsText(view)}`;

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
