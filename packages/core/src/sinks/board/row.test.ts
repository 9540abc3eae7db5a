import { describe, expect, it } from 'vitest';
import { anEvent } from '../../testing/events.ts';
import { looksSame, rowAfter, type Row } from './row.ts';

const target = (name: string, state: string, message = '') => ({ name, executor: 'rds', state, message });

/** The row after these events, one after the other. */
const after = (...events: readonly Parameters<typeof anEvent>[]): Row | undefined =>
  events.reduce<Row | undefined>((row, event) => rowAfter(row, anEvent(...event)), undefined);

describe('the row of a plan', () => {
  it.each([
    ['running', [['Start', 1]]],
    ['running', [['ExecutionProgress', 1]]],
    [
      'done',
      [
        ['Start', 1],
        ['Success', 2],
      ],
    ],
    [
      'short',
      [
        ['Start', 1],
        ['Success', 2, { targets: [target('db', 'Failed')] }],
      ],
    ],
    [
      'failed',
      [
        ['Start', 1],
        ['Failure', 2],
      ],
    ],
    [
      'retrying',
      [
        ['Start', 1],
        ['Failure', 2],
        ['Recovery', 3],
      ],
    ],
    [
      'retrying',
      [
        ['Start', 1],
        ['PhaseChange', 2, { phase: 'Error' }],
      ],
    ],
    [
      'retrying',
      [
        ['Recovery', 1],
        ['ExecutionProgress', 2],
      ],
    ],
    [
      'done',
      [
        ['Failure', 1],
        ['Success', 2],
      ],
    ],
    [
      'running',
      [
        ['Success', 1],
        ['Start', 2],
      ],
    ],
  ] as const)('is %s after %j', (state, events) => {
    expect(after(...(events as unknown as Parameters<typeof anEvent>[]))?.state).toBe(state);
  });

  it('is not changed by older events, and by details of a run that has ended', () => {
    const done = after(['Start', 1], ['Success', 3]);
    expect(rowAfter(done, anEvent('Failure', 2))).toBe(done);
    expect(rowAfter(done, anEvent('PhaseChange', 4))).toBe(done);
    expect(rowAfter(done, anEvent('ExecutionProgress', 4))).toBe(done);
    expect(rowAfter(done, anEvent('ExecutionProgress', 4, { cycle: 'c2' })).state).toBe('running');
  });

  it('is not set back by a Start or a Recovery from before its newest event: a replay sends it with a new number', () => {
    const at = (minute: number, second = '00.000') =>
      ({ timestamp: `2026-01-05T20:${minute}:${second}Z`, replayed: true }) as const;
    const done = after(['Start', 1, at(10)], ['Success', 4, at(30, '01.700')]);
    for (const kind of ['Start', 'Recovery'] as const)
      expect(rowAfter(done, anEvent(kind, 5, at(10)))).toEqual({ ...done, seq: 5 });
    // The plan has whole seconds.
    expect(rowAfter(done, anEvent('Recovery', 5, at(30, '01.000'))).state).toBe('retrying');
    expect(rowAfter(done, anEvent('Start', 5, at(31))).state).toBe('running');
    expect(rowAfter(done, anEvent('Start', 5, { ...at(10), cycle: 'c2' })).state).toBe('running');
    expect(rowAfter(done, anEvent('Failure', 5, at(10))).state).toBe('failed');
    // A real one: the process is behind the plan.
    expect(rowAfter(done, anEvent('Recovery', 5, { timestamp: at(10).timestamp })).state).toBe('retrying');
  });

  it('says what went wrong: the failed target first; a retry keeps it until the next event says something', () => {
    const targets = [target('db', 'Completed'), target('vm', 'Failed', 'no capacity')];
    const failed = after(['Start', 1], ['Failure', 2, { targets, errorMessage: 'some targets failed' }]);
    expect(failed).toMatchObject({ error: 'vm: no capacity', total: 2, completed: 1, failed: 1 });
    expect(rowAfter(failed, anEvent('Recovery', 3)).error).toBe('vm: no capacity');
    expect(after(['Failure', 1, { errorMessage: 'no quota' }])?.error).toBe('no quota');
    expect(after(['Failure', 1])?.error).toBe('');
    expect(rowAfter(failed, anEvent('Success', 3)).error).toBe('');
    expect(after(['Failure', 1, { errorMessage: 'x'.repeat(10_000) }])?.error.length).toBeLessThanOrEqual(
      200,
    );
  });

  it('looks the same if only its times differ', () => {
    const row = after(['Start', 1]);
    const later = rowAfter(row, anEvent('ExecutionProgress', 2, { timestamp: '2026-01-05T20:05:00.000Z' }));
    expect(later).not.toBe(row);
    expect(row !== undefined && looksSame(row, later)).toBe(true);
    expect(row !== undefined && looksSame(row, rowAfter(row, anEvent('Success', 2)))).toBe(false);
  });
});
