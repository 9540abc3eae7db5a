import type { BotchatMessage } from '../botchat/message.ts';
import type { TeamchatMessage } from '../teamchat/message.ts';
import { botchatBubble } from './botchat.ts';
import { BOTCHAT_STYLE } from './botchat-style.ts';
import { dayOf, dayTitle, type Clock } from './clock.ts';
import { documentOf, element, type Content, type Html } from './markup.ts';
import { attachmentColours, momentOf, teamchatMessage } from './teamchat.ts';
import { TEAMCHAT_STYLE } from './teamchat-style.ts';

interface PageSettings extends Clock {
  /** The channel's or the chat's name. */
  readonly title: string;
}

export type PageOptions = PageSettings &
  (
    | { readonly chat: 'teamchat'; readonly messages: readonly TeamchatMessage[] }
    | { readonly chat: 'botchat'; readonly messages: readonly BotchatMessage[] }
  );

/** A complete page that shows a chat like its app, for screenshots. It loads nothing and runs nothing. */
export function pageHtml(options: PageOptions): string {
  const { title } = options;
  if (options.chat === 'teamchat') {
    const rows = options.messages.map((message) => ({
      ms: momentOf(message.ts),
      html: teamchatMessage(message, options),
    }));
    const head = element('header', {}, element('span', { class: 'hash' }, '# '), title);
    const main = element('main', {}, head, byDays(rows, options));
    return documentOf(`#${title}`, TEAMCHAT_STYLE + attachmentColours(main.toString()), main);
  }
  const rows = options.messages.map((message) => ({
    ms: message.date * 1000,
    html: botchatBubble(message, options),
  }));
  const head = element(
    'header',
    {},
    element('div', { class: 'avatar' }, [...title][0] ?? ''),
    element(
      'div',
      {},
      element('b', {}, title),
      element('div', { class: 'kind' }, kindOf(options.messages[0])),
    ),
  );
  return documentOf(
    title,
    BOTCHAT_STYLE,
    element('main', {}, head, element('div', { class: 'chat' }, byDays(rows, options))),
  );
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
