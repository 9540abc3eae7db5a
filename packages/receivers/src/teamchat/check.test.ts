import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkTeamchatMessage } from './check.ts';

const check = checkTeamchatMessage;
const at = (text: object): object => ({ blocks: [{ type: 'section', text }] });

describe('a message without HTTP', () => {
  it('is in order, or is not, with the reasons', () => {
    expect(check({ text: 'a', unfurl_links: false })).toEqual({
      error: undefined,
      errors: [],
      warnings: [],
      entities: [],
      content: { text: 'a', blocks: [], attachments: [], mrkdwn: true },
    });
    expect(check({})).toMatchObject({ error: 'no_text', errors: ['no_text'] });
    expect(check('a')).toMatchObject({ error: 'invalid_arguments' });
    expect(check({ text: 'a', mrkdwn: false }).content.mrkdwn).toBe(false);
  });

  it.each([
    ['a text', { text: '\ud800' }],
    ['a block', at({ type: 'mrkdwn', text: 'a\udfff' })],
    ['a block that is written as JSON', { blocks: '[{"type":"\\ud800"}]' }],
    ['a name', { text: 'a', '\ud800': 1 }],
  ])('may not hold half a surrogate pair in %s', (_what, message) => {
    expect(check(message).error).toBe('invalid_json');
  });

  it('may not be deeper than readers of JSON go', () => {
    const deep = (depth: number): unknown => JSON.parse('{"a":'.repeat(depth) + '1' + '}'.repeat(depth));
    expect(check({ text: 'a', more: deep(511) }).error).toBeUndefined();
    expect(check({ text: 'a', more: deep(512) }).error).toBe('invalid_json');
    expect(check({ text: 'a', more: deep(5000) }).error).toBe('invalid_json');
  });

  it.each<[string, unknown, string]>([
    ['a string for an object', 'a', 'must provide an object [json-pointer:/blocks/0/text]'],
    [
      'a number for a text',
      { type: 'mrkdwn', text: 1 },
      'must provide a string [json-pointer:/blocks/0/text/text]',
    ],
    ['no text', { type: 'mrkdwn' }, 'missing required field: text [json-pointer:/blocks/0/text]'],
    ['no type', { text: 'a' }, 'missing required field: type [json-pointer:/blocks/0/text]'],
    [
      'another type',
      { type: 'markdown', text: 'a' },
      'unsupported type: markdown [json-pointer:/blocks/0/text/type]',
    ],
    [
      'a flag that is none',
      { type: 'mrkdwn', text: 'a', verbatim: 'true' },
      'must be a boolean [json-pointer:/blocks/0/text/verbatim]',
    ],
  ])('tells of %s where a text is expected', (_what, text, error) => {
    const { errors } = check({ blocks: [{ type: 'section', text }] });
    expect(errors).toEqual(['failed to match all allowed schemas [json-pointer:/blocks/0/text]', error]);
  });

  it('tells every fault of every block', () => {
    const blocks = [
      { type: 'context', elements: 'a' },
      { type: 'rich_text', elements: [{ type: 'rich_text_list', style: 'dots', elements: [], indent: 0.5 }] },
    ];
    expect(check({ blocks }).errors).toEqual([
      'must provide an array [json-pointer:/blocks/0/elements]',
      'must be a valid enum value [json-pointer:/blocks/1/elements/0/style]',
      'must provide at least 1 items [json-pointer:/blocks/1/elements/0/elements]',
      'must provide an integer [json-pointer:/blocks/1/elements/0/indent]',
    ]);
  });

  it('never throws, and says one of both, whatever it is', () => {
    const word = fc.constantFrom(
      'type',
      'text',
      'elements',
      'fields',
      'blocks',
      'header',
      'section',
      'mrkdwn',
      'context',
      'rich_text',
      'plain_text',
      '<!here>',
      'https://a.example',
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
    const block = fc.record(
      { type: word, text: tree, elements: tree, fields: tree, accessory: tree },
      { requiredKeys: ['type'] },
    );
    const message = fc.record(
      { text: tree, blocks: fc.oneof(fc.array(block, { maxLength: 4 }), tree), attachments: tree },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(message, tree), (any) => {
        const { error, errors } = check(any);
        expect(errors.length > 0).toBe(error !== undefined);
      }),
      { seed: 3, numRuns: 500 },
    );
  });

  it('takes every text in every place that holds one, if it is not too long', () => {
    const text = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 75 })
      .filter((each) => each.trim() !== '');
    fc.assert(
      fc.property(text, (any) => {
        const plain = { type: 'plain_text', text: any };
        const mrkdwn = { type: 'mrkdwn', text: any };
        const blocks = [
          { type: 'header', text: plain },
          {
            type: 'section',
            text: mrkdwn,
            fields: [plain, mrkdwn],
            accessory: { type: 'button', text: plain },
          },
          { type: 'context', elements: [plain, mrkdwn] },
        ];
        expect(check({ text: any, blocks }).errors).toEqual([]);
      }),
      { seed: 4, numRuns: 300 },
    );
  });
});
