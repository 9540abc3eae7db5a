import { describe, expect, test } from 'vitest';
import { parse } from '../../template.ts';
import { Time } from '../../time/time.ts';
import {
  ANY,
  COMPLEX64,
  FLOAT32,
  INT,
  INT8,
  STRING,
  arrayOf,
  namedType,
  pointerTo,
  structType,
} from '../../value/type.ts';
import { type Value, Complex, Pointer, Slice, Struct, Typed, dict, list } from '../../value/value.ts';

const POINT = structType('main.Point', [
  { name: 'X', type: INT },
  { name: 'S', type: STRING },
]);
const BOX = structType('main.Box', [
  { name: 'A', type: INT },
  { name: 'B', type: ANY },
]);
const point = new Struct(POINT, [1n, 'a']);
const time = Time.unix(1_714_979_289, 123_000_000);

const values: Record<string, Value> = {
  f32: new Typed(FLOAT32, 1.5),
  c64: new Complex(1, 2, COMPLEX64),
  word: new Typed(namedType('main.word', 'string'), 'a'),
  point,
  samePoint: new Struct(POINT, [1n, 'a']),
  pointer: new Pointer(pointerTo(POINT), point),
  samePointer: new Pointer(pointerTo(POINT), point),
  otherPointer: new Pointer(pointerTo(POINT), new Struct(POINT, [1n, 'a'])),
  box: new Struct(BOX, [1n, 'x']),
  bad: new Struct(BOX, [1n, list([])]),
  phase: new Struct(BOX, [1n, new Complex(1, 2)]),
  samePhase: new Struct(BOX, [1n, new Complex(1, 2)]),
  otherPhase: new Struct(BOX, [1n, new Complex(1, 3)]),
  size: new Struct(BOX, [1n, new Typed(INT8, 1n)]),
  pair: new Slice(arrayOf(2, ANY), [1n, 'x']),
  badPair: new Slice(arrayOf(2, ANY), [1n, list([])]),
  time,
  sameTime: Time.unix(1_714_979_289, 123_000_000),
  elsewhere: Time.parseRFC3339('2024-05-06T08:08:09.123+01:00') ?? null,
};

/** The output of `{{call}}`, or its error text after the function's name. */
function evaluate(call: string): string {
  try {
    return parse('t', `{{${call}}}`).execute(dict(Object.entries(values)));
  } catch (error) {
    return String(error).replace(/^.*error calling \w+: /, '');
  }
}

describe('as Go compares and orders', () => {
  test.each([
    ['eq .f32 1.5', 'true'],
    ['eq .c64 1+2i', 'true'],
    ['eq .word "a"', 'true'],
    ['eq .point .samePoint', 'true'],
    ['eq .point .box', 'false'],
    ['eq .pointer .samePointer', 'true'],
    ['eq .pointer .otherPointer', 'false'],
    ['eq .phase .samePhase', 'true'],
    ['eq .phase .otherPhase', 'false'],
    ['eq .size .box', 'false'],
    ['eq .bad .bad', 'runtime error: comparing uncomparable type []interface {}'],
    ['eq .bad .box', 'false'],
    ['eq .pair .pair', 'true'],
    ['eq .badPair .badPair', 'runtime error: comparing uncomparable type []interface {}'],
    ['eq .time .sameTime', 'true'],
    ['eq .time .elsewhere', 'false'],
    ['lt .word "b"', 'true'],
  ])('%s is %s', (call, result) => {
    expect(evaluate(call)).toBe(result);
  });
});

test('the cost of long texts depends on their length', () => {
  const long = 'x'.repeat(1 << 20);
  const template = parse('t', '{{range .n}}{{eq $.a $.b}}{{lt $.a $.b}}{{len $.a}}{{end}}');
  const data = dict([
    ['a', `${long}a`],
    ['b', `${long}b`],
    ['n', 1000n],
  ]);
  expect(() => template.execute(data, { limits: { steps: 100_000 } })).toThrow('exceeded the step limit');
});
