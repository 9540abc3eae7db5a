import { describe, expect, test } from 'vitest';
import { GoError } from '../errors.ts';
import { fn } from '../value/func.ts';
import { INT, mapOf, namedType, pointerTo, structType } from '../value/type.ts';
import { type Value, GoMap, Pointer, Struct, Typed } from '../value/value.ts';
import { json } from '../testing/json.ts';
import { bytes } from '../testing/values.ts';

describe('types with MarshalJSON or MarshalText, as in Go', () => {
  const TEXT = namedType('main.Text', 'int');
  TEXT.methods.set(
    'MarshalText',
    fn(
      'func(main.Text) ([]byte, error)',
      ({ value }: Typed) => {
        if (value === 0n) throw new GoError('no "0"');
        return bytes(`<${value}>`);
      },
      { 'main.Text': TEXT },
    ),
  );
  const RAW = namedType('main.Raw', 'string');
  RAW.methods.set(
    'MarshalJSON',
    fn('func(main.Raw) ([]byte, error)', ({ value }: Typed) => bytes(String(value)), { 'main.Raw': RAW }),
  );
  const SELF = structType('main.Self', [{ name: 'X', type: INT }]);
  SELF.pointerMethods.set(
    'MarshalJSON',
    fn('func(*main.Self) ([]byte, error)', () => bytes('"here"'), { 'main.Self': SELF }),
  );
  const raw = (text: string): Typed => new Typed(RAW, text);

  test.each<[string, Value, string]>([
    ['text', new Typed(TEXT, 1n), '"\\u003c1\\u003e"'],
    ['a failure', new Typed(TEXT, 0n), 'json: error calling MarshalText for type main.Text: no "0"'],
    ['keys', new GoMap(mapOf(TEXT, INT), new Map([[2n, 1n], [10n, 2n]])), '{"\\u003c10\\u003e":2,"\\u003c2\\u003e":1}'], // oxfmt-ignore
    [
      'a key that fails',
      new GoMap(mapOf(TEXT, INT), new Map([[0n, 1n]])),
      'json: encoding error for type "map[main.Text]int": "no \\"0\\""',
    ],
    ['JSON', raw(' {"a" : [ 1e999 , "<x y>\u2028" ] }\n'), '{"a":[1e999,"\\u003cx y\\u003e\\u2028"]}'],
    [
      'no JSON',
      raw('[1,]'),
      "json: error calling MarshalJSON for type main.Raw: invalid character ']' looking for beginning of value",
    ],
    ['a pointer with the method', new Pointer(pointerTo(SELF), new Struct(SELF, [1n])), '"here"'],
    ['a nil pointer with the method', new Pointer(pointerTo(SELF), undefined), 'null'],
    ['a value whose pointer has the method', new Struct(SELF, [1n]), '{"X":1}'],
  ])('%s', (_, value, text) => {
    expect(json(value)).toBe(text);
  });

  test('without HTML escapes, only spaces are removed from their JSON', () => {
    expect(json(raw(' "<\u2028"'), { escapeHTML: false })).toBe('"<\u2028"');
  });
});
