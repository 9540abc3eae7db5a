import { LIMITS } from '@hnotif/judges/telegram';
import { cutAtGrapheme } from '../../../render/cut.ts';
import { escapeHTML } from '../../../render/escape.ts';
import { cutTo } from '../../../render/fit.ts';
import { neutralizeMentions } from '../../../render/neutralize-mentions.ts';
import { cleanLine } from '../../../render/one-line.ts';
import { linksOf } from '../../../resources/links.ts';
import type { PlanView } from '../../../resources/plan-view.ts';
import { linesOf, LONGEST_NAME, type LineStyle } from '../../board/lines.ts';
import { comparisonText, countsText, type BoardView } from '../../board/view.ts';
import { barText, type BoardSign, headingOf, resultTexts, signOf, tookText } from '../../board/words.ts';
import { fitText, type SentText } from '../fit.ts';

/** Of all lines, as readers see them: the rest is for heading, bar and foot. */
const BUDGET = LIMITS.units - 800;

const SIGNS: Readonly<Record<BoardSign, string>> = {
  evening: '🌙',
  morning: '☀️',
  done: '✅',
  warning: '⚠️',
  failed: '❌',
};

/** Without mentions: cut first, because a cut path may be a command. */
const plainName = (text: string, limit: number): string => {
  const line = cleanLine(text.slice(0, 2 * limit + 64));
  return neutralizeMentions(line.length <= limit ? line : `${cutAtGrapheme(line, limit - 1)}…`);
};

const name = (text: string, limit: number): string => escapeHTML(plainName(text, limit));

const STYLE: LineStyle = {
  signs: { failed: '❌', retrying: '🔄', running: '⏳', short: '⚠️', done: '✅' },
  strong: (markup) => `<b>${markup}</b>`,
  name,
  sentence: (text, limit) =>
    escapeHTML(neutralizeMentions(cutTo(cleanLine(text), limit, (part) => neutralizeMentions(part).length))),
  lengthOf: (markup) => markup.replace(/<[^>]*>/g, '').replace(/&#?\w+;/g, '.').length,
};

/** The board in HTML, within the limits of a message. Every value is escaped, and none mentions anybody. */
export const htmlBoard = (view: BoardView, plan: PlanView): SentText =>
  fitText(
    [
      titleOf(view, plan),
      barText(view),
      '',
      ...linesOf(view, BUDGET, STYLE),
      '',
      footOf(view).join(' · '),
      ...linksLine(plan),
    ].join('\n'),
    'HTML',
  );

/** The counts only, without markup. */
export const plainBoard = (view: BoardView, plan: PlanView): SentText =>
  fitText(
    `${headingOf(view, plan)}: ${plainName(view.namespace, LONGEST_NAME)} — ${countsText(view)}`.toWellFormed(),
    undefined,
  );

/** The reply at the end of a night. */
export const endNotice = (view: BoardView, plan: PlanView): SentText =>
  fitText([titleOf(view, plan), ...resultTexts(view)].join(' · '), 'HTML');

const titleOf = (view: BoardView, plan: PlanView): string =>
  `${SIGNS[signOf(view)]} <b>${escapeHTML(headingOf(view, plan).toWellFormed())}</b>`;

function footOf(view: BoardView): string[] {
  const [began, from] = timeOf(view.openedAt);
  const [today, now] = timeOf(view.updatedAt);
  return [
    name(view.namespace, LONGEST_NAME),
    `began ${began} ${from} UTC`,
    view.isOver ? tookText(view) : `updated ${today === began ? '' : `${today} `}${now} UTC`,
    view.isOver ? comparisonText(view) : '',
  ].filter((part) => part !== '');
}

/** Date and time, in UTC. */
const timeOf = (at: number): readonly [string, string] => {
  const [date = '', time = ''] = new Date(at).toISOString().split('T');
  return [date, time.slice(0, 5)];
};

function linksLine({ annotations, notification }: PlanView): string[] {
  const links = linksOf(annotations, notification);
  return links.length === 0
    ? []
    : [links.map(({ label, url }) => `<a href="${escapeHTML(url)}">${label}</a>`).join(' | ')];
}
