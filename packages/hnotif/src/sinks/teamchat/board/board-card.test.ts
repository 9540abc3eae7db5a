import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { ROW_STATES, type Row } from '../../board/row.ts';
import { viewOf, type BoardView } from '../../board/view.ts';
import { TEAMCHAT } from '../teamchat.ts';
import { bareView } from '../../../testing/sinks.ts';
import { OPTIONS } from '../presets/testing/sources.ts';
import { blocksBoard, endNotice, plainBoard, textBoard } from './board-card.ts';

const AT = Date.parse('2026-01-05T20:00:00.000Z');

const row = (plan: string, more: Partial<Row> = {}): Row => ({
  ...{ plan, cycle: 'c1', seq: 1, state: 'done', total: 3, completed: 3, failed: 0, error: '' },
  until: AT + 60_000,
  ...more,
});

const view = (rows: readonly Row[], more: Partial<BoardView> = {}): BoardView => ({
  ...viewOf(
    { operation: 'shutdown', openedAt: AT, rows: new Map(rows.map((each, at) => [`uid-${at}`, each])) },
    { namespace: 'shop', isOver: false, failedBefore: undefined },
  ),
  ...more,
});

const many = (count: number, more: Partial<Row> = {}): Row[] =>
  Array.from({ length: count }, (_, at) => row(`a-plan-with-a-long-name-${at}`, more));

const textOf = (message: object): string => JSON.stringify(message);

describe('a board', () => {
  it('of 5,000 plans is sent, and says how many names are left out', () => {
    const failed = { state: 'failed' as const, error: 'db: no capacity in eu-central-1a' };
    const card = blocksBoard(view([...many(400, failed), ...many(4_600)]), bareView, OPTIONS);
    expect(TEAMCHAT.judge(card)).toMatchObject({ kind: 'accepted' });
    expect(textOf(card)).toMatch(/… and 380 more failed.*4600 asleep: .* and 4\d{3} more/);
    expect(Buffer.byteLength(textBoard(view(many(5_000)), bareView, OPTIONS).text)).toBeLessThan(4_000);
  });

  it.each([
    [
      ':crescent_moon:',
      'Hibernation of 2 Plans in Progress',
      [row('a'), row('b', { state: 'running' })],
      false,
    ],
    [':warning:', 'Hibernation of 2 Plans in Progress', [row('a'), row('b', { state: 'failed' })], false],
    [':white_check_mark:', 'Hibernation of 2 Plans Completed', [row('a'), row('b')], true],
    [':warning:', 'Hibernation of 2 Plans Completed', [row('a'), row('b', { state: 'short' })], true],
    [':x:', 'Hibernation of 2 Plans, 1 Failed', [row('a'), row('b', { state: 'failed' })], true],
    [':warning:', 'Hibernation of 1 Plan Unfinished', [row('a', { state: 'running' })], true],
  ] as const)('begins with %s %s', (emoji, words, rows, isOver) => {
    const [head] = textBoard(view(rows, { isOver }), bareView, OPTIONS).text.split('\n');
    expect(head).toBe(`${emoji} *${words}*`);
  });

  it('names the cluster and the operation', () => {
    const inCluster = { ...bareView, cluster: 'prod-eu' };
    expect(plainBoard(view([row('a')], { operation: 'wakeup' }), inCluster).text).toBe(
      'Wake-Up of 1 Plan in Progress · prod-eu: shop — 1 of 1 awake',
    );
  });

  it('says at its end how long the night took, and compares it with the last one', () => {
    const over = view([row('a'), row('b', { state: 'failed' })], { isOver: true, failedBefore: 0 });
    expect(endNotice(over, bareView).text).toBe(
      ':x: *Hibernation of 2 Plans, 1 Failed*  ·  1 of 2 asleep · 1 failed  ·  took 1 min  ·  1 more failed than last time',
    );
    expect(textOf(blocksBoard(over, bareView, OPTIONS))).toContain('took 1 min');
  });
});

const word = fc.oneof(
  fc.constantFrom('', 'night', '<!channel>', '*b*', '```', ':x:', '&amp;', 'a\nb', '<https://e.test|x>'),
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
);
const anyRow = fc.record({
  ...{ plan: word, cycle: word, seq: fc.nat(), state: fc.constantFrom(...ROW_STATES), error: word },
  ...{ total: fc.nat(9_999), completed: fc.nat(9_999), failed: fc.nat(9_999) },
  until: fc.integer({ min: AT, max: AT + 1e8 }),
});

test('any plans make boards that Slack takes, that mention nobody and make no link', () => {
  fc.assert(
    fc.property(fc.array(anyRow, { minLength: 1, maxLength: 80 }), fc.boolean(), (rows, isOver) => {
      const any = view(rows, { isOver });
      for (const form of [blocksBoard, textBoard, plainBoard]) {
        const card = form(any, bareView, OPTIONS);
        expect(TEAMCHAT.judge(card)).toMatchObject({ kind: 'accepted' });
        expect(textOf(card).replace(/<!date\^[^>]*>/g, '')).not.toMatch(/<[!@#h]/);
        expect(Buffer.byteLength(card.text)).toBeLessThanOrEqual(4_000);
      }
    }),
    { numRuns: 60 },
  );
});
