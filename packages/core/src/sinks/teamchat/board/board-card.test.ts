import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { aBoard, anyBoard, aRow, manyRows } from '../../board/testing/views.ts';
import { TEAMCHAT } from '../teamchat.ts';
import { bareView } from '../../../testing/sinks.ts';
import { OPTIONS } from '../presets/testing/sources.ts';
import { blocksBoard, endNotice, plainBoard, textBoard } from './board-card.ts';

const textOf = (message: object): string => JSON.stringify(message);

describe('a board', () => {
  it('of 5,000 plans is sent, and says how many names are left out', () => {
    const failed = { state: 'failed' as const, error: 'db: no capacity in eu-central-1a' };
    const card = blocksBoard(aBoard([...manyRows(400, failed), ...manyRows(4_600)]), bareView, OPTIONS);
    expect(TEAMCHAT.judge(card)).toMatchObject({ kind: 'accepted' });
    expect(textOf(card)).toMatch(/… and 380 more failed.*4600 asleep: .* and 4\d{3} more/);
    expect(Buffer.byteLength(textBoard(aBoard(manyRows(5_000)), bareView, OPTIONS).text)).toBeLessThan(4_000);
  });

  it.each([
    [
      ':crescent_moon:',
      'Hibernation of 2 Plans in Progress',
      [aRow('a'), aRow('b', { state: 'running' })],
      false,
    ],
    [':warning:', 'Hibernation of 2 Plans in Progress', [aRow('a'), aRow('b', { state: 'failed' })], false],
    [':white_check_mark:', 'Hibernation of 2 Plans Completed', [aRow('a'), aRow('b')], true],
    [':warning:', 'Hibernation of 2 Plans Completed', [aRow('a'), aRow('b', { state: 'short' })], true],
    [':x:', 'Hibernation of 2 Plans, 1 Failed', [aRow('a'), aRow('b', { state: 'failed' })], true],
    [':warning:', 'Hibernation of 1 Plan Unfinished', [aRow('a', { state: 'running' })], true],
  ] as const)('begins with %s %s', (emoji, words, rows, isOver) => {
    const [head] = textBoard(aBoard(rows, { isOver }), bareView, OPTIONS).text.split('\n');
    expect(head).toBe(`${emoji} *${words}*`);
  });

  it('names the cluster and the operation', () => {
    const inCluster = { ...bareView, cluster: 'prod-eu' };
    expect(plainBoard(aBoard([aRow('a')], { operation: 'wakeup' }), inCluster).text).toBe(
      'Wake-Up of 1 Plan in Progress · prod-eu: shop — 1 of 1 awake',
    );
  });

  it('says at its end how long the night took, and compares it with the last one', () => {
    const over = aBoard([aRow('a'), aRow('b', { state: 'failed' })], { isOver: true, failedBefore: 0 });
    expect(endNotice(over, bareView).text).toBe(
      ':x: *Hibernation of 2 Plans, 1 Failed*  ·  1 of 2 asleep · 1 failed  ·  took 1 min  ·  1 more failed than last time',
    );
    expect(textOf(blocksBoard(over, bareView, OPTIONS))).toContain('took 1 min');
  });
});

test('any plans make boards that Slack takes, that mention nobody and make no link', () => {
  fc.assert(
    fc.property(anyBoard, (any) => {
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
