import { describe, expect, test } from 'vitest';
import { GoError } from '../../errors.ts';
import { parse } from '../../template.ts';
import { fn } from '../../value/func.ts';
import { INT, INT64, INT8, STRING_MAP, UINT64, namedType, pointerTo, structType } from '../../value/type.ts';
import { type Value, GoMap, Pointer, Struct, Typed, dict, typeOf } from '../../value/value.ts';

const WORD = namedType('main.word', 'string');
const POINT = structType('main.Point', [{ name: 'X', type: INT }]);
const types = { 'main.word': WORD, 'main.Point': POINT };

const values: Record<string, Value> = {
  none: fn('func() string', () => 'none'),
  text: fn('func(string) string', (text: string) => `<${text}>`),
  small: fn('func(int8) int8', (n: Typed) => n),
  byte: fn('func(uint8) uint8', (n: Typed) => n),
  many: fn('func(int, ...string) int', (n: bigint, ...rest: string[]) => n + BigInt(rest.length)),
  any: fn('func(any) string', (value: Value) => typeOf(value)?.name ?? '<nil>'),
  word: fn('func(main.word) string', ({ value }: Typed) => String(value), types),
  map: fn('func(map[string]interface {}) int', (map: GoMap) => BigInt(map.entries.size)),
  pointer: fn('func(*main.Point) bool', (point: Pointer) => point.target === undefined, types),
  fails: fn('func() (string, error)', () => {
    throw new GoError('boom');
  }),
  nothing: fn('func()', () => null),
  two: fn('func() (int, int)', () => 1n),
  three: fn('func() (int, int, error)', () => 1n),
  i64: new Typed(INT64, 300n),
  max: new Typed(UINT64, 2n ** 64n - 1n),
  i8: new Typed(INT8, -1n),
  w: new Typed(WORD, 'w'),
  m: dict([['a', 1n]]),
  strings: new GoMap(STRING_MAP),
  p: new Pointer(pointerTo(POINT), new Struct(POINT, [1n])),
};

/** The output of the call, or its error text after `call`. */
function evaluate(call: string): string {
  try {
    return parse('t', `{{${call}}}`).execute(dict(Object.entries(values)));
  } catch (error) {
    return String(error).replace(/^.*error calling call: /, '');
  }
}

describe('call, as in Go', () => {
  test.each([
    ['call .none', 'none'],
    ['call .text "x"', '<x>'],
    ['"x" | call .text', '<x>'],
    ['call .small 5', '5'],
    ['call .small .i64', '44'],
    ['call .small .max', '-1'],
    ['call .byte .i8', '255'],
    ['call .many 1', '1'],
    ['call .many 1 "a" "b"', '3'],
    ['call .any .i8', 'int8'],
    ['call .any nil', '<nil>'],
    ['call .word .w', 'w'],
    ['call .map .m', '1'],
    ['call .map nil', '0'],
    ['call .pointer nil', 'true'],
    ['call .pointer .p', 'false'],
    ['call .fails', 'boom'],
    ['call .none 1', 'wrong number of args for .none: got 1 want 0'],
    ['call .many', 'wrong number of args for .many: got 0 want at least 1'],
    ['call .small "x"', 'arg 0: value has type string; should be int8'],
    ['call .small 1.0', 'arg 0: value has type float64; should be int8'],
    ['call .text nil', 'arg 0: value is nil; should be of type string'],
    ['call .text .w', 'arg 0: value has type main.word; should be string'],
    ['call .word "w"', 'arg 0: value has type string; should be main.word'],
    ['call .many 1 "a" 2', 'arg 2: value has type int; should be string'],
    ['call .map .strings', 'arg 0: value has type map[string]string; should be map[string]interface {}'],
    ['call .nothing', 'function .nothing has 0 return values; should be 1 or 2'],
    ['call .two', 'invalid function signature for .two: second return value should be error; is int'],
    ['call .three', 'function .three has 3 return values; should be 1 or 2'],
    ['call nil', 'call of nil'],
    ['call .absent', 'call of nil'],
    ['call (len "a")', 'non-function len "a" of type int'],
  ])('%s is %s', (call, result) => {
    expect(evaluate(call)).toBe(result);
  });
});
