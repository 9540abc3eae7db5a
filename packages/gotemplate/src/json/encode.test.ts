import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Time } from '../time/time.ts';
import { fromJS } from '../value/from-js.ts';
import { ANY, FLOAT64, INT, STRING, funcOf, mapOf, pointerTo, sliceOf, structType } from '../value/type.ts';
import { type Value, GoMap, Pointer, Slice, Struct, dict, list } from '../value/value.ts';
import { contextOf } from '../testing/context.ts';
import { json } from '../testing/json.ts';
import { bytes, f32 } from '../testing/values.ts';
import { encode } from './encode.ts';

describe('scalars, as Go writes them', () => {
  test.each<[Value, string]>([
    [undefined, 'null'],
    [f32(0.1), '0.1'],
    [f32(1e20), '100000000000000000000'],
    [f32(1e21), '1e+21'],
    [f32(0.000001), '0.000001'],
    [f32(1e-7), '1e-7'],
    [f32(1e-10), '1e-10'],
    [
      Time.unix(327_403_382_400),
      'json: error calling MarshalJSON for type time.Time: Time.MarshalJSON: year outside of range [0,9999]',
    ],
  ])('%o', (value, text) => {
    expect(json(value)).toBe(text);
  });
});

test('bytes that are not UTF-8 are written as Go writes them, and text between them stays', () => {
  const text = '\udcff\\udcff\ufffd';
  expect(json(text)).toBe('"\\ufffd\\\\udcff\ufffd"');
  expect(json(text, { escapeHTML: false })).toBe('"\\ufffd\\\\udcff\ufffd"');
});

const POINT = structType('main.Point', [{ name: 'X', type: INT }]);
const point = new Pointer(pointerTo(POINT), new Struct(POINT, [1n]));
const NOTHING = funcOf({ params: [], variadic: false, results: [] });

describe('containers, as Go writes them', () => {
  test.each<[string, Value, string]>([
    ['bytes', bytes('hey<'), '"aGV5PA=="'],
    [
      'a map, sorted by bytes',
      dict(['b', '\u{10000}', 'a', '\uffff', ...'nmlkjihgfedc'].map((key) => [key, 1n])),
      `{${[...'abcdefghijklmn', '\uffff', '\u{10000}'].map((key) => `"${key}":1`).join()}}`,
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
