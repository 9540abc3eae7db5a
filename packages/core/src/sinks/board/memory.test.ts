import { expect, it } from 'vitest';
import { boardMemoryKey, isOfOpenNight, storedRow, type StoredRow } from './memory.ts';
import { aRow, BOARD_AT } from './testing/views.ts';

const HOUR_MS = 3_600_000;
const stored: StoredRow = {
  ...{ operation: 'shutdown', openedAt: BOARD_AT, row: aRow('orders'), announced: false },
};

it('the row of a deleted plan is kept as long as the longest night lasts', () => {
  const key = boardMemoryKey(stored);
  expect(isOfOpenNight(key, stored, BOARD_AT + 23 * HOUR_MS)).toBe(true);
  expect(isOfOpenNight(key, stored, BOARD_AT + 24 * HOUR_MS)).toBe(false);
});

it('a time that cannot be written belongs to no night', () => {
  const key = boardMemoryKey(stored);
  expect(storedRow(key, stored)).toEqual(stored);
  expect(storedRow(key, { ...stored, openedAt: 1e300 })).toBeUndefined();
  expect(storedRow(key, { ...stored, row: { ...stored.row, until: -1e300 } })).toBeUndefined();
});

it('other values belong to no night', () => {
  expect(isOfOpenNight('["c1","shutdown"]', stored, BOARD_AT)).toBe(false);
  expect(isOfOpenNight(boardMemoryKey(stored), { ...stored, row: {} }, BOARD_AT)).toBe(false);
});
