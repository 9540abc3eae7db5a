import { expect, test } from 'vitest';
import { parseBlocks } from './blocks.ts';

const FALLBACK = 'what happened';
const parse = (value: unknown) =>
  parseBlocks(typeof value === 'string' ? value : JSON.stringify(value), FALLBACK);
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const plain = (text: string) => ({ type: 'plain_text', text });
const section = (more: object = {}) => ({ type: 'section', text: mrkdwn('hello'), ...more });
/** JSON of so many lists, one in the other. */
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const richText = (depth: number): string =>
  `[{"type":"rich_text","elements":[{"type":"x","d":${nested(depth)}}]}]`;

test('an output may be an object with blocks, with and without text, or a list of blocks', () => {
  const blocks = [section(), { type: 'divider' }];
  expect(parse({ blocks, text: ' short ' })).toEqual({ ok: true, message: { blocks, text: ' short ' } });
  expect(parse({ blocks })).toEqual({ ok: true, message: { blocks, text: FALLBACK } });
  expect(parse({ blocks, text: ' ' })).toEqual({ ok: true, message: { blocks, text: FALLBACK } });
  expect(parse(`\n ${JSON.stringify(blocks)}\n`)).toEqual({ ok: true, message: { blocks, text: FALLBACK } });
});

test('a template cannot choose the channel, but it can choose the look', () => {
  const looks = {
    attachments: [{ color: '#f00' }],
    unfurl_links: true,
    unfurl_media: false,
    mrkdwn: false,
    link_names: true,
    parse: 'full',
    username: 'night',
    icon_emoji: ':moon:',
    icon_url: 'https://host/x.png',
  };
  const places = {
    channel: '#general',
    thread_ts: '1.2',
    response_type: 'ephemeral',
    replace_original: true,
    metadata: {},
    reply_broadcast: true,
    token: 'x',
  };
  const blocks = [section()];
  expect(parse({ ...places, ...looks, blocks, text: 't' })).toEqual({
    ok: true,
    message: { ...looks, blocks, text: 't' },
  });
});

test.each<[string, unknown]>([
  ['a header at its limit', { type: 'header', text: plain('x'.repeat(150)) }],
  ['emoji counted once', { type: 'header', text: plain('🌙'.repeat(150)) }],
  ['a section at its limit', section({ text: mrkdwn('x'.repeat(3000)) })],
  ['ten fields', { type: 'section', fields: Array(10).fill(mrkdwn('x'.repeat(2000))) }],
  [
    'a link button',
    section({ accessory: { type: 'button', text: plain('Open'), url: 'https://x', value: '' } }),
  ],
  [
    'texts and images',
    { type: 'context', elements: [plain('x'), { type: 'image', image_url: 'https://x', alt_text: 'x' }] },
  ],
  ['an image', { type: 'image', alt_text: 'x', slack_file: { id: 'F1' }, title: plain('x') }],
  ['buttons', { type: 'actions', elements: Array(25).fill({ type: 'button', text: plain('x') }) }],
  ['markdown', { type: 'markdown', text: 'x'.repeat(12_000) }],
  ['rich text', { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [] }] }],
  ['a block that is not known', { type: 'hologram', depth: 3 }],
  ['a field that is not known', section({ expand: true, later: 1 })],
  ['an element that is not known', { type: 'actions', elements: [{ type: 'lever' }] }],
  ['an id', section({ block_id: 'x'.repeat(255) })],
  ['a whole surrogate pair', section({ text: mrkdwn('\ud83c\udf19') })],
])('%s passes', (_, block) => {
  expect(parse([block])).toMatchObject({ ok: true });
});

test.each<[unknown, string]>([
  ['', 'the output is empty'],
  [' \n', 'the output is empty'],
  ['hello', 'the output is not JSON: see line 1, column 1'],
  ['{"blocks": [\n{"a": "b" "c"}]}', 'the output is not JSON: see line 2, column 11'],
  ['"hello"', 'the output must be an object with blocks or a list of blocks, found a string'],
  ['null', 'the output must be an object with blocks or a list of blocks, found null'],
  [{ text: 'x' }, 'blocks: is missing, and there are no attachments'],
  [{ text: 'x', attachments: [] }, 'blocks: is missing, and there are no attachments'],
  [{ attachments: {} }, 'attachments: must be a list, found an object'],
  [{ blocks: [], attachments: [{ text: 'x' }] }, 'blocks: is empty'],
  [{ attachments: [{}, { color: '#f00', blocks: [] }] }, 'attachments: show nothing'],
  [{ attachments: [{ text: ' ' }] }, 'attachments: show nothing'],
  [
    { text: 'x', attachments: [{ color: '#f00', blocks: [section({ text: mrkdwn('') })] }] },
    'attachments[0].blocks[0].text.text: is empty',
  ],
  [{ blocks: {} }, 'blocks: must be a list, found an object'],
  [[], 'blocks: is empty'],
  [Array(51).fill({ type: 'divider' }), 'blocks: has 51 entries, 50 are allowed'],
  [['x'], 'blocks[0]: must be an object, found a string'],
  [[{}], 'blocks[0].type: is missing'],
  [[{ type: 7 }], 'blocks[0].type: must be a string, found a number'],
  [[{ type: '' }], 'blocks[0].type: is empty'],
  [[{ type: 'header' }], 'blocks[0].text: is missing'],
  [[{ type: 'header', text: 'x' }], 'blocks[0].text: must be an object, found a string'],
  [[{ type: 'header', text: mrkdwn('x') }], 'blocks[0].text.type: must be plain_text'],
  [
    [{ type: 'header', text: plain('x'.repeat(151)) }],
    'blocks[0].text.text: has 151 characters, 150 are allowed',
  ],
  [[{ type: 'header', text: plain('') }], 'blocks[0].text.text: is empty'],
  [[{ type: 'section' }], 'blocks[0]: has neither text nor fields'],
  [
    [section(), section({ text: mrkdwn('x'.repeat(3001)) })],
    'blocks[1].text.text: has 3001 characters, 3000 are allowed',
  ],
  [[section({ text: { type: 'markdown', text: 'x' } })], 'blocks[0].text.type: must be mrkdwn or plain_text'],
  [[section({ text: { ...mrkdwn('x'), emoji: true } })], 'blocks[0].text.emoji: is for plain_text alone'],
  [[section({ text: { ...plain('x'), verbatim: true } })], 'blocks[0].text.verbatim: is for mrkdwn alone'],
  [[section({ fields: [] })], 'blocks[0].fields: is empty'],
  [[section({ fields: Array(11).fill(plain('x')) })], 'blocks[0].fields: has 11 entries, 10 are allowed'],
  [
    [section({ fields: [plain('x'), plain('x'.repeat(2001))] })],
    'blocks[0].fields[1].text: has 2001 characters, 2000 are allowed',
  ],
  [[section({ accessory: [] })], 'blocks[0].accessory: must be an object, found a list'],
  [[section({ accessory: { type: 'button' } })], 'blocks[0].accessory.text: is missing'],
  [[{ type: 'context', elements: [] }], 'blocks[0].elements: is empty'],
  [[{ type: 'context' }], 'blocks[0].elements: is missing'],
  [
    [{ type: 'context', elements: Array(11).fill(plain('x')) }],
    'blocks[0].elements: has 11 entries, 10 are allowed',
  ],
  [
    [{ type: 'context', elements: [{ type: 'button', text: plain('x') }] }],
    'blocks[0].elements[0].type: must be image, mrkdwn or plain_text',
  ],
  [[{ type: 'image', image_url: 'https://x' }], 'blocks[0].alt_text: is missing'],
  [[{ type: 'image', alt_text: 'x' }], 'blocks[0]: has neither image_url nor slack_file'],
  [
    [{ type: 'image', alt_text: 'x', image_url: 'x'.repeat(3001) }],
    'blocks[0].image_url: has 3001 characters, 3000 are allowed',
  ],
  [
    [{ type: 'actions', elements: Array(26).fill({ type: 'x' }) }],
    'blocks[0].elements: has 26 entries, 25 are allowed',
  ],
  [
    [{ type: 'actions', elements: [{ type: 'button', text: plain('x'.repeat(76)) }] }],
    'blocks[0].elements[0].text.text: has 76 characters, 75 are allowed',
  ],
  [
    Array(2).fill({ type: 'markdown', text: 'x'.repeat(6001) }),
    'blocks: have 12002 characters of markdown, 12000 are allowed',
  ],
  [[section({ block_id: 'x'.repeat(256) })], 'blocks[0].block_id: has 256 characters, 255 are allowed'],
  [[section({ block_id: 'a' }), section({ block_id: 'a' })], 'blocks[1].block_id: is there twice'],
  [{ blocks: [section()], text: 7 }, 'text: must be a string, found a number'],
  [{ blocks: [section()], attachments: {} }, 'attachments: must be a list, found an object'],
  [
    { blocks: [section()], attachments: Array(101).fill({}) },
    'attachments: has 101 entries, 100 are allowed',
  ],
  [{ blocks: [section()], unfurl_links: 'no' }, 'unfurl_links: must be a boolean, found a string'],
  [
    { blocks: [section({ text: null })], text: 7 },
    'blocks[0].text: must be an object, found null (and 1 more)',
  ],
  [{ blocks: [section()], attachments: ['x'] }, 'attachments[0]: must be an object, found a string'],
  [
    { blocks: [section()], attachments: [{ text: 'x' }, { blocks: {} }] },
    'attachments[1].blocks: must be a list, found an object',
  ],
  [
    { blocks: [section()], attachments: [{ blocks: [section(), section({ text: mrkdwn('') })] }] },
    'attachments[0].blocks[1].text.text: is empty',
  ],
  [
    { blocks: [section()], attachments: [{ blocks: Array(51).fill({ type: 'divider' }) }] },
    'attachments[0].blocks: has 51 entries, 50 are allowed',
  ],
  [
    {
      blocks: [{ type: 'markdown', text: 'x'.repeat(6000) }],
      attachments: [{ blocks: [{ type: 'markdown', text: 'x'.repeat(6001) }] }],
    },
    'blocks: have 12001 characters of markdown, 12000 are allowed',
  ],
  [richText(509), 'blocks[0]: is nested deeper than the 512 levels that a message may have'],
  [richText(60_000), 'blocks[0]: is nested deeper than the 512 levels that a message may have'],
  [
    { blocks: [section()], attachments: [{}, { a: JSON.parse(nested(511)) as unknown }] },
    'attachments[1]: is nested deeper than the 512 levels that a message may have',
  ],
  ...['"\\ud83d"', '{"\\udf19":1}', '["a\\ud83d b"]'].map((odd): [unknown, string] => [
    `[{"type":"divider"},{"type":"divider","d":${odd}}]`,
    'blocks[1]: holds half a surrogate pair, such as "\\ud83d" alone, which is not a character',
  ]),
  [
    { blocks: [section()], text: '\ud83d' },
    'text: holds half a surrogate pair, such as "\\ud83d" alone, which is not a character',
  ],
  [`[${' '.repeat(200_000)}]`, 'the output has 200002 characters, more than any message may have'],
])('the error %# names place and limit: %s', (output, problem) => {
  expect(parse(output)).toEqual({ ok: false, problem });
});

test('blocks of the greatest allowed depth are written as they were read, and a skipped field may be deeper', () => {
  const reading = parse(richText(508));
  expect(reading.ok && JSON.stringify(reading.message.blocks)).toBe(richText(508));
  expect(parse(`{"blocks":[{"type":"divider"}],"channel":${nested(60_000)}}`)).toEqual({
    ok: true,
    message: { text: FALLBACK, blocks: [{ type: 'divider' }] },
  });
});

test('attachments have blocks, older fields, both or nothing', () => {
  const attachments = [{ blocks: [section()], color: '#f00' }, { text: 'x' }, { blocks: [] }, {}];
  expect(parse({ blocks: [section()], attachments })).toMatchObject({ ok: true, message: { attachments } });
});

test('attachments need no blocks, and then the text is the message itself', () => {
  const attachments = [{ color: '#ecb22e', blocks: [section()] }];
  expect(parse({ text: 'late', attachments })).toEqual({ ok: true, message: { text: 'late', attachments } });
  expect(parse({ attachments })).toEqual({ ok: true, message: { attachments } });
  expect(parse({ text: ' ', attachments: [{ fallback: 'x' }] })).toEqual({
    ok: true,
    message: { attachments: [{ fallback: 'x' }] },
  });
});

test('names of JavaScript properties are not blocks', () => {
  for (const type of ['constructor', '__proto__', 'toString'])
    expect(parse([{ type }, { type: 'actions', elements: [{ type }] }])).toMatchObject({ ok: true });
});

test('the text of a message is cut at the limit of Slack', () => {
  const reading = parse({ blocks: [section()], text: 'x'.repeat(50_000) });
  expect(reading.ok && reading.message.text?.length).toBe(40_000);
});
