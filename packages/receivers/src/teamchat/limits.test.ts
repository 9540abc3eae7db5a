import { describe, expect, it } from 'vitest';
import { chatsOfTest, hook, post, type Json } from '../../test/teamchat.ts';

const start = chatsOfTest();

const x = (length: number): string => 'x'.repeat(length);
const plain = (text: string): Json => ({ type: 'plain_text', text });
const mrkdwn = (text: string): Json => ({ type: 'mrkdwn', text });
const times = <T>(length: number, make: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => make(index));
const section = (text: string): Json => ({ type: 'section', text: mrkdwn(text) });
const one = (block: Json): Json => ({ blocks: [block] });
const button = (more: Json): Json => ({ type: 'button', text: plain('Go'), ...more });
const actions = (...elements: Json[]): Json => one({ type: 'actions', elements });
const rich = (style: Json): Json => ({ type: 'text', text: 'a', style });
const choice = (text: string): Json => ({ text: plain(text), value: 'v' });

const TEXT = 'failed to match all allowed schemas';

/** A value at the limit, one beyond it, and Slack's error, with `at` before its JSON pointer. */
const ROWS: readonly [string, Json, Json, readonly string[]][] = [
  [
    'a header of 150 characters',
    one({ type: 'header', text: plain(x(150)) }),
    one({ type: 'header', text: plain(x(151)) }),
    ['must be less than 151 characters at /blocks/0/text/text'],
  ],
  [
    'a section of 3,000 characters',
    one(section(x(3000))),
    { blocks: [{ type: 'divider' }, { type: 'divider' }, section(x(3001))] },
    [`${TEXT} at /blocks/2/text`, 'must be less than 3001 characters at /blocks/2/text/text'],
  ],
  [
    'characters, not UTF-16 units',
    one({ type: 'header', text: plain('🌙'.repeat(150)) }),
    one({ type: 'header', text: plain('🌙'.repeat(151)) }),
    ['must be less than 151 characters at /blocks/0/text/text'],
  ],
  [
    '10 fields',
    one({ type: 'section', fields: times(10, () => mrkdwn('a')) }),
    one({ type: 'section', fields: times(11, () => mrkdwn('a')) }),
    ['no more than 10 items allowed at /blocks/0/fields'],
  ],
  [
    'a field of 2,000 characters',
    one({ type: 'section', fields: [plain(x(2000))] }),
    one({ type: 'section', fields: [plain('a'), plain(x(2001))] }),
    [`${TEXT} at /blocks/0/fields/1`, 'must be less than 2001 characters at /blocks/0/fields/1/text'],
  ],
  [
    'a context of 10 elements',
    one({ type: 'context', elements: times(10, () => mrkdwn('a')) }),
    one({ type: 'context', elements: times(11, () => mrkdwn('a')) }),
    ['no more than 10 items allowed at /blocks/0/elements'],
  ],
  [
    'a context element of one character',
    one({ type: 'context', elements: [mrkdwn('a')] }),
    one({ type: 'context', elements: [mrkdwn('')] }),
    [`${TEXT} at /blocks/0/elements/0`, 'must be more than 0 characters at /blocks/0/elements/0/text'],
  ],
  [
    'a context with an element',
    one({ type: 'context', elements: [plain('a')] }),
    one({ type: 'context', elements: [] }),
    ['must provide at least 1 items at /blocks/0/elements'],
  ],
  [
    '50 blocks',
    { blocks: times(50, () => ({ type: 'divider' })) },
    { blocks: times(51, () => ({ type: 'divider' })) },
    ['no more than 50 items allowed at /blocks'],
  ],
  [
    'a block_id of 255 characters',
    one({ type: 'divider', block_id: x(255) }),
    one({ type: 'divider', block_id: x(256) }),
    ['must be less than 256 characters at /blocks/0/block_id'],
  ],
  [
    'block_ids that differ',
    { blocks: times(2, (index) => ({ type: 'divider', block_id: `b${index}` })) },
    { blocks: times(2, () => ({ type: 'divider', block_id: 'b' })) },
    ['`block_id` must be unique: b at /blocks/1/block_id'],
  ],
  [
    'a section with fields alone',
    one({ type: 'section', fields: [plain('a')] }),
    one({ type: 'section' }),
    ['must define either `text` or `fields` at /blocks/0/type'],
  ],
  [
    'a header in plain text',
    one({ type: 'header', text: { ...plain('a'), emoji: false } }),
    one({ type: 'header', text: mrkdwn('a') }),
    ['must be a valid enum value at /blocks/0/text/type'],
  ],
  [
    'verbatim on mrkdwn',
    one({ type: 'section', text: { ...mrkdwn('a'), verbatim: true } }),
    one({ type: 'section', text: { ...plain('a'), verbatim: true } }),
    [`${TEXT} at /blocks/0/text`, 'invalid additional property: verbatim at /blocks/0/text'],
  ],
  [
    'emoji on plain_text',
    one({ type: 'section', text: { ...plain('a'), emoji: true } }),
    one({ type: 'section', text: { ...mrkdwn('a'), emoji: true } }),
    [`${TEXT} at /blocks/0/text`, 'invalid additional property: emoji at /blocks/0/text'],
  ],
  [
    'a block of a known type',
    one({ type: 'divider' }),
    one({ type: 'button' }),
    ['unsupported type: button at /blocks/0/type'],
  ],
  ['a block with a type', one({ type: 'divider' }), one({}), ['missing required field: type at /blocks/0']],
  [
    'an image with its address and description',
    one({ type: 'image', image_url: 'https://example.com/a.png', alt_text: 'a' }),
    one({ type: 'image', image_url: 'a.png' }),
    ['missing required field: alt_text at /blocks/0', 'must be a valid URL at /blocks/0/image_url'],
  ],
  [
    'an image with one address',
    one({ type: 'image', slack_file: { id: 'F1' }, alt_text: 'a', title: plain(x(2000)) }),
    one({ type: 'image', alt_text: 'a' }),
    ['must define either `image_url` or `slack_file` at /blocks/0/type'],
  ],
  [
    '25 actions',
    actions(...times(25, (index) => button({ action_id: `a${index}` }))),
    actions(...times(26, (index) => button({ action_id: `a${index}` }))),
    ['no more than 25 items allowed at /blocks/0/elements'],
  ],
  [
    'action_ids that differ',
    actions(button({ action_id: 'a' }), button({ action_id: 'b' })),
    actions(button({ action_id: 'a' }), button({ action_id: 'a' })),
    ['`action_id` must be unique: a at /blocks/0/elements/1/action_id'],
  ],
  [
    'a button of 75 characters',
    actions({ type: 'button', text: plain(x(75)) }),
    actions({ type: 'button', text: plain(x(76)) }),
    ['must be less than 76 characters at /blocks/0/elements/0/text/text'],
  ],
  [
    'a button’s value of 2,000 characters',
    actions(button({ value: x(2000), url: 'https://example.com/', style: 'danger' })),
    actions(button({ value: x(2001), url: 'example', style: 'red' })),
    [
      'must be less than 2001 characters at /blocks/0/elements/0/value',
      'must be a valid URL at /blocks/0/elements/0/url',
      'must be a valid enum value at /blocks/0/elements/0/style',
    ],
  ],
  [
    'an overflow of 5',
    actions({ type: 'overflow', options: times(5, (n) => choice(`${n}`)) }),
    actions({ type: 'overflow', options: times(6, (n) => choice(`${n}`)) }),
    ['no more than 5 items allowed at /blocks/0/elements/0/options'],
  ],
  [
    'a menu of 100',
    actions({
      type: 'static_select',
      placeholder: plain(x(150)),
      options: times(100, (n) => choice(`${n}`)),
    }),
    actions({ type: 'static_select', placeholder: plain('p'), options: times(101, (n) => choice(`${n}`)) }),
    ['no more than 100 items allowed at /blocks/0/elements/0/options'],
  ],
  [
    'ten checkboxes',
    actions({ type: 'checkboxes', options: times(10, (n) => choice(`${n}`)) }),
    actions({ type: 'checkboxes', options: times(11, (n) => choice(`${n}`)) }),
    ['no more than 10 items allowed at /blocks/0/elements/0/options'],
  ],
  [
    'a section with a button',
    one({ ...section('a'), accessory: button({}) }),
    one({ ...section('a'), accessory: mrkdwn('b') }),
    ['unsupported type: mrkdwn at /blocks/0/accessory/type'],
  ],
  [
    'rich text',
    one({ type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [rich({ bold: true })] }] }),
    one({ type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [rich({ bold: 1 })] }] }),
    ['must be a boolean at /blocks/0/elements/0/elements/0/style/bold'],
  ],
  [
    'a markdown block of 12,000 characters',
    one({ type: 'markdown', text: x(12_000) }),
    one({ type: 'markdown', text: x(12_001) }),
    ['must be less than 12001 characters at /blocks/0/text'],
  ],
  [
    'a table of 20 columns',
    one({ type: 'table', rows: [times(20, () => ({ type: 'raw_text', text: 'a' }))] }),
    one({ type: 'table', rows: [times(21, () => ({ type: 'raw_text', text: 'a' }))] }),
    ['no more than 20 items allowed at /blocks/0/rows/0'],
  ],
];

describe('Block Kit', () => {
  it.each(ROWS)('takes %s, and tells what is one past it', async (_what, at, past, problems) => {
    const chat = await start();
    const errors = problems.map((problem) => problem.replace(/ at (\/.*)$/, ' [json-pointer:$1]'));
    expect(await post(chat, at)).toMatchObject({ ok: true });
    expect(await post(chat, past)).toEqual({
      status: 200,
      ok: false,
      error: 'invalid_blocks',
      errors,
      response_metadata: { messages: errors.map((each) => `[ERROR] ${each}`) },
    });
    expect(await hook(chat, at)).toMatchObject({ status: 200, body: 'ok' });
    expect(await hook(chat, past)).toMatchObject({ status: 400, body: 'invalid_blocks' });
    expect(chat.records.map(({ error, message }) => [error, message === undefined])).toEqual([
      [undefined, false],
      ['invalid_blocks', true],
      [undefined, false],
      ['invalid_blocks', true],
    ]);
    expect(chat.records[3]?.errors).toEqual(errors);
  });
});

describe('a message', () => {
  it('is too long where all its blocks together are', async () => {
    const chat = await start();
    // 13,422 characters, of which each block costs 125.
    const four = times(4, () => section(x(3000)));
    expect(await post(chat, { blocks: [...four, section(x(797))] })).toMatchObject({ ok: true });
    expect(await post(chat, { blocks: [section(x(797)), ...four, { type: 'divider' }] })).toMatchObject({
      error: 'msg_blocks_too_long',
    });
    const past = { blocks: [...four, section(x(798))] };
    expect(await post(chat, past)).toEqual({ status: 200, ok: false, error: 'msg_blocks_too_long' });
    expect(await hook(chat, past)).toMatchObject({ status: 400, body: 'invalid_blocks' });
  });

  it('has 12,000 characters of markdown at most, wherever they stand', async () => {
    const chat = await start();
    const markdown = (length: number): Json => ({ type: 'markdown', text: x(length) });
    const divided = (first: number, second: number): Json[] => [
      { blocks: [markdown(first), markdown(second)] },
      { blocks: [markdown(first)], attachments: [{ blocks: [markdown(second)] }] },
      { text: 'a', attachments: [{ blocks: [markdown(first)] }, { blocks: [markdown(second)] }] },
    ];
    for (const message of divided(6000, 6000)) expect(await post(chat, message)).toMatchObject({ ok: true });
    for (const message of divided(6000, 6001))
      expect(await post(chat, message)).toMatchObject({ error: 'msg_blocks_too_long' });
  });

  it('has 50 blocks in an attachment at most', async () => {
    const chat = await start();
    const attachments = (length: number): Json => ({
      attachments: [{ blocks: times(length, () => ({ type: 'divider' })) }],
    });
    expect(await post(chat, attachments(50))).toMatchObject({ ok: true });
    expect(await post(chat, attachments(51))).toMatchObject({
      error: 'invalid_attachments',
      errors: ['no more than 50 items allowed [json-pointer:/attachments/0/blocks]'],
    });
    expect(await hook(chat, attachments(51))).toMatchObject({ status: 400, body: 'invalid_attachments' });
  });

  it('has a text of 40,000 characters at most; the rest is cut off, which the answer tells', async () => {
    const chat = await start();
    expect(await post(chat, { text: x(40_000) })).not.toHaveProperty('warning');
    expect(await post(chat, { text: `${'🌙'.repeat(40_000)}!` })).toMatchObject({
      ok: true,
      warning: 'message_truncated',
      response_metadata: { warnings: ['message_truncated'] },
    });
    expect((await hook(chat, { text: x(40_001) })).body).toBe('ok');
    expect(chat.channel('C0HIBERNATE').messages.map(({ text }) => text)).toEqual([
      x(40_000),
      '🌙'.repeat(40_000),
      x(40_000),
    ]);
  });

  it('has 100 attachments at most', async () => {
    const chat = await start();
    const attachments = times(100, () => ({ text: 'a' }));
    expect(await post(chat, { attachments })).toMatchObject({ ok: true });
    const past = { attachments: [...attachments, { text: 'a' }] };
    expect(await post(chat, past)).toMatchObject({ error: 'too_many_attachments' });
    expect(await hook(chat, past)).toMatchObject({ status: 400, body: 'too_many_attachments' });
  });
});
