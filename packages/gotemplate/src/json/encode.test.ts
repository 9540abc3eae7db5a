import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { duration } from '../time/duration.ts';
import { Time } from '../time/time.ts';
import { fn } from '../value/func.ts';
import { fromJS } from '../value/from-js.ts';
import {
  ANY,
  ANY_MAP,
  ANY_SLICE,
  BYTES,
  COMPLEX64,
  FLOAT64,
  INT,
  STRING,
  UINT64,
  UINT8,
  arrayOf,
  funcOf,
  mapOf,
  namedType,
  pointerTo,
  sliceOf,
  structType,
} from '../value/type.ts';
import { type Value, Complex, GoMap, Pointer, Slice, Struct, Typed, dict, list } from '../value/value.ts';
import { contextOf } from '../testing/context.ts';
import { json } from '../testing/json.ts';
import { bytes, f32 } from '../testing/values.ts';
import { encode } from './encode.ts';

describe('scalars, as Go writes them', () => {
  test.each<[Value, string]>([
    [undefined, 'null'],
    [null, 'null'],
    [true, 'true'],
    [9007199254740993n, '9007199254740993'],
    [new Typed(UINT64, 2n ** 64n - 1n), '18446744073709551615'],
    [duration(1500n), '1500'],
    [-0, '-0'],
    [1e20, '100000000000000000000'],
    [1e21, '1e+21'],
    [0.000001, '0.000001'],
    [1e-7, '1e-7'],
    [1.5e-10, '1.5e-10'],
    [f32(0.1), '0.1'],
    [f32(1e20), '100000000000000000000'],
    [f32(1e21), '1e+21'],
    [f32(0.000001), '0.000001'],
    [f32(1e-7), '1e-7'],
    [f32(1e-10), '1e-10'],
    [NaN, 'json: unsupported value: NaN'],
    [f32(-Infinity), 'json: unsupported value: -Inf'],
    [new Complex(1, 2, COMPLEX64), 'json: unsupported type: complex64'],
    [fn('func(int) string', () => ''), 'json: unsupported type: func(int) string'],
    [new Typed(namedType('main.word', 'string'), '<'), '"\\u003c"'],
    [Time.unix(1_714_979_289, 123_000_000), '"2024-05-06T07:08:09.123Z"'],
    [
      Time.unix(327_403_382_400),
      'json: error calling MarshalJSON for type time.Time: Time.MarshalJSON: year outside of range [0,9999]',
    ],
  ])('%o', (value, text) => {
    expect(json(value)).toBe(text);
  });
});

describe('strings, as Go writes them', () => {
  test.each([
    ['', '""', '""'],
    ['é世😀/\x7f', '"é世😀/\x7f"', '"é世😀/\x7f"'],
    ['"\\', '"\\"\\\\"', '"\\"\\\\"'],
    ['\b\f\n\r\t\0\x1f', '"\\b\\f\\n\\r\\t\\u0000\\u001f"', '"\\b\\f\\n\\r\\t\\u0000\\u001f"'],
    ['<a>&', '"\\u003ca\\u003e\\u0026"', '"<a>&"'],
    ['\u2028😀\u2029', '"\\u2028😀\\u2029"', '"\\u2028😀\\u2029"'],
    ['\udcff\\udcff\ufffd', '"\\ufffd\\\\udcff\ufffd"', '"\\ufffd\\\\udcff\ufffd"'],
  ])('%j', (text, inHTML, raw) => {
    expect(json(text)).toBe(inHTML);
    expect(json(text, { escapeHTML: false })).toBe(raw);
  });
});

const POINT = structType('main.Point', [{ name: 'X', type: INT }]);
const point = new Pointer(pointerTo(POINT), new Struct(POINT, [1n]));
const nil = new Pointer(pointerTo(POINT), undefined);
const NOTHING = funcOf({ params: [], variadic: false, results: [] });

describe('containers, as Go writes them', () => {
  test.each<[string, Value, string]>([
    ['a list', list([1n, 'a', null, list([]), dict()]), '[1,"a",null,[],{}]'],
    ['a nil list', new Slice(ANY_SLICE, [], true), 'null'],
    ['a nil map', new GoMap(ANY_MAP, new Map(), true), 'null'],
    ['an array', new Slice(arrayOf(2, UINT8), [new Typed(UINT8, 1n), new Typed(UINT8, 2n)]), '[1,2]'],
    ['bytes', bytes('hey<'), '"aGV5PA=="'],
    ['nil bytes', new Slice(BYTES, [], true), 'null'],
    ['pointers', new Slice(sliceOf(point.type), [point, nil]), '[{"X":1},null]'],
    ['a pointer to a list', new Pointer(pointerTo(ANY_SLICE), list([1n])), '[1]'],
    ['a pointer to nil', new Pointer(pointerTo(ANY), null), 'null'],
    [
      'a map, sorted by bytes',
      dict(['b', '\u{10000}', 'a', '\uffff', ...'nmlkjihgfedc'].map((key) => [key, 1n])),
      `{${[...'abcdefghijklmn', '\uffff', '\u{10000}'].map((key) => `"${key}":1`).join()}}`,
    ],
    [
      'a small map',
      dict(['<b>', 'a', 'c', ''].map((key) => [key, null])),
      '{"":null,"\\u003cb\\u003e":null,"a":null,"c":null}',
    ],
    [
      'integers as keys',
      new GoMap(mapOf(INT, STRING), new Map([[10n, 'x'], [9n, 'y'], [-1n, 'z']])), // oxfmt-ignore
      '{"-1":"z","10":"x","9":"y"}',
    ],
    ['floats as keys', new GoMap(mapOf(FLOAT64, INT)), 'json: unsupported type: map[float64]int'],
    [
      'a nil map of any type',
      new GoMap(mapOf(ANY, ANY), new Map(), true),
      'json: unsupported type: map[interface {}]interface {}',
    ],
    ['a nil function', new Slice(sliceOf(NOTHING), [null]), 'json: unsupported type: func()'],
    ['no function', new Slice(sliceOf(NOTHING), []), '[]'],
    ['an unsupported value inside', dict([['a', list([NaN])]]), 'json: unsupported value: NaN'],
  ])('%s', (_, value, text) => {
    expect(json(value)).toBe(text);
  });

  test('indented', () => {
    const value = list([dict([['b', list([])], ['a', dict([['<', 1.5]])]]), dict(), 'x']); // oxfmt-ignore
    expect(json(value, { indent: '  ' })).toBe(
      '[\n  {\n    "a": {\n      "\\u003c": 1.5\n    },\n    "b": []\n  },\n  {},\n  "x"\n]',
    );
    expect(json(point, { indent: '\t' })).toBe('{\n\t"X": 1\n}');
  });
});

describe('depth', () => {
  function nested(depth: number): Value {
    let value: Value = list([]);
    for (let i = 1; i < depth; i++) value = i % 2 === 0 ? list([value]) : dict([['a', value]]);
    return value;
  }

  test('has no limit', () => {
    expect(json(nested(100_001))).toHaveLength(2 * 100_001 + 4 * 50_000);
  });

  test('has the limit of Go if indented', () => {
    expect(json(nested(10_000), { indent: '' })).toContain('[]');
    expect(json(nested(10_001), { indent: '' })).toBe("invalid character '[' exceeded max depth");
  });

  test.each([
    ['a map in itself', [], 'map[string]interface {}'],
    ['a map in a list in itself', ['list'], 'map[string]interface {}'],
    ['the same through a pointer', ['list', 'pointer'], '[]interface {}'],
  ])('cycles are found, as Go finds them: %s', (_, way, type) => {
    const map = dict();
    map.entries.set('a', way.includes('list') ? list([1n, map]) : map);
    const value = way.includes('pointer') ? new Pointer(pointerTo(ANY), map) : map;
    expect(json(value)).toBe(`json: unsupported value: encountered a cycle via ${type}`);
  });
});

test('doubling at each level soon costs too much', () => {
  let value: Value = 'x';
  for (let i = 0; i < 60; i++) value = list([value, value]);
  expect(() => encode(contextOf({ steps: 100_000 }), value)).toThrow('exceeded the step limit');
  expect(() => encode(contextOf({ memory: 100_000 }), value)).toThrow('exceeded the memory limit');
});

test('plain data gives the same as JSON.stringify with sorted keys', () => {
  const sorted = (data: unknown): unknown => {
    if (Array.isArray(data)) return data.map(sorted);
    if (typeof data !== 'object' || data === null) return data;
    const entries = Object.entries(data).map(([key, value]) => [`k${key}`, sorted(value)] as const);
    return Object.fromEntries(entries.sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
  };
  const letter = fc.constantFrom('a', 'é', '"', '\\', '\n', '\u{1f600}', '\uffff', '\u007f', '');
  const string = fc.string({ unit: letter, maxLength: 5 });
  const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0);
  const data = fc.letrec((again) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      ...[string, number, fc.boolean(), fc.constant(null)],
      fc.array(again('any'), { maxLength: 4 }),
      fc.dictionary(string, again('any'), { maxKeys: 15 }),
    ),
  })).any;
  fc.assert(
    fc.property(data.map(sorted), (plain) => {
      expect(json(fromJS(plain))).toBe(JSON.stringify(plain));
      expect(json(fromJS(plain), { indent: ' ' })).toBe(JSON.stringify(plain, undefined, ' '));
    }),
    { seed: 1, numRuns: 300 },
  );
});
