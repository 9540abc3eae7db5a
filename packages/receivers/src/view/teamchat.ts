import type { TeamchatMessage } from '../teamchat/message.ts';
import { isFields, type Fields } from '@hnotif/judges/slack';
import { block } from './blocks.ts';
import { timeOfDay, type Clock } from './clock.ts';
import { element, type Content, type Html } from './markup.ts';
import { mrkdwn } from './mrkdwn.ts';

/** A message like in Slack, with its thread: HTML for a page with the style `TEAMCHAT_STYLE`. */
export function teamchatHtml(message: TeamchatMessage, clock: Clock): string {
  return teamchatMessage(message, clock).toString();
}

export function teamchatMessage(message: TeamchatMessage, clock: Clock): Html {
  const { replies } = message;
  const count = `${replies.length} ${replies.length === 1 ? 'reply' : 'replies'}`;
  const thread = element(
    'div',
    { class: 'thread' },
    element('div', { class: 'count' }, count),
    replies.map((reply) => teamchatMessage(reply, clock)),
  );
  return element(
    'article',
    { class: 'message' },
    element('div', { class: 'avatar' }, '🌙'),
    element(
      'div',
      { class: 'column' },
      element(
        'div',
        { class: 'who' },
        element('span', { class: 'name' }, 'hnotif'),
        element('span', { class: 'badge' }, 'APP'),
        element('time', {}, timeOfDay(clock, momentOf(message.ts))),
      ),
      content(message, clock),
      message.editedTs === undefined ? [] : element('span', { class: 'edited' }, '(edited)'),
      message.broadcast === true ? element('span', { class: 'edited' }, 'also sent to the channel') : [],
      replies.length === 0 ? [] : thread,
    ),
  );
}

function content(
  { text, blocks, attachments, mrkdwn: isMarkup, deleted }: TeamchatMessage,
  clock: Clock,
): Content {
  if (deleted) return element('div', { class: 'text gone' }, 'This message was deleted.');
  return [
    blocks.length > 0
      ? blocksOf(blocks, clock)
      : element('div', { class: 'text' }, isMarkup ? mrkdwn(text, { clock }) : text),
    ...attachments.map((each) => attachment(each, clock)),
  ];
}

const blocksOf = (blocks: readonly Fields[], clock: Clock): Html =>
  element(
    'div',
    { class: 'blocks' },
    blocks.map((each) => block(each, clock)),
  );

/** Colours by name: https://docs.slack.dev/messaging/formatting-message-text#secondary-attachments */
const COLORS: ReadonlyMap<string, string> = new Map([
  ['good', '#2eb886'],
  ['warning', '#daa038'],
  ['danger', '#a30200'],
]);

/** An attachment beside its bar: its blocks, or the older fields. */
function attachment({ color, blocks, pretext, title, text, fallback }: Fields, clock: Clock): Html {
  const named = typeof color === 'string' ? (COLORS.get(color) ?? color) : '';
  const bar = /^#?[0-9a-f]{6}$/i.test(named) ? `#${named.replace('#', '')}` : '#dddddd';
  const list = Array.isArray(blocks) ? blocks.filter(isFields) : [];
  const older = [pretext, title, text].filter((part) => typeof part === 'string');
  const lines = older.length > 0 ? older : [fallback].filter((part) => typeof part === 'string');
  return element(
    'div',
    { class: 'attachment', 'data-color': bar },
    list.length > 0
      ? blocksOf(list, clock)
      : element('div', { class: 'text' }, mrkdwn(lines.join('\n'), { clock })),
  );
}

/** The rules for the bars of the attachments in some HTML. A page with scripts forbids styles in elements. */
export const attachmentColours = (html: string): string =>
  [...new Set(Array.from(html.matchAll(/ data-color="(#[0-9a-f]{6})"/gi), ([, color = '']) => color))]
    .map((color) => `[data-color="${color}"] { border-left-color: ${color}; }\n`)
    .join('');

/** Milliseconds since the epoch of a `ts`. */
export function momentOf(ts: string): number {
  return Number(ts) * 1000;
}
