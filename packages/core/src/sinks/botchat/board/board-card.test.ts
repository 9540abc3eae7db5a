import { LIMITS, readText } from '@hnotif/judges/telegram';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { bareView } from '../../../testing/sinks.ts';
import { aBoard, anyBoard, aRow, BOARD_AT, manyRows } from '../../board/testing/views.ts';
import { BOTCHAT } from '../botchat.ts';
import type { SentText } from '../fit.ts';
import { endNotice, htmlBoard, plainBoard } from './board-card.ts';

/** What readers see. */
function read({ text, mode }: SentText) {
  const reading = readText({ text, parse_mode: mode });
  if (!reading.ok) throw new Error(reading.fault.error);
  return reading;
}

describe('a board', () => {
  it('has failed plans first, with their errors, and links', () => {
    const rows = [
      aRow('orders'),
      aRow('payments', { state: 'failed', failed: 1, completed: 2, error: 'db: <full> & broken' }),
      aRow('search', { state: 'running', completed: 1 }),
    ];
    const links = { 'hibernation.dev/runbook-url': 'https://wiki.example.com/?a=1&b=2' };
    const card = htmlBoard(aBoard(rows), { ...bareView, cluster: 'prod-eu', annotations: links });
    expect(read(card).text.split('\n')).toEqual([
      '⚠️ Hibernation of 3 Plans in Progress · prod-eu',
      '[███░░░░░░░] 1 of 3 asleep · 1 running · 1 failed',
      '',
      '❌ payments 2 of 3 targets, 1 failed — db: <full> & broken',
      '⏳ search 1 of 3 targets',
      '✅ 1 asleep: orders',
      '',
      'shop · began 2026-01-05 20:00 UTC · updated 20:01 UTC',
      'Runbook',
    ]);
    expect(read(card).entities).toContainEqual(
      expect.objectContaining({ type: 'text_link', url: 'https://wiki.example.com/?a=1&b=2' }),
    );
  });

  it('of 5,000 plans is sent whole, and says how many names are left out', () => {
    const failed = { state: 'failed' as const, error: 'db: no capacity in eu-central-1a & <elsewhere>' };
    const { text } = read(htmlBoard(aBoard([...manyRows(400, failed), ...manyRows(4_600)]), bareView));
    expect(text).toMatch(/… and 380 more failed\n✅ 4600 asleep: .* and 4\d{3} more\n\nshop · began/);
    expect(text.length).toBeLessThanOrEqual(LIMITS.units);
    // Escapes cost nothing.
    expect(read(htmlBoard(aBoard(manyRows(900, { plan: '&&&&' })), bareView)).text).toMatch(/(&&&&, ){60}/);
  });

  it.each([
    ['🌙', [aRow('a', { state: 'running' })], {}],
    ['☀️', [aRow('a', { state: 'running' })], { operation: 'wakeup' }],
    ['⚠️', [aRow('a', { state: 'failed' })], {}],
    ['❌', [aRow('a', { state: 'failed' })], { isOver: true }],
    ['⚠️', [aRow('a', { state: 'short' })], { isOver: true }],
    ['✅', [aRow('a')], { isOver: true }],
  ] as const)('begins with %s', (sign, rows, more) => {
    expect(htmlBoard(aBoard(rows, more), bareView).text.startsWith(`${sign} <b>`)).toBe(true);
  });

  it('says at its end how long the night took, and compares it with the last one', () => {
    const rows = [aRow('a'), aRow('b', { state: 'failed' })];
    const over = aBoard(rows, { isOver: true, failedBefore: 0 });
    expect(read(endNotice(over, bareView)).text).toBe(
      '❌ Hibernation of 2 Plans, 1 Failed · 1 of 2 asleep · 1 failed · took 1 min · 1 more failed than last time',
    );
    expect(read(htmlBoard(over, bareView)).text).toMatch(
      /\nshop · began 2026-01-05 20:00 UTC · took 1 min · 1 more failed than last time$/,
    );
    expect(plainBoard(over, bareView)).toEqual({
      text: 'Hibernation of 2 Plans, 1 Failed: shop — 1 of 2 asleep · 1 failed',
      mode: undefined,
    });
    // The next day.
    const late = aBoard(rows.slice(0, 1), { updatedAt: BOARD_AT + 5 * 3_600_000 });
    expect(read(htmlBoard(late, bareView)).text).toContain('updated 2026-01-06 01:00 UTC');
  });
});

test('Telegram takes the boards of any plans whole; they mention nobody and keep their last line', () => {
  fc.assert(
    fc.property(anyBoard, (view) => {
      for (const form of [htmlBoard, plainBoard, endNotice]) {
        const card = form(view, bareView);
        const { text, entities } = read(card);
        expect(BOTCHAT.judge({ text: card.text, parse_mode: card.mode })).toMatchObject({ kind: 'accepted' });
        const kinds = new Set(entities.map(({ type }) => type));
        for (const kind of [
          'mention',
          'text_mention',
          'text_link',
          'hashtag',
          'cashtag',
          'bot_command',
        ] as const)
          expect(kinds).not.toContain(kind);
        expect(entities.length).toBeLessThanOrEqual(LIMITS.entities);
        if (form === htmlBoard) expect(text).toMatch(/\nshop · began [^\n]*$/);
      }
    }),
    { numRuns: 60 },
  );
});
