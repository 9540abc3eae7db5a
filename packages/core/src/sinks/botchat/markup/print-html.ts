import type { Entity, Formatted } from '@hnotif/judges/telegram';
import { walk } from './walk.ts';

const ESCAPES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' };
const escape = (text: string): string => text.replace(/[<>&"]/g, (character) => ESCAPES[character] ?? '');

/** Prints a text as Telegram's HTML (https://core.telegram.org/bots/api#html-style). */
export function printHtml(formatted: Formatted): string {
  let out = '';
  walk(formatted, {
    begin: (entity) =>
      (out += tagsOf(entity)
        .map((tag) => `<${tag}>`)
        .join('')),
    text: (part) => (out += escape(part)),
    end: (entity) =>
      (out += tagsOf(entity)
        .toReversed()
        .map((tag) => `</${/^[\w-]+/.exec(tag)?.[0] ?? ''}>`)
        .join('')),
  });
  return out;
}

/** The start tags of an entity, without their brackets. What Telegram finds by itself has none. */
function tagsOf(entity: Entity): string[] {
  switch (entity.type) {
    case 'bold':
      return ['b'];
    case 'italic':
      return ['i'];
    case 'underline':
      return ['u'];
    case 'strikethrough':
      return ['s'];
    case 'spoiler':
      return ['tg-spoiler'];
    case 'code':
      return ['code'];
    case 'pre':
      return entity.language === undefined
        ? ['pre']
        : ['pre', `code class="language-${escape(entity.language)}"`];
    case 'blockquote':
      return ['blockquote'];
    case 'expandable_blockquote':
      return ['blockquote expandable'];
    case 'text_link':
      return [`a href="${escape(entity.url)}"`];
    case 'text_mention':
      return [`a href="tg://user?id=${entity.user.id}"`];
    case 'custom_emoji':
      return [`tg-emoji emoji-id="${entity.custom_emoji_id}"`];
    case 'date_time':
      return [`tg-time unix="${entity.unix_time}" format="${entity.date_time_format}"`];
    default:
      return [];
  }
}
