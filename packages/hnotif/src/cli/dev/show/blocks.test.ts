import { expect, it } from 'vitest';
import { blockLines } from './blocks.ts';
import { plain, type Paint } from '../../paint.ts';

const marked: Paint = (style, text) => `[${String(style)} ${text}]`;
const mrkdwn = (text: string): object => ({ type: 'mrkdwn', text });
const plainText = (text: string, more: object = {}): object => ({ type: 'plain_text', text, ...more });

it('each kind of block is shown by what is to be read of it', () => {
  const blocks = [
    { type: 'header', text: plainText(':x: Hibernation *Failed*') },
    { type: 'section', text: mrkdwn('*Error*\n> boom') },
    { type: 'divider' },
    { type: 'context', elements: [mrkdwn('*a* b'), { type: 'image', alt_text: 'a cat' }, plainText('c')] },
    { type: 'image', title: plainText('The night'), alt_text: 'a moon' },
    { type: 'actions', elements: [{ type: 'button', text: plainText('Retry'), value: 'hidden' }] },
    {
      type: 'rich_text',
      elements: [
        { type: 'rich_text_section', elements: [{ type: 'text', text: 'rich', style: { bold: true } }] },
      ],
    },
    { type: 'markdown', text: 'a block to come' },
  ];
  expect(blockLines(blocks, marked)).toEqual([
    '[bold ❌ Hibernation *Failed*]',
    '[bold Error]',
    '[gray ▏] boom',
    `[gray ${'─'.repeat(24)}]`,
    '[gray a b  [a cat]  c]',
    'The night',
    '[a moon]',
    'Retry',
    'rich',
    'a block to come',
  ]);
});

it('plain text whose emoji are off keeps its shortcodes', () => {
  expect(blockLines([{ type: 'header', text: plainText(':x:', { emoji: false }) }], plain)).toEqual([':x:']);
});

it('short fields stand two by two, whatever their styles; a long one has its line', () => {
  const fields = ['*Plan:* orders', '*Phase:* Error', `*Long:* ${'x'.repeat(40)}`, '*Last:* one'].map(mrkdwn);
  const [first = '', ...more] = blockLines([{ type: 'section', fields }], plain);
  expect(first).toBe(`${'Plan: orders'.padEnd(36)}Phase: Error`);
  expect(more).toEqual([`Long: ${'x'.repeat(40)}`, 'Last: one']);
  const [styled] = blockLines([{ type: 'section', fields: fields.slice(0, 2) }], marked);
  expect(styled).toBe(`[bold Plan:] orders${' '.repeat(24)}[bold Phase:] Error`);
});

it('a field that is left alone before a long one is shown before it', () => {
  const fields = ['a', 'x'.repeat(40), 'b\nc', 'd'].map(mrkdwn);
  expect(blockLines([{ type: 'section', fields }], plain)).toEqual(['a', 'x'.repeat(40), 'b', 'c', 'd']);
});

it.each([
  [{}],
  [{ type: 'header' }],
  [{ type: 'section', text: 7, fields: 'x' }],
  [{ type: 'section', fields: [null, 7] }],
  [{ type: 'context', elements: {} }],
  [{ type: null, elements: [null, [[]]] }],
])('what is no such block does no harm: %j', (block) => {
  expect(() => blockLines([block], plain)).not.toThrow();
});
