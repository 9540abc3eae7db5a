import type { BotchatMessage } from '../botchat/message.ts';
import type { MsteamsMessage } from '../msteams/message.ts';
import type { TeamchatMessage } from '../teamchat/message.ts';
import { botchatBubble } from './botchat.ts';
import { BOTCHAT_STYLE } from './botchat-style.ts';
import { dayOf, dayTitle, type Clock } from './clock.ts';
import { documentOf, element, type Content, type Html } from './markup.ts';
import { MSTEAMS_STYLE } from './msteams-style.ts';
import { msteamsMessage } from './msteams.ts';
import { attachmentColours, momentOf, teamchatMessage } from './teamchat.ts';
import { TEAMCHAT_STYLE } from './teamchat-style.ts';

export interface PageSettings extends Clock {
  /** The channel's or the chat's name. */
  readonly title: string;
}

/** A complete page that shows a channel of Slack, for screenshots. It loads nothing and runs nothing. */
export function teamchatPage(messages: readonly TeamchatMessage[], settings: PageSettings): string {
  const { title } = settings;
  const rows = messages.map((message) => ({
    ms: momentOf(message.ts),
    html: teamchatMessage(message, settings),
  }));
  const head = element('header', {}, element('span', { class: 'hash' }, '# '), title);
  const main = element('main', {}, head, byDays(rows, settings));
  return documentOf(`#${title}`, TEAMCHAT_STYLE + attachmentColours(main.toString()), main);
}

/** The same for a chat of Telegram. */
export function botchatPage(messages: readonly BotchatMessage[], settings: PageSettings): string {
  const { title } = settings;
  const rows = messages.map((message) => ({
    ms: message.date * 1000,
    html: botchatBubble(message, settings),
  }));
  const head = element(
    'header',
    {},
    element('div', { class: 'avatar' }, [...title][0] ?? ''),
    element('div', {}, element('b', {}, title), element('div', { class: 'kind' }, kindOf(messages[0]))),
  );
  return documentOf(
    title,
    BOTCHAT_STYLE,
    element('main', {}, head, element('div', { class: 'chat' }, byDays(rows, settings))),
  );
}

/** The same for a channel of Teams. */
export function msteamsPage(messages: readonly MsteamsMessage[], settings: PageSettings): string {
  const { title } = settings;
  const rows = messages.map((message) => ({ ms: message.at, html: msteamsMessage(message, settings) }));
  const main = element('main', {}, element('header', {}, title), byDays(rows, settings));
  return documentOf(title, MSTEAMS_STYLE, main);
}

function kindOf(message: BotchatMessage | undefined): string {
  const type = message?.chat.type ?? 'private';
  return type === 'supergroup' ? 'group' : type === 'private' ? 'bot' : type;
}

/** The messages, with separators between days. */
function byDays(rows: readonly { readonly ms: number; readonly html: Html }[], clock: Clock): Content[] {
  let last = '';
  return rows.flatMap(({ ms, html }) => {
    const day = dayOf(clock, ms);
    const isNew = day !== last;
    last = day;
    return isNew
      ? [element('div', { class: 'day' }, element('span', {}, dayTitle(clock, ms))), html]
      : [html];
  });
}
