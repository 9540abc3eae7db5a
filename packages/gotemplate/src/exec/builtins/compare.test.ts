import { describe, expect, test } from 'vitest';
import { parse } from '../../template.ts';
import { Time } from '../../time/time.ts';
import { TIME } from '../../time/types.ts';
import { fn } from '../../value/func.ts';
import {
  ANY,
  ANY_MAP,
  ANY_SLICE,
  COMPLEX64,
  FLOAT32,
  INT,
  INT64,
  INT8,
  STRING,
  UINT64,
  UINT8,
  arrayOf,
  namedType,
  pointerTo,
  structType,
} from '../../value/type.ts';
import { type Value, Complex, GoMap, Pointer, Slice, Struct, Typed, dict, list } from '../../value/value.ts';

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
  nil: null,
  i8: new Typed(INT8, -5n),
  i64: new Typed(INT64, 1n),
  u8: new Typed(UINT8, 1n),
  max: new Typed(UINT64, 2n ** 64n - 1n),
  f32: new Typed(FLOAT32, 1.5),
  nan: NaN,
  c64: new Complex(1, 2, COMPLEX64),
  word: new Typed(namedType('main.word', 'string'), 'a'),
  list: list(['a', 2n, null]),
  nilList: new Slice(ANY_SLICE, [], true),
  map: dict([['k', 1n]]),
  nilMap: new GoMap(ANY_MAP, new Map(), true),
  point,
  samePoint: new Struct(POINT, [1n, 'a']),
  otherPoint: new Struct(POINT, [1n, 'b']),
  pointer: new Pointer(pointerTo(POINT), point),
  samePointer: new Pointer(pointerTo(POINT), point),
  otherPointer: new Pointer(pointerTo(POINT), new Struct(POINT, [1n, 'a'])),
  nilPointer: new Pointer(pointerTo(POINT), undefined),
  nilNumber: new Pointer(pointerTo(INT), undefined),
  box: new Struct(BOX, [1n, 'x']),
  bad: new Struct(BOX, [1n, list([])]),
  phase: new Struct(BOX, [1n, new Complex(1, 2)]),
  samePhase: new Struct(BOX, [1n, new Complex(1, 2)]),
  otherPhase: new Struct(BOX, [1n, new Complex(1, 3)]),
  size: new Struct(BOX, [1n, new Typed(INT8, 1n)]),
  sameSize: new Struct(BOX, [1n, new Typed(INT8, 1n)]),
  pair: new Slice(arrayOf(2, ANY), [1n, 'x']),
  badPair: new Slice(arrayOf(2, ANY), [1n, list([])]),
  time,
  sameTime: Time.unix(1_714_979_289, 123_000_000),
  elsewhere: Time.parseRFC3339('2024-05-06T08:08:09.123+01:00') ?? null,
  timePointer: new Pointer(pointerTo(TIME), time),
  func: fn('func() string', () => 'f'),
};

/** The output of `{{call}}`, or its error text after the function's name. */
function evaluate(call: string): string {
  try {
    return parse('t', `{{${call}}}`).execute(dict(Object.entries(values)));
  } catch (error) {
    return String(error).replace(/^.*error calling \w+: /, '');
  }
}

describe('as Go compares', () => {
  test.each([
    ['eq "a" "a"', 'true'],
    ['eq "a" "b" "c" "a"', 'true'],
    ['eq 1 2 3', 'false'],
    ['eq 1 1 "x"', 'true'],
    ['eq 1', 'missing argument for comparison'],
    ['eq 1 .u8', 'true'],
    ['eq .i64 .u8', 'true'],
    ['eq -1 .max', 'false'],
    ['eq .f32 1.5', 'true'],
    ['eq 1 1.0', 'incompatible types for comparison: int and float64'],
    ['eq 1 "1"', 'incompatible types for comparison: int and string'],
    ['eq .list 1', 'incompatible types for comparison: []interface {} and int'],
    ['eq .nan .nan', 'false'],
    ['eq .c64 1+2i', 'true'],
    ['eq .word "a"', 'true'],
    ['eq true false', 'false'],
    ['eq nil nil', 'true'],
    ['eq .nil .none', 'true'],
    ['eq 1 nil', 'false'],
    ['eq .nilList nil', 'true'],
    ['eq .nilMap nil', 'true'],
    ['eq .nilPointer nil', 'true'],
    ['eq .nilPointer .nilNumber', 'true'],
    ['eq .list nil', 'false'],
    ['eq .nilList .list', 'false'],
    ['eq .point nil', 'false'],
    ['eq .list .list', 'non-comparable type [a %!s(int=2) <nil>]: []interface {}'],
    [
      'eq .list .map',
      'non-comparable types [a %!s(int=2) <nil>]: []interface {}, map[string]interface {}: map[k:1]',
    ],
    ['eq .pointer .point', 'non-comparable types &{%!s(int=1) a}: *main.Point, main.Point: {1 a}'],
    ['eq .point .samePoint', 'true'],
    ['eq .point .otherPoint', 'false'],
    ['eq .point .box', 'false'],
    ['eq .pointer .samePointer', 'true'],
    ['eq .pointer .otherPointer', 'false'],
    ['eq .pointer .nilPointer', 'false'],
    ['eq .box .box', 'true'],
    ['eq .phase .samePhase', 'true'],
    ['eq .phase .otherPhase', 'false'],
    ['eq .size .sameSize', 'true'],
    ['eq .size .box', 'false'],
    ['eq .bad .bad', 'runtime error: comparing uncomparable type []interface {}'],
    ['eq .bad .box', 'false'],
    ['eq .pair .pair', 'true'],
    ['eq .badPair .badPair', 'runtime error: comparing uncomparable type []interface {}'],
    ['eq .time .sameTime', 'true'],
    ['eq .time .elsewhere', 'false'],
    [
      'eq .time .timePointer',
      'non-comparable types 2024-05-06 07:08:09.123 +0000 UTC: time.Time, *time.Time: 2024-05-06 07:08:09.123 +0000 UTC',
    ],
    ['ne 1 2', 'true'],
    ['ne .nan .nan', 'true'],
    ['ne .list .list', 'non-comparable type [a %!s(int=2) <nil>]: []interface {}'],
  ])('%s is %s', (call, result) => {
    expect(evaluate(call)).toBe(result);
  });
});

describe('as Go orders', () => {
  test.each([
    ['lt 1 2', 'true'],
    ['lt .i8 .max', 'true'],
    ['lt .max .i8', 'false'],
    ['lt 1.5 2.5', 'true'],
    ['lt "a" "b"', 'true'],
    ['lt "b" "a"', 'false'],
    ['lt "\uffff" "\u{10000}"', 'true'],
    ['lt .word "b"', 'true'],
    ['le 2 2', 'true'],
    ['le 3 2', 'false'],
    ['gt 2 2', 'false'],
    ['gt 3 2', 'true'],
    ['ge 2 2', 'true'],
    ['ge 1 2', 'false'],
    ['le .nan 1.0', 'false'],
    ['gt .nan 1.0', 'true'],
    ['ge .nan 1.0', 'true'],
    ['lt 1 1.5', 'incompatible types for comparison: int and float64'],
    ['lt true false', 'invalid type for comparison'],
    ['le 1i 1i', 'invalid type for comparison'],
    ['lt .list .list', 'invalid type for comparison'],
    ['gt nil 1', 'invalid type for comparison'],
    ['gt 1 nil', 'invalid type for comparison'],
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
