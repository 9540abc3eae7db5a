import { describe, expect, it } from 'vitest';
import { fixedZone } from '../time/location.ts';
import { Time } from '../time/time.ts';
import { contextOf } from '../testing/context.ts';
import { deepEqual } from './equal.ts';
import { fn } from './func.ts';
import {
  ANY_SLICE,
  INT,
  INT64,
  STRING,
  STRING_MAP,
  STRING_SLICE,
  pointerTo,
  sliceOf,
  structType,
} from './type.ts';
import { Complex, GoMap, Pointer, Slice, Struct, Typed, type Value, dict, list } from './value.ts';

const equal = (a: Value, b: Value): boolean => deepEqual(contextOf({ steps: 100_000 }), a, b);

const POINT = structType('main.Point', [
  { name: 'X', type: INT },
  { name: 'Y', type: INT },
]);
const OTHER = structType('main.Point', POINT.fields);

const point = (x: bigint, y: bigint, type = POINT): Struct => new Struct(type, [x, y]);
const pointer = (target: Struct): Pointer => new Pointer(pointerTo(target.type), target);
const nil = (type = ANY_SLICE): Slice => new Slice(type, [], true);
const noop = fn('func() string', () => '');

describe('deepEqual, as reflect.DeepEqual', () => {
  const numbers = [NaN, 1];
  const one = pointer(point(1n, 2n));
  it.each<[string, boolean, Value, Value]>([
    ['two other int64', false, new Typed(INT64, 1n), new Typed(INT64, 2n)],
    ['complex numbers', true, new Complex(1, 2), new Complex(1, 2)],
    ['different complex numbers', false, new Complex(1, 2), new Complex(1, 3)],
    ['a function and itself', false, noop, noop],
    ['lists of different lengths', false, list([1n]), list([1n, 1n])],
    ['lists of different types', false, list(['a']), new Slice(STRING_SLICE, ['a'])],
    ['NaN in two lists', false, list([NaN]), list([NaN])],
    ['NaN in one list', true, list(numbers), list(numbers)],
    ['a nil list and an empty one', false, nil(), list([])],
    ['maps with different keys', false, dict([['a', null]]), dict([['b', null]])],
    ['maps of different sizes', false, dict([['a', 1n]]), dict()],
    ['maps of different types', false, dict(), new GoMap(STRING_MAP)],
    ['a nil map and an empty one', false, new GoMap(STRING_MAP, new Map(), true), new GoMap(STRING_MAP)],
    ['different structs', false, point(1n, 2n), point(1n, 3n)],
    ['structs of different types', false, point(1n, 2n), point(1n, 2n, OTHER)],
    ['pointers to equal structs', true, one, pointer(point(1n, 2n))],
    ['pointers to different structs', false, one, pointer(point(2n, 2n))],
    ['a pointer and nil', false, one, new Pointer(one.type, undefined)],
    ['nil pointers', true, new Pointer(one.type, undefined), new Pointer(one.type, undefined)],
    ['pointers to a list with NaN', true, list([one]), list([one])],
    ['times', true, Time.unix(5n), Time.unix(5n)],
    ['different times', false, Time.unix(5n), Time.unix(6n)],
    ['one time in two locations', false, Time.unix(5n), Time.unix(5n, 0, fixedZone('', 7200))],
    [
      'times in equal locations',
      true,
      Time.unix(5n, 0, fixedZone('X', 60)),
      Time.unix(5n, 0, fixedZone('X', 60)),
    ],
  ])('%s: %s', (_name, expected, a, b) => {
    expect(equal(a, b)).toBe(expected);
    expect(equal(b, a)).toBe(expected);
    expect(equal(list([a]), list([b]))).toBe(expected);
  });

  it('compares shared parts only once', () => {
    const doubled = (): Value => {
      let value: Value = dict([['a', 1n]]);
      for (let i = 0; i < 60; i++)
        value = list([
          value,
          dict([
            ['x', value],
            ['y', value],
          ]),
        ]);
      return value;
    };
    expect(equal(doubled(), doubled())).toBe(true);
  });

  it('ends in cycles, and finds differences in them', () => {
    const cycle = (length: number, end: Value): GoMap => {
      const first = dict();
      let last = first;
      for (let i = 1; i < length; i++) last.entries.set('next', (last = dict()));
      last.entries.set('next', first).set('end', end);
      return first;
    };
    expect(equal(cycle(1, 1n), cycle(1, 1n))).toBe(true);
    expect(equal(cycle(1, 1n), cycle(1, 2n))).toBe(false);
    expect(equal(cycle(3, 1n), cycle(3, 1n))).toBe(true);
    expect(equal(cycle(200, 1n), cycle(200, 1n))).toBe(true);
    expect(equal(cycle(200, 1n), cycle(200, 2n))).toBe(false);
  });

  it('handles very deep values', () => {
    const nested = (): Value => Array.from({ length: 50_000 }).reduce<Value>((inner) => list([inner]), 1n);
    expect(equal(nested(), nested())).toBe(true);
  });

  it('charges the budget', () => {
    const long = () =>
      new Slice(
        sliceOf(STRING),
        Array.from({ length: 200_000 }, () => 'a'),
      );
    expect(() => equal(long(), long())).toThrow('step limit');
  });
});
