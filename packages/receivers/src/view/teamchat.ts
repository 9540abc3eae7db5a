import type { TeamchatMessage } from '../teamchat/message.ts';
import { block } from './blocks.ts';
import { timeOfDay, type Clock } from './clock.ts';
import { element, type Html } from './markup.ts';
import { mrkdwn } from './mrkdwn.ts';

/** A message as Slack shows it, its thread below it: HTML for a page whose style is `TEAMCHAT_STYLE`. */
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
      replies.length === 0 ? [] : thread,
    ),
  );
}

function content({ text, blocks, mrkdwn: isMarkup, deleted }: TeamchatMessage, clock: Clock): Html {
  if (deleted) return element('div', { class: 'text gone' }, 'This message was deleted.');
  if (blocks.length > 0)
    return element(
      'div',
      { class: 'blocks' },
      blocks.map((each) => block(each, clock)),
    );
  return element('div', { class: 'text' }, isMarkup ? mrkdwn(text, { clock }) : text);
}

/** Milliseconds since the epoch of a `ts`. */
export function momentOf(ts: string): number {
  return Number(ts) * 1000;
}
