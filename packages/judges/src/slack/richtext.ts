/** https://docs.slack.dev/reference/block-kit/blocks/rich-text-block */
import { anything, byType, flag, list, object, oneOf, text, typed, url, whole } from './shape.ts';
import type { Shape } from './walk.ts';

const style = object({
  'bold?': flag,
  'italic?': flag,
  'strike?': flag,
  'underline?': flag,
  'code?': flag,
  'highlight?': flag,
  'client_highlight?': flag,
  'unlink?': flag,
});

const id = text(255);
const piece = (type: string, fields: Readonly<Record<string, Shape>>) =>
  typed(type, { ...fields, 'style?': style });

const inline = byType(
  'a rich text element',
  piece('text', { text: text(Infinity) }),
  piece('link', { url, 'text?': text(3000), 'unsafe?': flag }),
  piece('user', { user_id: id }),
  piece('usergroup', { usergroup_id: id }),
  piece('team', { team_id: id }),
  piece('channel', { channel_id: id }),
  piece('broadcast', { range: oneOf('here', 'channel', 'everyone') }),
  piece('emoji', { name: id, 'unicode?': id, 'skin_tone?': anything, 'url?': url }),
  piece('date', { timestamp: whole(), format: id, 'url?': url, 'fallback?': text(3000) }),
  piece('color', { value: id }),
);

/** The number of elements is not documented. The length of the message limits it. */
const inlines = list(inline, Infinity, 0);
const border = whole(0, 1);
const section = typed('rich_text_section', { elements: inlines });

const part = byType(
  'a rich text part',
  section,
  typed('rich_text_list', {
    style: oneOf('bullet', 'ordered'),
    elements: list(byType('a list item', section), Infinity),
    'indent?': whole(),
    'offset?': whole(),
    'border?': border,
  }),
  typed('rich_text_preformatted', { elements: inlines, 'border?': border, 'language?': id }),
  typed('rich_text_quote', { elements: inlines, 'border?': border }),
);

/** The fields of a rich_text block besides its `block_id`. */
export const richTextFields = { elements: list(part, Infinity) };

/** A rich text within another block. */
export const richText = typed('rich_text', { ...richTextFields, 'block_id?': id });
