import { expect, test } from 'vitest';
import { fn } from '../value/func.ts';
import { ANY_MAP, ANY_SLICE, FLOAT32, INT, INT64, pointerTo, structType } from '../value/type.ts';
import { type Value, Complex, GoMap, Pointer, Slice, Struct, Typed, dict, list } from '../value/value.ts';
import { isTrue } from './truth.ts';

const EMPTY = structType('main.Empty', []);

test.each<[string, Value, boolean]>([
  ['no value', undefined, false],
  ['nil', null, false],
  ['false', false, false],
  ['true', true, true],
  ['an empty string', '', false],
  ['a space', ' ', true],
  ['0', 0n, false],
  ['-1', -1n, true],
  ['0.0', 0, false],
  ['-0.0', -0, false],
  ['NaN', NaN, true],
  ['int64 0', new Typed(INT64, 0n), false],
  ['float32 0.5', new Typed(FLOAT32, 0.5), true],
  ['0i', new Complex(0, 0), false],
  ['1i', new Complex(0, 1), true],
  ['an empty list', list([]), false],
  ['a list of nil', list([null]), true],
  ['a nil list', new Slice(ANY_SLICE, [], true), false],
  ['an empty map', dict(), false],
  ['a map', dict([['a', null]]), true],
  ['a nil map', new GoMap(ANY_MAP, new Map(), true), false],
  ['a struct without fields', new Struct(EMPTY, []), true],
  ['a nil pointer', new Pointer(pointerTo(INT), undefined), false],
  ['a pointer to 0', new Pointer(pointerTo(INT), 0n), true],
  ['a function', fn('func() string', () => ''), true],
])('%s, as in Go', (_, value, truth) => {
  expect(isTrue(value)).toBe(truth);
});
