import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faultInWords, unknownInWords } from '../verdict.ts';
import { judgeMessage, readMessage } from './message.ts';
import { explanationsOf } from './walk.ts';

type Json = Readonly<Record<string, unknown>>;

const x = (length: number): string => 'x'.repeat(length);
const times = <T>(length: number, make: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => make(index));
const plain = (text: string): Json => ({ type: 'plain_text', text });
const mrkdwn = (text: string): Json => ({ type: 'mrkdwn', text });
const section = (more: Json = {}): Json => ({ type: 'section', text: mrkdwn('hello'), ...more });
const image = { type: 'image', image_url: 'https://a.example/x.png', alt_text: 'x' };
const button = { type: 'button', text: plain('Go') };
const actions = (...elements: Json[]): Json => ({ type: 'actions', elements });
const rich = (...elements: Json[]): Json => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements }],
});
const card = {
  type: 'card',
  title: mrkdwn('Night'),
  body: mrkdwn('over'),
  hero_image: image,
  actions: [button],
};
const task = { type: 'task_card', task_id: 't1', title: 'Stop', status: 'complete', details: rich() };
const table = { type: 'table', rows: [[{ type: 'raw_text', text: 'a' }]] };
const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));

const blocksOf = (...blocks: unknown[]): Json => ({ blocks });
const faultsOf = (message: unknown): string[] => {
  const verdict = judgeMessage(message);
  return verdict.kind === 'accepted' ? [] : verdict.faults.map(faultInWords);
};

describe('Slack takes', () => {
  it.each<[string, Json]>([
    ['a header at its limit, emoji counted once', { type: 'header', text: plain('🌙'.repeat(150)) }],
    ['ten fields', { type: 'section', fields: times(10, () => mrkdwn(x(1000))) }],
    ['a link button', section({ accessory: { ...button, url: 'https://x', value: '' } })],
    ['texts and images', { type: 'context', elements: [plain('x'), image] }],
    ['an image from Slack', { type: 'image', alt_text: 'x', slack_file: { id: 'F1' }, title: plain('x') }],
    ['buttons', actions(...times(25, () => button))],
    ['markdown', { type: 'markdown', text: x(12_000) }],
    ['blanks in rich text', rich({ type: 'text', text: ' ' }, { type: 'team', team_id: 'T1' })],
    ['an empty rich text section', rich()],
    ['an id', section({ block_id: x(255) })],
    ['a whole surrogate pair', section({ text: mrkdwn('\ud83c\udf19') })],
    ['a card', card],
    ['a carousel', { type: 'carousel', elements: times(10, () => card) }],
    ['a container', { type: 'container', title: plain('x'), child_blocks: [section(), table, image] }],
    [
      'a data table',
      {
        type: 'data_table',
        caption: 'Nights',
        page_size: 100,
        rows: [[{ type: 'raw_text', text: 'a' }], [{ type: 'raw_number', value: 1, text: '1' }]],
      },
    ],
    [
      'numbers in a table',
      { type: 'table', rows: [[{ type: 'raw_number', value: 1.5, text: '1.5' }, rich()]] },
    ],
    ['a plan', { type: 'plan', title: 'Night', tasks: [task, task] }],
    ['a task', { ...task, sources: [{ type: 'url', url: 'https://a.example', text: 'a' }] }],
    [
      'context actions',
      {
        type: 'context_actions',
        elements: [
          {
            type: 'feedback_buttons',
            positive_button: { text: plain('y'), value: '1' },
            negative_button: { text: plain('n'), value: '0' },
          },
          { type: 'icon_button', icon: 'trash', text: plain('Delete') },
        ],
      },
    ],
    [
      'a video',
      {
        type: 'video',
        video_url: 'https://a.example/v',
        thumbnail_url: 'https://a.example/t',
        alt_text: 'x',
        title: plain(x(199)),
      },
    ],
    ['a file', { type: 'file', source: 'remote', external_id: 'x' }],
    ['an input', { type: 'input', label: plain('x'), element: { type: 'plain_text_input' } }],
    [
      'a workflow button',
      actions({
        type: 'workflow_button',
        text: plain('x'),
        workflow: { trigger: { url: 'https://a.example' } },
      }),
    ],
  ])('%s', (_what, block) => {
    expect(judgeMessage(blocksOf(block))).toEqual({ kind: 'accepted', unknown: [] });
  });

  it.each<[string, Json]>([
    ['a text', { text: 'a', unfurl_links: false }],
    [
      'lists and flags as forms write them',
      { blocks: '[{"type":"divider"}]', unfurl_links: 'true', text: null },
    ],
    ['attachments with older fields', { attachments: [{ color: '#f00' }, { title: 'x' }] }],
    ['attachments with blocks as JSON', { attachments: [{ blocks: '[{"type":"divider"}]' }] }],
    [
      '13,422 characters',
      blocksOf(...times(4, () => section({ text: mrkdwn(x(3000)) })), section({ text: mrkdwn(x(797)) })),
    ],
    [
      'emoji up to the same number',
      blocksOf(...times(4, () => section({ text: mrkdwn('🌙'.repeat(3000)) }))),
    ],
    ['all the levels of JSON', { text: 'a', metadata: nested(512) }],
  ])('%s in a message', (_what, message) => {
    expect(judgeMessage(message)).toEqual({ kind: 'accepted', unknown: [] });
  });
});

const TEXT = 'must provide a string';

/** A message, Slack's error, the words of its first fault without that, and Slack's explanations. */
const REFUSED: readonly (readonly [unknown, string, string, readonly string[]])[] = [
  [
    'a',
    'invalid_arguments',
    'must be an object, found a string; write an object',
    ['must provide an object at '],
  ],
  [
    {},
    'no_text',
    'has no text, no blocks and no attachment that shows something; add one of them',
    ['no_text'],
  ],
  [
    { text: ' ' },
    'no_text',
    'has no text, no blocks and no attachment that shows something; add one of them',
    ['no_text'],
  ],
  [
    { text: 7 },
    'invalid_arguments',
    '/text: must be a string, found a number; write a string',
    [`${TEXT} at /text`],
  ],
  [
    { text: 'a', mrkdwn: 'no' },
    'invalid_arguments',
    '/mrkdwn: must be a boolean, found a string; write a boolean',
    ['must be a boolean at /mrkdwn'],
  ],
  [
    { blocks: {} },
    'invalid_blocks_format',
    '/blocks: must be a list, found an object; write a list',
    ['invalid_blocks_format'],
  ],
  [
    blocksOf(section(), 'x'),
    'invalid_blocks_format',
    '/blocks/1: must be an object, found a string; write an object',
    ['invalid_blocks_format'],
  ],
  [
    { text: 'a', attachments: times(101, () => ({ text: 'a' })) },
    'too_many_attachments',
    '/attachments: has 101 items; 100 are allowed; leave out some items',
    ['too_many_attachments'],
  ],
  [
    blocksOf(...times(51, () => ({ type: 'divider' }))),
    'invalid_blocks',
    '/blocks: has 51 items; 50 are allowed; leave out some items',
    ['no more than 50 items allowed at /blocks'],
  ],
  [
    blocksOf({ type: 7 }),
    'invalid_blocks',
    '/blocks/0/type: must be a string, found a number; write a string',
    [`${TEXT} at /blocks/0/type`],
  ],
  [
    blocksOf({ type: 'button' }),
    'invalid_blocks',
    expect.stringMatching(
      /^\/blocks\/0\/type: must be a type of a block, found "button"; write header, section, /,
    ) as never,
    ['unsupported type: button at /blocks/0/type'],
  ],
  [
    blocksOf(section({ text: { type: 'markdown', text: 'x' } })),
    'invalid_blocks',
    '/blocks/0/text/type: must be a type of a text, found "markdown"; write plain_text or mrkdwn',
    [
      'failed to match all allowed schemas at /blocks/0/text',
      'unsupported type: markdown at /blocks/0/text/type',
    ],
  ],
  [
    blocksOf(section({ text: { ...mrkdwn('x'), emoji: true } })),
    'invalid_blocks',
    '/blocks/0/text: has "emoji", which is for plain_text alone; remove it',
    [
      'failed to match all allowed schemas at /blocks/0/text',
      'invalid additional property: emoji at /blocks/0/text',
    ],
  ],
  [
    blocksOf(section({ text: mrkdwn(x(3001)), fields: [] })),
    'invalid_blocks',
    '/blocks/0/text/text: has 3001 characters; 3000 are allowed; write a shorter text',
    [
      'failed to match all allowed schemas at /blocks/0/text',
      'must be less than 3001 characters at /blocks/0/text/text',
      'must provide at least 1 items at /blocks/0/fields',
    ],
  ],
  [
    blocksOf({ type: 'section' }),
    'invalid_blocks',
    '/blocks/0/type: has neither text nor fields; add one of them',
    ['must define either `text` or `fields` at /blocks/0/type'],
  ],
  [
    blocksOf({ type: 'context', elements: [button] }),
    'invalid_blocks',
    '/blocks/0/elements/0/type: must be a type of a context element, found "button"; write image, mrkdwn or plain_text',
    ['unsupported type: button at /blocks/0/elements/0/type'],
  ],
  [
    blocksOf(section({ block_id: 'a' }), section({ block_id: 'a' })),
    'invalid_blocks',
    '/blocks/1/block_id: has the block_id of another one; write another block_id, or none',
    ['`block_id` must be unique: a at /blocks/1/block_id'],
  ],
  [
    blocksOf({ ...card, title: mrkdwn(x(151)) }),
    'invalid_blocks',
    '/blocks/0/title/text: has 151 characters; 150 are allowed; write a shorter text',
    ['must be less than 151 characters at /blocks/0/title/text'],
  ],
  [
    blocksOf({ type: 'card', subtitle: mrkdwn('a') }),
    'invalid_blocks',
    '/blocks/0/type: has neither hero_image nor title nor actions nor body; add one of them',
    ['must define either `hero_image` or `title` or `actions` or `body` at /blocks/0/type'],
  ],
  [
    blocksOf({ type: 'container', title: plain('x'), child_blocks: [{ type: 'container' }] }),
    'invalid_blocks',
    expect.stringMatching(
      /^\/blocks\/0\/child_blocks\/0\/type: must be a type of a block in a container/,
    ) as never,
    ['unsupported type: container at /blocks/0/child_blocks/0/type'],
  ],
  [
    { attachments: [{}, { blocks: [{ type: 'header' }] }] },
    'invalid_attachments',
    '/attachments/1/blocks/0: has no field "text"; add the field',
    ['missing required field: text at /attachments/1/blocks/0'],
  ],
  [
    { text: 'a', attachments: [{ blocks: {} }] },
    'invalid_attachments',
    '/attachments/0/blocks: must be a list, found an object; write a list',
    ['must provide an array at /attachments/0/blocks'],
  ],
  [
    blocksOf(table, table),
    'invalid_attachments: only_one_table_allowed',
    '/blocks/1: is a second table; one is allowed; send one table',
    ['only_one_table_allowed'],
  ],
  [
    {
      ...blocksOf({ type: 'container', title: plain('x'), child_blocks: [table] }),
      attachments: [{ blocks: [table] }],
    },
    'invalid_attachments: only_one_table_allowed',
    '/attachments/0/blocks/0: is a second table; one is allowed; send one table',
    ['only_one_table_allowed'],
  ],
  [
    {
      ...blocksOf({ type: 'markdown', text: x(6000) }),
      attachments: [{ blocks: [{ type: 'markdown', text: x(6001) }] }],
    },
    'msg_blocks_too_long',
    'has 12001 characters in its markdown blocks; 12000 are allowed; write shorter texts',
    ['msg_blocks_too_long'],
  ],
  [
    blocksOf(...times(5, () => section({ text: mrkdwn(x(2800)) }))),
    'msg_blocks_too_long',
    '/blocks: have 14625 characters, of which each block counts 125; 13422 are allowed; write shorter texts',
    ['msg_blocks_too_long'],
  ],
  [
    blocksOf(section({ text: mrkdwn('a\ud83d') })),
    'invalid_json',
    '/blocks/0/text/text: holds half a surrogate pair, such as "\\ud83d" alone, which is not a character; write whole characters',
    ['invalid_json'],
  ],
  [
    {
      text: 'a',
      attachments: [
        { blocks: `[{"type":"markdown","text":"a","d":${'['.repeat(60_000)}${']'.repeat(60_000)}}]` },
      ],
    },
    'invalid_json',
    '/attachments/0: is nested deeper than the 512 levels that a message may have; write a flatter value',
    ['invalid_json'],
  ],
  [
    { text: 'a', metadata: nested(513) },
    'invalid_json',
    '/metadata/0: is nested deeper than the 512 levels that a message may have; write a flatter value',
    ['invalid_json'],
  ],
];

describe('Slack refuses', () => {
  it.each(REFUSED)('message %#', (message, error, words, explanations) => {
    const [first = ''] = faultsOf(message);
    expect(first).toContain(` (${error})`);
    expect(first.replace(` (${error})`, '')).toEqual(words);
    expect(explanationsOf(readMessage(message).faults)).toEqual(
      explanations.map((each) => each.replace(/ at (\/\S*|)$/, ' [json-pointer:$1]')),
    );
  });

  it('two faults of one text, with one line about its shapes', () => {
    const message = blocksOf(section({ text: { ...mrkdwn(''), emoji: true } }));
    expect(explanationsOf(readMessage(message).faults)).toEqual([
      'failed to match all allowed schemas [json-pointer:/blocks/0/text]',
      'must be more than 0 characters [json-pointer:/blocks/0/text/text]',
      'invalid additional property: emoji [json-pointer:/blocks/0/text]',
    ]);
  });

  it('every fault of every part, in its order', () => {
    const message = {
      ...{ text: 7, icon_url: 1, blocks: [{ type: 'header' }, { type: 'image' }] },
      attachments: [{ blocks: [{ type: 'markdown', text: '' }] }],
    };
    expect(faultsOf(message).map((each) => each.split(': ')[0])).toEqual([
      '/text',
      '/icon_url',
      '/blocks/0',
      '/blocks/1',
      '/blocks/1/type',
      '/attachments/0/blocks/0/text',
    ]);
  });
});

describe('what is newer than the judge', () => {
  it.each<[Json, string]>([
    [blocksOf({ type: 'hologram' }), '/blocks/0/type: the type "hologram" of a block'],
    [blocksOf(section({ 'a/b': 1 })), '/blocks/0/a~1b: the field "a/b"'],
    [blocksOf(actions({ type: 'lever' })), '/blocks/0/elements/0/type: the type "lever" of an action'],
    [
      blocksOf(rich({ type: 'smell' })),
      '/blocks/0/elements/0/elements/0/type: the type "smell" of a rich text element',
    ],
    [{ text: 'a', mood: 1 }, '/mood: the field "mood"'],
    [{ markdown_text: '*a*' }, '/markdown_text: the field "markdown_text"'],
    [blocksOf(section({ text: plain(' ') })), '/blocks/0/text/text: a text of blanks alone'],
  ])('%j is a note', (message, note) => {
    const { kind, unknown } = judgeMessage(message);
    expect([kind, ...unknown.map(unknownInWords)]).toEqual([
      'accepted',
      `${note} is not known here; the receiver may take it`,
    ]);
  });

  it.each<[Json, string]>([
    [blocksOf({ type: 'sectoin' }), 'section'],
    [blocksOf({ type: 'Section' }), 'section'],
    [blocksOf({ type: 'rich-text' }), 'rich_text'],
    [blocksOf(section({ feilds: [] })), 'fields'],
  ])('%j has a name with the letters of another one', (message, meant) => {
    expect(judgeMessage(message).unknown.map(unknownInWords)).toEqual([
      expect.stringMatching(
        ` is not known here; did you mean "${meant}"\\? If not, the receiver may take it$`,
      ),
    ]);
  });

  it('is no property of JavaScript’s objects', () => {
    for (const type of ['constructor', '__proto__', 'toString'])
      expect(judgeMessage(blocksOf({ type }, actions({ type }))).unknown).toHaveLength(2);
  });
});

it('a verdict never throws, and does not change the message', () => {
  const word = fc.constantFrom(
    ...['type', 'text', 'elements', 'fields', 'blocks', 'attachments', 'rows', 'header', 'section', 'mrkdwn'],
    ...['context', 'rich_text', 'plain_text', 'table', 'container', 'card', 'child_blocks', 'toString'],
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 6 },
      word,
      fc.jsonValue(),
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(word, tie('tree'), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(fc.oneof(fc.dictionary(word, tree, { maxKeys: 6 }), tree), (any) => {
      const before = JSON.stringify(any);
      const verdict = judgeMessage(any);
      expect(verdict.kind === 'refused').toBe(readMessage(any).faults.length > 0);
      expect(JSON.stringify(any)).toBe(before);
    }),
    { seed: 3, numRuns: 500 },
  );
});
