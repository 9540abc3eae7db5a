import { isFields, type Fields } from '@hnotif/judges/slack';
import type { Clock } from './clock.ts';
import { emojiOf } from './emoji.ts';
import { element, type Content } from './markup.ts';
import { anchor } from './mrkdwn.ts';
import { slackDate } from './slack-date.ts';

/** The elements of a rich text (docs.slack.dev/reference/block-kit/blocks/rich-text-block). */
export function richText(fields: Fields, clock: Clock): Content {
  const elements = Array.isArray(fields.elements) ? fields.elements.filter(isFields) : [];
  const inside = elements.map((each) => richText(each, clock));
  switch (fields.type) {
    case 'rich_text_list':
      return element(
        fields.style === 'ordered' ? 'ol' : 'ul',
        {},
        inside.map((item) => element('li', {}, item)),
      );
    case 'rich_text_preformatted':
      return element('pre', {}, inside);
    case 'rich_text_quote':
      return element('blockquote', {}, inside);
    case 'rich_text_section':
      return element('div', {}, inside);
    case 'rich_text':
      return inside;
    default:
      return styled(leaf(fields, clock), fields.style);
  }
}

function leaf(fields: Fields, clock: Clock): Content {
  const string = (name: string): string => (typeof fields[name] === 'string' ? fields[name] : '');
  switch (fields.type) {
    case 'link':
      return anchor(string('url'), string('text') === '' ? string('url') : string('text'));
    case 'emoji':
      return emojiOf(string('name')) ?? `:${string('name')}:`;
    case 'user':
      return element('span', { class: 'mention' }, `@${string('user_id')}`);
    case 'usergroup':
      return element('span', { class: 'mention' }, `@${string('usergroup_id')}`);
    case 'channel':
      return element('span', { class: 'mention' }, `#${string('channel_id')}`);
    case 'broadcast':
      return element('span', { class: 'mention everyone' }, `@${string('range')}`);
    case 'date': {
      const unix = typeof fields.timestamp === 'number' ? fields.timestamp : NaN;
      return element('time', { title: string('fallback') }, slackDate(string('format'), unix, clock));
    }
    default:
      return string('text');
  }
}

function styled(content: Content, style: unknown): Content {
  if (!isFields(style)) return content;
  let result = content;
  if (style.code === true) result = element('code', {}, result);
  if (style.strike === true) result = element('s', {}, result);
  if (style.italic === true) result = element('i', {}, result);
  if (style.bold === true) result = element('b', {}, result);
  return result;
}
