import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Time, TIME } from '../time/time.ts';
import { fromJS } from './from-js.ts';
import { fromTrusted } from './from-js/trusted.ts';
import { fn } from './func.ts';
import * as T from './type.ts';
import { Complex, GoMap, Pointer, Slice, Struct, Typed, type Value, dict, list, typeOf } from './value.ts';

const INNER = T.structType('x.Inner', [
  { name: 'Name', type: T.STRING },
  { name: 'N', type: T.INT32 },
]);
const OUTER = T.structType('x.Outer', [
  { name: 'Inner', type: INNER },
  { name: 'List', type: T.sliceOf(INNER) },
  { name: 'Pointer', type: T.pointerTo(INNER) },
  { name: 'Labels', type: T.STRING_MAP },
  { name: 'At', type: TIME },
  { name: 'Any', type: T.ANY },
  { name: 'Flag', type: T.BOOL },
]);

describe('without a type', () => {
  test.each<[unknown, Value]>([
    [null, null],
    [undefined, null],
    ['text', 'text'],
    ['a\ud800b', 'a\ufffdb'],
    [1.5, 1.5],
    [2n, 2n],
    [true, true],
    [[1, [null, undefined]], list([1, list([null, null])])],
    [[, 1], list([null, 1])],
    [
      { a: { b: 1 }, c: undefined },
      dict([
        ['a', dict([['b', 1]])],
        ['c', null],
      ]),
    ],
    [new Map([[1n, 'a']]), new GoMap(T.mapOf(T.INT, T.ANY), new Map([[1n, 'a']]))],
    [
      new Map<unknown, string>([
        [1n, 'a'],
        ['b', 'c'],
      ]),
      new GoMap(
        T.mapOf(T.ANY, T.ANY),
        new Map<string | bigint, Value>([
          [1n, 'a'],
          ['b', 'c'],
        ]),
      ),
    ],
    [new Map(), new GoMap(T.ANY_MAP)],
    [new Uint8Array([1, 255]), new Slice(T.BYTES, [new Typed(T.UINT8, 1n), new Typed(T.UINT8, 255n)])],
  ])('%o', (data, value) => {
    expect(fromJS(data)).toEqual(value);
  });

  test('types are those of Go', () => {
    expect(typeOf(fromJS({}))).toBe(T.ANY_MAP);
    expect(typeOf(fromJS([]))).toBe(T.ANY_SLICE);
    expect(typeOf(fromJS(1))).toBe(T.FLOAT64);
    expect(typeOf(fromJS(new Map()))).toBe(T.ANY_MAP);
  });

  test('a Date is a time in UTC, to the millisecond', () => {
    expect(fromJS(new Date('2024-03-05T06:07:08.009Z'))).toEqual(
      Time.parseRFC3339('2024-03-05T06:07:08.009Z'),
    );
  });

  test('Go values stay as they are', () => {
    const inner = new Struct(INNER, ['a', new Typed(T.INT32, 1n)]);
    for (const value of [
      inner,
      new Typed(T.INT8, 1n),
      new Complex(1, 2),
      list([]),
      dict(),
      new Pointer(T.pointerTo(INNER), inner),
      fn('func() int', () => 1n),
      Time.unix(0),
    ]) {
      expect(fromJS(value)).toBe(value);
      expect((fromJS({ value }) as GoMap).entries.get('value')).toBe(value);
    }
  });

  test('only own enumerable data properties are read', () => {
    class Base {
      inherited = 1;
      get computed(): number {
        throw new Error('ran');
      }
    }
    const data = Object.create(new Base(), {
      own: { value: 1, enumerable: true },
      hidden: { value: 2, enumerable: false },
      got: {
        get: () => {
          throw new Error('ran');
        },
        enumerable: true,
      },
    }) as object;
    expect(fromJS(data)).toEqual(dict([['own', 1]]));
    expect(fromJS(new Base())).toEqual(dict([['inherited', 1]]));
    const array = [1, 2];
    Object.defineProperty(array, 0, {
      get: () => {
        throw new Error('ran');
      },
      enumerable: true,
    });
    expect(fromJS(array)).toEqual(list([null, 2]));
    expect(fromJS(Object.assign(Object.create(null), { a: 1 }))).toEqual(dict([['a', 1]]));
    expect(fromJS({ [Symbol('s')]: 1 })).toEqual(dict());
    expect(fromJS(JSON.parse('{"__proto__": 1}'))).toEqual(dict([['__proto__', 1]]));
  });

  const cyclic: Record<string, unknown> = { list: [{}] };
  (cyclic.list as Record<string, unknown>[])[0]!['a b'] = cyclic;
  let deep: unknown = 1;
  for (let i = 0; i < 2000; i++) deep = [deep];
  let wide: unknown = 'x';
  for (let i = 0; i < 40; i++) wide = [wide, wide];

  test.each<[string, unknown, string]>([
    ['a function', { a: [() => 1] }, 'data.a[0] is a function, which cannot be converted'],
    ['a symbol', Symbol('s'), 'data is a symbol, which cannot be converted'],
    ['a Set', { a: new Set([1]) }, 'data.a is a Set, which cannot be converted'],
    ['a Promise', Promise.resolve(1), 'data is a Promise, which cannot be converted'],
    ['an Error', [new RangeError('x')], 'data[0] is an Error, which cannot be converted'],
    ['a RegExp', /x/, 'data is a RegExp, which cannot be converted'],
    ['a URL', new URL('http://x'), 'data is a URL, which cannot be converted'],
    ['a boxed number', Object(3), 'data is a Number, which cannot be converted'],
    ['a boxed string', Object('x'), 'data is a String, which cannot be converted'],
    ['a WeakMap', new WeakMap(), 'data is a WeakMap, which cannot be converted'],
    ['floats', new Float64Array(2), 'data is a typed array, which cannot be converted'],
    ['a buffer', new ArrayBuffer(2), 'data is an ArrayBuffer, which cannot be converted'],
    ['a cycle', cyclic, 'data.list[0]["a b"] contains itself'],
    ['deep data', deep, `data…${'[0]'.repeat(20)} is deeper than 1000 levels`],
    ['data that is too large', wide, 'is too large: more than 1000000 elements in all'],
    ['an invalid Date', { at: new Date(NaN) }, 'data.at is an invalid Date'],
    [
      'a key that is an object',
      { m: new Map([[{}, 1]]) },
      'data.m["[object Object]"] has a key of type object',
    ],
    ['a large bigint', [1n << 63n], 'data[0] is 9223372036854775808, which is out of range of int'],
  ])('%s is refused', (_, data, message) => {
    expect(() => fromJS(data)).toThrow(TypeError);
    expect(() => fromJS(data)).toThrow(message);
  });

  test('an invalid type is refused', () => {
    expect(() => fromJS(1, 'string' as never)).toThrow(
      new TypeError("fromJS: the type is a string; wanted a Type, such as STRING or parseType('[]string')"),
    );
  });

  test('the same object can occur many times', () => {
    const same = { a: 1 };
    expect(fromJS([same, same])).toEqual(list([dict([['a', 1]]), dict([['a', 1]])]));
  });

  test('all JSON data can be converted', () => {
    const back = (value: Value): unknown => {
      if (value instanceof Slice) return value.items.map(back);
      if (value instanceof GoMap)
        return Object.fromEntries([...value.entries].map(([key, element]) => [key, back(element)]));
      return value;
    };
    fc.assert(
      fc.property(fc.json(), (json) => {
        const data: unknown = JSON.parse(json);
        expect(back(fromJS(data))).toEqual(data);
      }),
      { seed: 1 },
    );
  });
});

describe('with a type', () => {
  const convert = (data: unknown, type: T.Type) => fromJS(data, type);

  test('absent fields are zero', () => {
    const outer = convert({ Any: undefined }, OUTER) as Struct;
    expect(outer.fields).toEqual([
      new Struct(INNER, ['', new Typed(T.INT32, 0n)]),
      new Slice(T.sliceOf(INNER), [], true),
      new Pointer(T.pointerTo(INNER), undefined),
      new GoMap(T.STRING_MAP, new Map(), true),
      Time.ofDay(-719162, 0),
      null,
      false,
    ]);
  });

  test('present fields have their declared types', () => {
    const outer = convert(
      {
        Inner: { Name: 'a', N: 1 },
        List: [{ Name: 'b' }],
        Pointer: { N: 2n },
        Labels: { k: 'v' },
        At: new Date(0),
        Any: [1],
        Flag: true,
        other: 'is not read',
      },
      OUTER,
    ) as Struct;
    expect(outer.fields).toEqual([
      new Struct(INNER, ['a', new Typed(T.INT32, 1n)]),
      new Slice(T.sliceOf(INNER), [new Struct(INNER, ['b', new Typed(T.INT32, 0n)])]),
      new Pointer(T.pointerTo(INNER), new Struct(INNER, ['', new Typed(T.INT32, 2n)])),
      new GoMap(T.STRING_MAP, new Map([['k', 'v']])),
      Time.unix(0),
      list([1]),
      true,
    ]);
  });

  test.each<[unknown, T.Type, Value]>([
    [null, T.pointerTo(INNER), new Pointer(T.pointerTo(INNER), undefined)],
    [null, T.STRING_SLICE, new Slice(T.STRING_SLICE, [], true)],
    [null, T.STRING_MAP, new GoMap(T.STRING_MAP, new Map(), true)],
    [null, T.ANY, null],
    [1, T.FLOAT64, 1],
    [1n, T.FLOAT64, 1],
    [0.1, T.FLOAT32, new Typed(T.FLOAT32, Math.fround(0.1))],
    [-128, T.INT8, new Typed(T.INT8, -128n)],
    [2n ** 64n - 1n, T.UINT64, new Typed(T.UINT64, 2n ** 64n - 1n)],
    ['Mon', T.namedType('x.Day', 'string'), expect.objectContaining({ value: 'Mon' }) as Value],
    [['a', 'b'], T.arrayOf(2, T.STRING), new Slice(T.arrayOf(2, T.STRING), ['a', 'b'])],
    [
      new Map([[1, 'a']]),
      T.mapOf(T.INT8, T.STRING),
      new GoMap(T.mapOf(T.INT8, T.STRING), new Map([[1n, 'a']])),
    ],
    [new Uint8Array([7]), T.BYTES, new Slice(T.BYTES, [new Typed(T.UINT8, 7n)])],
    [Time.unix(5), TIME, Time.unix(5)],
    [new Complex(1, 2), T.COMPLEX128, new Complex(1, 2)],
  ])('%o as %s', (data, type, value) => {
    expect(convert(data, type)).toEqual(value);
  });

  test.each<[unknown, T.Type, string]>([
    [{ List: [{ Name: 'a' }, { Name: 1 }] }, OUTER, 'data.List[1].Name is a number; wanted string'],
    [{ Inner: { N: 1.5 } }, OUTER, 'data.Inner.N is 1.5, which is not a whole number; wanted int32'],
    [{ Inner: { N: 2 ** 31 } }, OUTER, 'data.Inner.N is 2147483648, which is out of range of int32'],
    [{ Inner: { N: NaN } }, OUTER, 'data.Inner.N is NaN, which is not a whole number; wanted int32'],
    [{ Inner: null }, OUTER, 'data.Inner is null; wanted x.Inner'],
    [{ Inner: [] }, OUTER, 'data.Inner is an array; wanted x.Inner'],
    [{ Inner: new Set() }, OUTER, 'data.Inner is a Set; wanted x.Inner'],
    [{ Labels: /x/ }, OUTER, 'data.Labels is a RegExp; wanted map[string]string'],
    [{ Inner: new Map() }, OUTER, 'data.Inner is a Map; wanted x.Inner'],
    [{ Labels: { k: 1 } }, OUTER, 'data.Labels.k is a number; wanted string'],
    [{ Labels: { 'a-b': null } }, OUTER, 'data.Labels["a-b"] is null; wanted string'],
    [{ Labels: [] }, OUTER, 'data.Labels is an array; wanted map[string]string'],
    [{ At: '2024' }, OUTER, 'data.At is a string; wanted time.Time'],
    [{ At: {} }, OUTER, 'data.At is an object; wanted time.Time'],
    [{ Flag: 1 }, OUTER, 'data.Flag is a number; wanted bool'],
    [{ Flag: null }, OUTER, 'data.Flag is null; wanted bool'],
    [{ Pointer: 1 }, OUTER, 'data.Pointer is a number; wanted x.Inner'],
    [{ Any: () => 1 }, OUTER, 'data.Any is a function, which cannot be converted'],
    [{ List: {} }, OUTER, 'data.List is an object; wanted []x.Inner'],
    [new Struct(INNER, ['', 0n]), OUTER, 'data is a value of type x.Inner; wanted x.Outer'],
    [new Date(), T.STRING, 'data is a Date; wanted string'],
    [-1, T.UINT, 'data is -1, which is out of range of uint'],
    [256n, T.UINT8, 'data is 256, which is out of range of uint8'],
    [['a'], T.arrayOf(2, T.STRING), 'data has 1 elements; wanted [2]string'],
    [{ a: 1 }, T.mapOf(T.INT, T.INT), 'data.a is a string; wanted int'],
    [fn('func() int', () => 1n), T.STRING, 'data is a value of type func() int; wanted string'],
  ])('%o as %s is refused', (data, type, message) => {
    expect(() => convert(data, type)).toThrow(new TypeError(message));
  });

  test('fields that are hidden are absent', () => {
    const data = Object.defineProperty({ N: 1 }, 'Name', { value: 'hidden', enumerable: false });
    expect(convert(data, INNER)).toEqual(new Struct(INNER, ['', new Typed(T.INT32, 1n)]));
  });

  test('inherited fields are absent, and getters do not run', () => {
    const data = Object.create(
      { Name: 'inherited' },
      {
        N: {
          get: () => {
            throw new Error('ran');
          },
          enumerable: true,
        },
      },
    ) as object;
    expect(convert(data, INNER)).toEqual(new Struct(INNER, ['', new Typed(T.INT32, 0n)]));
  });

  test('a struct can contain its own type, but not itself', () => {
    const fields: T.Field[] = [{ name: 'Name', type: T.STRING }];
    const node = T.structType('x.Node', fields);
    fields.push({ name: 'Next', type: T.pointerTo(node) });
    const recursive = T.structType('x.Node', fields);
    const data: { Name: string; Next?: unknown } = { Name: 'a' };
    expect(typeOf(convert({ ...data, Next: data }, recursive))).toBe(recursive);
    data.Next = data;
    expect(() => convert(data, recursive)).toThrow('data.Next contains itself');
  });

  test('integers must be in the range of the type', () => {
    const sizes = [T.INT8, T.INT16, T.INT32, T.INT64, T.UINT8, T.UINT16, T.UINT32, T.UINT64];
    fc.assert(
      fc.property(fc.constantFrom(...sizes), fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n }), (type, n) => {
        const bits = BigInt(type.name.replace(/\D/g, ''));
        const [least, most] = type.name.startsWith('u')
          ? [0n, 2n ** bits - 1n]
          : [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n];
        if (n >= least && n <= most) expect(convert(n, type)).toEqual(new Typed(type, n));
        else expect(() => convert(n, type)).toThrow('out of range');
      }),
      { seed: 2 },
    );
  });
});

describe('data of the program itself', () => {
  const text = fc.string({ unit: 'binary' });
  const inner = fc.record({ Name: text, N: fc.integer({ min: -1000, max: 1000 }) });
  const outer = fc.record(
    {
      Inner: inner,
      List: fc.option(fc.array(inner)),
      Pointer: fc.option(inner),
      Labels: fc.option(fc.dictionary(text, text)),
      At: fc.date({ noInvalidDate: true }),
      Any: fc.jsonValue(),
      Flag: fc.boolean(),
    },
    { requiredKeys: [] },
  );

  test('is converted as other data is', () => {
    fc.assert(
      fc.property(outer, (data) => {
        expect(fromTrusted(data, OUTER)).toEqual(fromJS(data, OUTER));
      }),
      { seed: 20261124, numRuns: 200 },
    );
  });

  test('that does not fit is an error with the name of the field', () => {
    expect(() => fromTrusted({ Inner: { Name: 7 } }, OUTER)).toThrow('data.Name is a number; wanted string');
  });
});
