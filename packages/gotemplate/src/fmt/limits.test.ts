import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BudgetError, type Limit } from '../errors.ts';
import { type Value, dict, list } from '../value/value.ts';
import { contextOf } from '../testing/context.ts';
import { c, f32, nested, strings, toPoint, u8 } from '../testing/values.ts';
import { display, sprint } from './print.ts';
import { sprintf } from './printf.ts';

function limitOf(print: () => string): Limit | undefined {
  try {
    print();
    return undefined;
  } catch (error) {
    if (error instanceof BudgetError) return error.limit;
    throw error;
  }
}

/** A list that contains a list twice, which contains a list twice, and so on. */
function doubled(times: number): Value {
  let value: Value = list([]);
  for (let i = 0; i < times; i++) value = list([value, value]);
  return value;
}

const ones = (count: number): Value => list(Array<Value>(count).fill(1n));

describe('printing ends', () => {
  it('in a map that contains itself', () => {
    const map = dict();
    map.entries.set('self', map);
    expect(limitOf(() => display(contextOf(), map))).toBe('depth');
  });

  it('by steps, if each level doubles the work', () => {
    expect(limitOf(() => sprintf(contextOf({ steps: 100_000 }), '%d', [doubled(60)]))).toBe('steps');
  });

  it('by time, if each level doubles the work', () => {
    let now = 0;
    const context = contextOf({ time: 20 }, () => now++);
    expect(limitOf(() => display(context, doubled(60)))).toBe('time');
  });

  it.each<[string, Value]>([
    ['%1000000d', ones(100)],
    ['%-1000000s', strings(...Array<string>(100).fill('x'))],
    ['%.1000000d', ones(100)],
    ['%.1000000f', list(Array<Value>(100).fill(0.5))],
    ['%.1000000e', list(Array<Value>(100).fill(c(1, 2)))],
    ['%x', 'x'.repeat(1_000_000)],
    ['%# X', 'x'.repeat(500_000)],
    ['%q', '\x01'.repeat(500_000)],
  ])('by memory: %s', (format, value) => {
    expect(limitOf(() => sprintf(contextOf({ memory: 1_500_000 }), format, [value]))).toBe('memory');
  });

  it('by memory, if operands are printed many times', () => {
    const format = '%[1]s'.repeat(100_000);
    expect(limitOf(() => sprintf(contextOf(), format, ['x'.repeat(1000)]))).toBe('memory');
  });

  it('by steps, in a format that prints nothing', () => {
    const context = contextOf({ steps: 100_000 });
    expect(limitOf(() => sprintf(context, '%%'.repeat(1_000_000), []))).toBe('steps');
  });

  it('by steps, while keys are sorted', () => {
    const map = dict(Array.from({ length: 50_000 }, (_, i) => [`k${(i * 7919) % 50_000}`, null]));
    expect(limitOf(() => display(contextOf({ steps: 60_000 }), map))).toBe('steps');
  });
});

it('values can be nested deeper than the JavaScript stack', () => {
  const text = display(contextOf(), nested(50_000));
  expect(text).toBe('['.repeat(50_001) + ']'.repeat(50_001));
});

it('a precision that only truncates costs nothing', () => {
  const many = strings(...Array<string>(1000).fill('abc'));
  expect(limitOf(() => sprintf(contextOf(), '%.1000000s', [many]))).toBeUndefined();
});

describe('addresses', () => {
  it('are given to objects in the order of printing', () => {
    const a = list([1n]);
    const b = dict();
    expect(sprintf(contextOf(), '%p %p %[1]p', [a, b])).toBe('0xc000010000 0xc000010020 0xc000010000');
    expect(sprintf(contextOf(), '%p', [b])).toBe('0xc000010000');
    expect(sprintf(contextOf(), '%v', [list([toPoint])])).toBe('[0xc000010000]');
  });
});

describe('with any format and any operands', () => {
  const scalar = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 5 }),
    fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
    fc.double(),
    fc.boolean(),
    fc.constantFrom<Value>(null, undefined, u8, f32(0.1), c(1, -1), list([1n, null]), dict([['k', 'v']])),
  );
  const directive = fc.string({
    unit: fc.constantFrom(...'%%%+-# 0123.*[]vTtbcdoOqxXUeEfFgGspwz!é'),
    maxLength: 12,
  });

  it('sprintf prints or reaches a limit', () => {
    fc.assert(
      fc.property(directive, fc.array(scalar, { maxLength: 4 }), (format, operands) => {
        const limit = limitOf(() => sprintf(contextOf(), `%${format}`, operands));
        expect(limit === undefined || limit === 'memory').toBe(true);
      }),
      { seed: 1, numRuns: 1000 },
    );
  });

  it('sprint is sprintf with %v', () => {
    fc.assert(
      fc.property(scalar, (operand) => {
        expect(sprint(contextOf(), [operand])).toBe(sprintf(contextOf(), '%v', [operand]));
        expect(display(contextOf(), operand)).toBe(sprintf(contextOf(), '%v', [operand]));
      }),
      { seed: 1, numRuns: 1000 },
    );
  });

  it('a long format prints the same as a short one', () => {
    fc.assert(
      fc.property(directive, fc.array(scalar, { maxLength: 3 }), (format, operands) => {
        fc.pre(!/[\d*]{5}/.test(format));
        const tail = '.'.repeat(300);
        const short = sprintf(contextOf(), `%${format}|.`, operands);
        expect(sprintf(contextOf(), `%${format}|${tail}`, operands).replaceAll(tail, '.')).toBe(short);
      }),
      { seed: 1, numRuns: 1000 },
    );
  });
});
