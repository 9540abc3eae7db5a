import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TargetState } from '@hnotif/core/lifecycle';
import { changeBetween, inverseOf, TargetTables, withChange } from './target-tables.ts';

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
  it('turns the first into the second', () => {
    fc.assert(
      fc.property(tables, tables, (before, after) => {
        expect(withChange(before, changeBetween(before, after))).toEqual(after);
      }),
      { seed: 6, numRuns: 500 },
    );
  });

  it('is undone by its inverse, which is small when all targets were in one state', () => {
    const reset = fc.record({ all: fc.constantFrom('Pending', 'Running') });
    fc.assert(
      fc.property(tables, tables, fc.option(reset), (before, other, change) => {
        const next = withChange(before, change ?? changeBetween(before, other));
        const inverse = inverseOf(before, change ?? changeBetween(before, other) ?? { set: [] });
        expect(withChange(next, inverse)).toEqual(before);
      }),
      { seed: 6, numRuns: 500 },
    );
    const before = ['a', 'b', 'c'].map((name) => target(name, 'Completed'));
    expect(inverseOf(before, { all: 'Pending' })).toEqual({ all: 'Completed' });
    const failed = before.with(1, target('b', 'Pending', 'boom')).with(2, target('c', 'Pending'));
    expect(inverseOf(failed, { all: 'Pending' })).toEqual({
      set: [
        [0, 'Completed', ''],
        [1, 'Pending', 'boom'],
      ],
    });
  });

  it('is nothing, a few rows, a new beginning, or another table', () => {
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

  it('ignores rows that do not exist, which a hand-written journal may have', () => {
    expect(withChange([target('a', 'Pending')], { set: [[7, 'Running', '']] })).toEqual([
      target('a', 'Pending'),
    ]);
  });
});

describe('the tables of a log', () => {
  it('are returned unchanged, whichever were read and forgotten before (property)', () => {
    const state = fc.constantFrom('Pending', 'Running', 'Completed');
    const table = fc.array(state, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(table, { minLength: 1, maxLength: 30 }), fc.array(fc.nat(29)), (states, asked) => {
        const tables = new TargetTables();
        const all = states.map((row) => row.map((each, at) => target(`t${at}`, each)));
        const numbers = all.map((each) => tables.push(each));
        let first = 0;
        const gone = new Set<number>();
        for (const at of asked) {
          if (at >= all.length) continue;
          if (at % 5 === 4 && at > first && !gone.has(at)) tables.forget(numbers[(first = at)]!);
          if (at % 5 === 3) {
            for (const each of all.keys())
              if (each > first && each % 4 === at % 4 && each !== all.length - 1) gone.add(each);
            tables.keepOnly(numbers.filter((_, each) => !gone.has(each)));
          }
          if (at < first || gone.has(at)) continue;
          expect(tables.at(numbers[at]!)).toEqual(all[at]);
          const last = all.length - 1;
          const change = tables.between(numbers[at]!, numbers[last]!);
          expect(withChange(all[at]!, change)).toEqual(all[last]);
        }
      }),
    );
  });

  it('are counted, also their changes, until they are forgotten', () => {
    const tables = new TargetTables();
    const numbers = ['1', '2', '3'].map((n) =>
      tables.push([target('a', 'Running', n.repeat(1_000)), target('b', 'Running')]),
    );
    const whole = tables.bytes;
    expect(whole).toBeGreaterThan(3 * 2_000);
    tables.keepOnly([numbers[0]!]);
    expect(whole - tables.bytes).toBeGreaterThan(2_000);
    tables.forget(numbers[2]!);
    const last = new TargetTables();
    last.push(tables.at(numbers[2]!));
    expect(tables.bytes).toBe(last.bytes);
    tables.clear();
    expect(tables.bytes).toBe(0);
  });

  it('begin again after they were cleared', () => {
    const tables = new TargetTables();
    tables.push([target('a', 'Running')]);
    tables.clear();
    const number = tables.push([target('b', 'Running')]);
    expect(tables.at(number)).toEqual([target('b', 'Running')]);
    expect(tables.push([target('b', 'Running')])).toBe(number);
  });
});
