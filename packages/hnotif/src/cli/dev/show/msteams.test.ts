import { expect, it } from 'vitest';
import { msteamsLines } from './msteams.ts';
import { plain } from '../../paint.ts';

const arrivedAt = Date.parse('2026-01-05T20:00:01Z');
const nothing = { message: undefined, error: undefined, failure: undefined, arrivedAt };

it('a card is shown whole, under its workflow', () => {
  const card = {
    body: [
      { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: 'Hibernation ' }, { text: 'Failed' }] },
      { type: 'TextBlock', text: 'orders\n\u001b[31mdb' },
    ],
    actions: [{ type: 'Action.OpenUrl', title: 'Runbook', url: 'https://example.com/r' }],
  };
  expect(msteamsLines({ ...nothing, message: { at: arrivedAt, cards: [card] } }, 'managers', plain)).toEqual([
    '20:00:01         msteams  managers',
    '    │ Hibernation Failed',
    '    │ orders',
    '    │ \ufffd[31mdb',
    '    │ [Runbook] (https://example.com/r)',
  ]);
});

it('a refused request says why, and a run that failed, too', () => {
  expect(msteamsLines({ ...nothing, error: 'WorkflowNotFound' }, '', plain)).toEqual([
    'refused: msteams  WorkflowNotFound',
  ]);
  expect(msteamsLines({ ...nothing, failure: 'too long' }, 'managers', plain)).toEqual([
    'refused: msteams managers too long',
  ]);
});
