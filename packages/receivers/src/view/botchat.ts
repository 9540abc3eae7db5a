import { endOf, type Entity } from '@hnotif/judges/telegram';
import type { BotchatMessage } from '../botchat/message.ts';
import { shown, timeOfDay, type Clock } from './clock.ts';
import { element, type Content, type Html } from './markup.ts';
import { anchor } from './mrkdwn.ts';

/** A message bubble like in Telegram: HTML for a page with the style `BOTCHAT_STYLE`. */
export function botchatHtml(message: BotchatMessage, clock: Clock): string {
  return botchatBubble(message, clock).toString();
}

export function botchatBubble(message: BotchatMessage, clock: Clock): Html {
  const { text, entities, chat, date } = message;
  const title = chat.type === 'channel' ? (chat.title ?? 'hnotif') : 'hnotif';
  return element(
    'article',
    { class: 'message' },
    chat.type === 'private' ? [] : element('div', { class: 'avatar' }, '🌙'),
    element(
      'div',
      { class: 'bubble' },
      chat.type === 'private' ? [] : element('div', { class: 'name' }, title),
      element('div', { class: 'text' }, marked(text, entities, 0, text.length, clock)),
      element('time', {}, timeOfDay(clock, date * 1000)),
    ),
  );
}

/** The text from `begin` to `end` with its entities, which are sorted, and nested or separate. */
function marked(
  text: string,
  entities: readonly Entity[],
  begin: number,
  end: number,
  clock: Clock,
): Content[] {
  const parts: Content[] = [];
  let at = begin;
  for (const [index, entity] of entities.entries()) {
    if (entity.offset < at) continue;
    parts.push(text.slice(at, entity.offset));
    at = endOf(entity);
    const inner = entities
      .slice(index + 1)
      .filter((other) => other.offset >= entity.offset && endOf(other) <= at);
    parts.push(
      show(entity, marked(text, inner, entity.offset, at, clock), text.slice(entity.offset, at), clock),
    );
  }
  return [...parts, text.slice(at, end)];
}

function show(entity: Entity, inside: Content, plain: string, clock: Clock): Content {
  switch (entity.type) {
    case 'bold':
      return element('b', {}, inside);
    case 'italic':
      return element('i', {}, inside);
    case 'underline':
      return element('u', {}, inside);
    case 'strikethrough':
      return element('s', {}, inside);
    case 'code':
      return element('code', {}, inside);
    case 'spoiler':
      return element('span', { class: 'spoiler' }, inside);
    case 'blockquote':
      return element('blockquote', {}, inside);
    case 'expandable_blockquote':
      return element('blockquote', { class: 'expandable' }, inside);
    case 'pre': {
      const title =
        entity.language === undefined ? [] : element('span', { class: 'language' }, entity.language);
      return element('div', { class: 'code' }, title, element('pre', {}, inside));
    }
    case 'text_link':
      return anchor(entity.url, inside);
    case 'url':
      return anchor(/^[a-z]+:\/\//i.test(plain) ? plain : `http://${plain}`, inside);
    case 'email':
      return anchor(`mailto:${plain}`, inside);
    case 'date_time':
      return element(
        'time',
        { title: shown(clock, entity.unix_time * 1000, { dateStyle: 'full', timeStyle: 'long' }) },
        inside,
      );
    case 'custom_emoji':
      return inside;
    case 'mention':
    case 'text_mention':
    case 'hashtag':
    case 'cashtag':
    case 'bot_command':
      return element('span', { class: 'link' }, inside);
  }
}
