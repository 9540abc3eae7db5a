import { expect, it } from 'vitest';
import type { StoredValue } from '../journal/entry.ts';
import { boardMemoryKey, type StoredRow } from '../../../core/src/sinks/board/memory.ts';
import type { Row } from '../../../core/src/sinks/board/row.ts';
import { boardInWords, boardOf } from './boards.ts';

const EVENING = Date.parse('2026-01-05T20:00:00Z');
const MORNING = Date.parse('2026-01-06T06:00:00Z');

const ROW: Row = {
  ...{ plan: 'orders', cycle: 'c1', seq: 5, state: 'done', total: 1, completed: 1, failed: 0, error: '' },
  until: EVENING,
};

function stored(operation: string, openedAt: number, row: Partial<Row>, ts?: string): StoredValue {
  const place = ts === undefined ? undefined : { asked: '#nights', channel: 'C1', ts };
  const value: StoredRow = { operation, openedAt, row: { ...ROW, ...row }, place, announced: false };
  return { stream: 'n/board', key: boardMemoryKey(value), value };
}

const SINKS = [
  stored('shutdown', 1e300, { seq: 1 }),
  stored('wakeup', MORNING, { seq: 9, state: 'running' }),
  stored('shutdown', EVENING, { seq: 5 }, '17.1'),
  { stream: 'n/board', key: 'root', value: {} },
  { ...stored('shutdown', EVENING, { seq: 99 }, '18.1'), stream: 'n/other' },
];

const asked = (seq: number, event: string, at: number) =>
  boardOf({ sinks: SINKS }, { notification: 'n', sink: 'board', seq, event, at: new Date(at).toISOString() });

it('the first board that has an event shows it; the board of a run shows the events after its end', () => {
  const evening = { operation: 'shutdown', began: '2026-01-05T20:00:00Z', channel: 'C1', message: '17.1' };
  const morning = { operation: 'wakeup', began: '2026-01-06T06:00:00Z' };
  expect(asked(1, 'Start', EVENING)).toEqual(evening);
  expect(asked(5, 'Success', EVENING + 60_000)).toEqual(evening);
  expect(asked(6, 'PhaseChange', EVENING + 60_000)).toEqual(evening);
  expect(asked(7, 'Start', MORNING)).toEqual(morning);
  expect(asked(9, 'ExecutionProgress', MORNING + 60_000)).toEqual(morning);
  // The next night is not stored yet.
  expect(asked(10, 'Start', MORNING)).toBeUndefined();
});

it('a board is named by its message, if there is one', () => {
  const board = { operation: 'shutdown', began: '2026-01-05T20:00:00Z' };
  expect(boardInWords(board)).toBe('the board of the shutdown that began 2026-01-05T20:00:00Z');
  expect(boardInWords({ ...board, channel: 'C1', message: '17.1' })).toBe(
    'message 17.1 in C1, the board of the shutdown that began 2026-01-05T20:00:00Z',
  );
});
