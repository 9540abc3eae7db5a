import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TargetState } from '../lifecycle/event.ts';
import { changeBetween, withChange } from './tables.ts';

const target = (name: string, state: string, message = ''): TargetState => ({
  name,
  executor: 'rds',
  state,
  message,
});

const tables = fc.array(
  fc.record({
    name: fc.constantFrom('a', 'b', 'c'),
    executor: fc.constantFrom('rds', 'eks'),
    state: fc.constantFrom('Pending', 'Running', 'Failed'),
    message: fc.constantFrom('', 'boom'),
  }),
  { maxLength: 6 },
);

describe('the change between two target tables', () => {
  it('makes the second of the first', () => {
    fc.assert(
      fc.property(tables, tables, (before, after) => {
        expect(withChange(before, changeBetween(before, after))).toEqual(after);
      }),
      { seed: 6, numRuns: 500 },
    );
  });

  it('is nothing, a few places, a new beginning, or another table', () => {
    const before = [target('a', 'Completed'), target('b', 'Failed', 'boom'), target('c', 'Running')];
    expect(
      changeBetween(
        before,
        before.map((row) => ({ ...row })),
      ),
    ).toBeUndefined();
    expect(changeBetween(before, before.with(2, target('c', 'Failed', 'no')))).toEqual({
      set: [[2, 'Failed', 'no']],
    });
    expect(
      changeBetween(
        before,
        ['a', 'b', 'c'].map((name) => target(name, 'Pending')),
      ),
    ).toEqual({
      all: 'Pending',
    });
    expect(changeBetween(before, [target('d', 'Pending')])).toEqual({ rows: [['d', 'rds', 'Pending', '']] });
  });

  it('passes over places that are not there, as a hand-written journal may have them', () => {
    expect(withChange([target('a', 'Pending')], { set: [[7, 'Running', '']] })).toEqual([
      target('a', 'Pending'),
    ]);
  });
});
