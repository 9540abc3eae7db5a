import { describe, expect, test } from 'vitest';
import { assignable, canBeNil } from './assign.ts';
import { fn } from './func.ts';
import {
  ANY,
  ANY_MAP,
  ANY_SLICE,
  ERROR,
  INT,
  INT64,
  REFLECT_VALUE,
  STRING,
  STRING_SLICE,
  Type,
  arrayOf,
  funcOf,
  mapOf,
  namedType,
  pointerTo,
  structType,
} from './type.ts';

const WORD = namedType('main.word', 'string');
const POINT = structType('main.Point', []);
const OTHER = structType('main.Point', []);
const NAMES = new Type('slice', 'main.Names', { elem: STRING, named: true });
const TABLE = new Type('map', 'main.Table', { key: STRING, elem: ANY, named: true });
const PLAIN = funcOf({ params: [], variadic: false, results: [STRING] });
const FAULT = structType('main.Fault', []);
FAULT.pointerMethods.set(
  'Error',
  fn('func(*main.Fault) string', () => '', { 'main.Fault': FAULT }),
);

describe('assignable, as in Go', () => {
  test.each<[Type | undefined, Type, boolean]>([
    [STRING, STRING, true],
    [STRING, ANY, true],
    [undefined, ANY, true],
    [undefined, ANY_SLICE, true],
    [undefined, REFLECT_VALUE, true],
    [undefined, STRING, false],
    [undefined, POINT, false],
    [STRING, WORD, false],
    [WORD, STRING, false],
    [INT, INT64, false],
    [POINT, OTHER, false],
    [POINT, pointerTo(POINT), false],
    [STRING_SLICE, NAMES, true],
    [NAMES, STRING_SLICE, true],
    [NAMES, ANY_SLICE, false],
    [STRING_SLICE, ANY_SLICE, false],
    [ANY_MAP, TABLE, true],
    [mapOf(STRING, STRING), TABLE, false],
    [arrayOf(2, INT), arrayOf(3, INT), false],
    [PLAIN, funcOf({ params: [], variadic: false, results: [STRING] }), true],
    [PLAIN, funcOf({ params: [STRING], variadic: false, results: [STRING] }), false],
    [pointerTo(FAULT), ERROR, true],
    [FAULT, ERROR, false],
    [STRING, ERROR, false],
  ])('%s to %s: %s', (from, to, answer) => {
    expect(assignable(from, to)).toBe(answer);
  });
});

test('types that can be nil', () => {
  expect([ANY, ANY_SLICE, ANY_MAP, PLAIN, pointerTo(INT), REFLECT_VALUE].every(canBeNil)).toBe(true);
  expect([STRING, INT, POINT, arrayOf(1, INT)].some(canBeNil)).toBe(false);
});
