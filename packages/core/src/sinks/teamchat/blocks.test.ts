import { expect, test } from 'vitest';
import { EMPTY_OUTPUT } from '../chat-message.ts';
import { parseBlocks } from './blocks.ts';

const FALLBACK = 'what happened';
const parse = (value: unknown) =>
  parseBlocks(typeof value === 'string' ? value : JSON.stringify(value), FALLBACK);
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const section = (more: object = {}) => ({ type: 'section', text: mrkdwn('hello'), ...more });
/** JSON of so many lists, one in the other. */
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const richText = (depth: number): string =>
  `[{"type":"rich_text","elements":[{"type":"x","d":${nested(depth)}}]}]`;

const NOTHING = 'the output has no blocks and no attachments; add a list of blocks';
const TOO_DEEP =
  '/blocks/0: is nested deeper than the 512 levels that a message may have (invalid_json); write a flatter value';

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

test('a block, an element and a field that are not known pass', () => {
  for (const block of [
    { type: 'hologram', depth: 3 },
    section({ expand: true, later: 1 }),
    { type: 'actions', elements: [{ type: 'lever' }] },
  ])
    expect(parse([block])).toEqual({ ok: true, message: { blocks: [block], text: FALLBACK } });
});

test.each<[unknown, string]>([
  ['', EMPTY_OUTPUT],
  [' \n\u200b', EMPTY_OUTPUT],
  ['{"type":"divider"}', 'the output is one block, not a message; write {"blocks": [ … ]} around it'],
  [
    '{"type":"message","attachments":[{"contentType":"application/vnd.microsoft.card.adaptive"}]}',
    'the output is a message of Microsoft Teams, which Slack does not read; write {"blocks": [ … ]} for Slack, or use a sink of type webhook with enable_renderer: true and this template for Microsoft Teams',
  ],
  [
    'hello',
    'the output is not JSON: see line 1, column 1 (at hello); write texts and the names of fields in double quotes (")',
  ],
  [
    '{"blocks": [\n{"a": "b" "c"}]}',
    'the output is not JSON: see line 2, column 11 (between {"blocks": [ {"a": "b" and "c"}]}); a comma or a colon is missing before it',
  ],
  ['"hello"', 'the output must be an object with blocks or a list of blocks, found a string'],
  ['null', 'the output must be an object with blocks or a list of blocks, found null'],
  [{ text: 'x' }, NOTHING],
  [{ text: 'x', attachments: [], blocks: null }, NOTHING],
  [
    { attachments: [{ text: ' ' }, { color: '#f00', blocks: [] }] },
    'has no text, no blocks and no attachment that shows something (no_text); add one of them',
  ],
  [{ blocks: {} }, '/blocks: must be a list, found an object (invalid_blocks_format); write a list'],
  [[], 'has no text, no blocks and no attachment that shows something (no_text); add one of them'],
  [[{ type: 'header' }], '/blocks/0: has no field "text" (invalid_blocks); add the field'],
  [
    [section(), section({ text: mrkdwn('x'.repeat(3001)) })],
    '/blocks/1/text/text: has 3001 characters; 3000 are allowed (invalid_blocks); write a shorter text',
  ],
  [
    { blocks: [section({ text: null })], text: 7 },
    '/text: must be a string, found a number (invalid_arguments); write a string (and 1 more)',
  ],
  [
    { blocks: [section()], unfurl_links: 'no' },
    '/unfurl_links: must be a boolean, found a string (invalid_arguments); write a boolean',
  ],
  [
    { text: 'x', attachments: [{ color: '#f00', blocks: [section({ text: mrkdwn('') })] }] },
    '/attachments/0/blocks/0/text/text: is empty (invalid_attachments); write a text, or leave out what has it',
  ],
  [richText(509), TOO_DEEP],
  [richText(60_000), TOO_DEEP],
  [`[${' '.repeat(200_000)}]`, 'the output has 200002 characters, more than any message may have'],
])('the error %# names place and limit: %j', (output, problem) => {
  expect(parse(output)).toMatchObject({ ok: false, problem });
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
