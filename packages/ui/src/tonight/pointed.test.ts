import { expect, it } from 'vitest';
import { applyRows, type Board, type Dot } from '@hnotif/core/page';
import { dotsPointedAt, NOTHING } from './pointed.ts';

const row = { key: 'ns/p', namespace: 'ns', plan: 'p', phase: 'Active', operation: '' };
const dot = (id: string, state: Dot['state']): Dot => ({
  ...{ id, seq: 1, event: 'Start', notification: 'n', sink: 's', state, at: 1, count: 1, why: '' },
});
const pointed = { key: 'ns/p', ids: ['a', 'b'], x: 1, y: 1 };

it('tells the dots as they are now, not as they were when they were pointed at', () => {
  const board: Board = new Map();
  const states = () => dotsPointedAt(board, pointed).map(({ state }) => state);
  applyRows(board, { now: 1, rows: [{ ...row, dots: [dot('a', 'waiting'), dot('b', 'waiting')] }] });
  expect(states()).toEqual(['waiting', 'waiting']);
  applyRows(board, { now: 2, rows: [{ ...row, dots: [dot('b', 'parked')], lost: ['a'] }] });
  expect(states()).toEqual(['parked']);
  applyRows(board, { now: 3, gone: ['ns/p'] });
  expect(states()).toEqual([]);
  expect(dotsPointedAt(board, NOTHING)).toEqual([]);
});
