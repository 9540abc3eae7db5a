import { isFields, type Fields } from '@hnotif/judges/slack';
import type { Clock } from './clock.ts';
import { withEmoji } from './emoji.ts';
import { element, type Content, type Html } from './markup.ts';
import { mrkdwn } from './mrkdwn.ts';
import { richText } from './rich-text.ts';

/** A block of a message as its readers see it (docs.slack.dev/reference/block-kit/blocks). */
export function block(fields: Fields, clock: Clock): Html {
  const { type } = fields;
  switch (type) {
    case 'header':
      return element('h3', { class: 'header' }, textObject(fields.text, clock));
    case 'section':
      return section(fields, clock);
    case 'context':
      return element('div', { class: 'context' }, ...list(fields.elements).map((each) => small(each, clock)));
    case 'divider':
      return element('hr', {});
    case 'image':
      return image(fields, clock);
    case 'actions':
      return element(
        'div',
        { class: 'actions' },
        ...list(fields.elements).map((each) => control(each, clock)),
      );
    case 'rich_text':
      return element('div', { class: 'text' }, richText(fields, clock));
    default:
      return element('div', { class: 'text' }, textObject(fields.text, clock));
  }
}

function section({ text, fields, accessory }: Fields, clock: Clock): Html {
  const columns = list(fields).map((field) => element('div', { class: 'field' }, textObject(field, clock)));
  return element(
    'div',
    { class: 'section' },
    element(
      'div',
      { class: 'body' },
      text === undefined ? [] : element('div', { class: 'text' }, textObject(text, clock)),
      columns.length === 0 ? [] : element('div', { class: 'fields' }, columns),
    ),
    isFields(accessory) ? element('div', { class: 'accessory' }, control(accessory, clock)) : [],
  );
}

function small(fields: Fields, clock: Clock): Html {
  if (fields.type === 'image') return picture(fields);
  return element('span', { class: 'small' }, textObject(fields, clock));
}

/** Nothing is loaded from elsewhere: a picture is replaced by its text. */
function picture({ alt_text: alt }: Fields): Html {
  return element('span', { class: 'picture' }, typeof alt === 'string' ? alt : '');
}

function image(fields: Fields, clock: Clock): Html {
  return element(
    'div',
    { class: 'image' },
    element('b', {}, textObject(fields.title, clock)),
    picture(fields),
  );
}

function control(fields: Fields, clock: Clock): Html {
  if (fields.type === 'image') return picture(fields);
  const label = fields.text ?? fields.placeholder;
  return element('span', { class: 'button' }, textObject(label, clock));
}

/** A text object of either kind (docs.slack.dev/reference/block-kit/composition-objects/text-object). */
function textObject(value: unknown, clock: Clock): Content {
  if (typeof value === 'string') return value;
  if (!isFields(value) || typeof value.text !== 'string') return [];
  if (value.type === 'mrkdwn') return mrkdwn(value.text, { clock, verbatim: value.verbatim === true });
  return value.emoji === false ? value.text : withEmoji(value.text);
}

function list(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}
