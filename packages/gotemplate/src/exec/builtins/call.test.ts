import { describe, expect, test } from 'vitest';
import { parse } from '../../template.ts';
import { fn } from '../../value/func.ts';
import { INT, INT64, INT8, UINT64, namedType, structType } from '../../value/type.ts';
import { type GoMap, type Value, Typed, dict } from '../../value/value.ts';

const WORD = namedType('main.word', 'string');
const POINT = structType('main.Point', [{ name: 'X', type: INT }]);
const types = { 'main.word': WORD, 'main.Point': POINT };

const values: Record<string, Value> = {
  none: fn('func() string', () => 'none'),
  small: fn('func(int8) int8', (n: Typed) => n),
  byte: fn('func(uint8) uint8', (n: Typed) => n),
  many: fn('func(int, ...string) int', (n: bigint, ...rest: string[]) => n + BigInt(rest.length)),
  word: fn('func(main.word) string', ({ value }: Typed) => String(value), types),
  map: fn('func(map[string]interface {}) int', (map: GoMap) => BigInt(map.entries.size)),
  two: fn('func() (int, int)', () => 1n),
  i64: new Typed(INT64, 300n),
  max: new Typed(UINT64, 2n ** 64n - 1n),
  i8: new Typed(INT8, -1n),
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
    ['call .small .i64', '44'],
    ['call .small .max', '-1'],
    ['call .byte .i8', '255'],
    ['call .many 1', '1'],
    ['call .many 1 "a" "b"', '3'],
    ['call .none 1', 'wrong number of args for .none: got 1 want 0'],
    ['call .many', 'wrong number of args for .many: got 0 want at least 1'],
    ['call .map nil', '0'],
    ['call .two', 'invalid function signature for .two: second return value should be error; is int'],
    ['call .many 1 "a" 2', 'arg 2: value has type int; should be string'],
  ])('%s is %s', (call, result) => {
    expect(evaluate(call)).toBe(result);
  });
});
