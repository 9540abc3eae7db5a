import { anything, byType, flag, list, object, oneOf, text, url, whole, type Shape } from './shape.ts';

// https://docs.slack.dev/reference/block-kit/blocks/rich-text-block

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

const piece = (name: string, fields: Readonly<Record<string, Shape>>): [string, Shape] => [
  name,
  object({ type: oneOf(name), ...fields, 'style?': style }),
];

const inline = byType(
  new Map([
    piece('text', { text: text(3000) }),
    piece('link', { url: url(), 'text?': text(3000), 'unsafe?': flag }),
    piece('user', { user_id: text(255) }),
    piece('usergroup', { usergroup_id: text(255) }),
    piece('channel', { channel_id: text(255) }),
    piece('broadcast', { range: oneOf('here', 'channel', 'everyone') }),
    piece('emoji', { name: text(255), 'unicode?': text(255), 'skin_tone?': anything, 'url?': url() }),
    piece('date', { timestamp: whole, format: text(255), 'url?': url(), 'fallback?': text(3000) }),
    piece('color', { value: text(255) }),
  ]),
);

const MOST = 500; // Not documented. The length of the message limits it earlier.
const inlines = list(inline, MOST, 0);

const section = object({ type: oneOf('rich_text_section'), elements: inlines });

/** The elements of a rich_text block. */
export const richText = byType(
  new Map([
    ['rich_text_section', section],
    [
      'rich_text_list',
      object({
        type: oneOf('rich_text_list'),
        style: oneOf('bullet', 'ordered'),
        elements: list(section, MOST),
        'indent?': whole,
        'offset?': whole,
        'border?': whole,
      }),
    ],
    [
      'rich_text_preformatted',
      object({
        type: oneOf('rich_text_preformatted'),
        elements: inlines,
        'border?': whole,
        'language?': text(255),
      }),
    ],
    ['rich_text_quote', object({ type: oneOf('rich_text_quote'), elements: inlines, 'border?': whole })],
  ]),
);
