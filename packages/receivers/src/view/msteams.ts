import { isFields, type Fields } from '@hnotif/judges/msteams';
import type { MsteamsMessage } from '../msteams/message.ts';
import { timeOfDay, type Clock } from './clock.ts';
import { element, safeAddress, type Content, type Html } from './markup.ts';

/** A message with its cards like in Teams: HTML for a page with the style `MSTEAMS_STYLE`. */
export function msteamsHtml(message: MsteamsMessage, clock: Clock): string {
  return msteamsMessage(message, clock).toString();
}

export function msteamsMessage({ at, cards }: MsteamsMessage, clock: Clock): Html {
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
        element('span', { class: 'name' }, 'Workflows'),
        element('time', {}, timeOfDay(clock, at)),
      ),
      cards.map(card),
    ),
  );
}

const list = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const card = ({ body, actions }: Fields): Html =>
  element(
    'div',
    { class: 'card' },
    list(body).map(block),
    list(actions).length === 0 ? [] : element('div', { class: 'actions' }, list(actions).map(action)),
  );

/** Elements that hnotif does not write have a note instead. */
function block({ type, text: words, inlines }: Fields): Content {
  if (type === 'TextBlock') return element('div', { class: 'line' }, markdown(text(words)));
  if (type === 'RichTextBlock') return element('div', { class: 'line' }, list(inlines).map(run));
  return element('div', { class: 'line other' }, `(${text(type)})`);
}

const run = ({ text: words, weight }: Fields): Content =>
  weight === 'Bolder' ? element('b', {}, text(words)) : text(words);

const action = ({ title, url }: Fields): Html =>
  element('a', { class: 'action', href: safeAddress(text(url)) }, text(title));

/** An escaped character, a link, bold, italic. https://learn.microsoft.com/adaptive-cards/authoring-cards/text-features */
const MARKUP =
  /\\([!-/:-@[-`{-~])|\[([^\]\n]{1,2000})\]\(([^)\s]{1,2000})\)|\*\*([^*\n]{1,2000})\*\*|(?<![\w*])[*_]([^*_\n]{1,2000})[*_](?!\w)/g;

function markdown(source: string): Content[] {
  const parts: Content[] = [];
  let at = 0;
  for (const match of source.matchAll(MARKUP)) {
    const [whole, escaped, label, url = '', bold, italic] = match;
    parts.push(source.slice(at, match.index));
    at = match.index + whole.length;
    if (escaped !== undefined) parts.push(escaped);
    else if (bold !== undefined) parts.push(element('b', {}, bold));
    else if (italic !== undefined) parts.push(element('i', {}, italic));
    else parts.push(element('a', { href: safeAddress(url) }, label ?? ''));
  }
  return [...parts, source.slice(at)];
}
