import { describe, expect, test } from 'vitest';
import { parse } from '../../template.ts';
import {
  ANY,
  ANY_MAP,
  ANY_SLICE,
  FLOAT64,
  INT,
  INT64,
  INT8,
  STRING,
  UINT64,
  UINT8,
  arrayOf,
  mapOf,
  namedType,
  pointerTo,
  sliceOf,
} from '../../value/type.ts';
import { type Key, type Value, GoMap, Pointer, Slice, Typed, dict, list, zero } from '../../value/value.ts';

const WORD = namedType('main.word', 'string');
const numbers = new Slice(sliceOf(INT), [1n, 2n, 3n]);
const array = new Slice(arrayOf(3, INT), [1n, 2n, 3n]);
const letters = list(['a', 'b', 'c']);

const map = (key: Parameters<typeof mapOf>[0], ...entries: [Key, Value][]): GoMap =>
  new GoMap(mapOf(key, INT), new Map(entries));

const values: Record<string, Value> = {
  nil: null,
  numbers,
  array,
  letters,
  pointer: new Pointer(pointerTo(letters.type), letters),
  arrayPointer: new Pointer(pointerTo(array.type), array),
  nilPointer: new Pointer(pointerTo(INT), undefined),
  nilList: new Slice(ANY_SLICE, [], true),
  nilMap: new GoMap(ANY_MAP, new Map(), true),
  map: dict([
    ['k', list([1n, dict([['x', 'deep']])])],
    ['n', null],
  ]),
  ints: map(INT, [10n, 1n]),
  bytes: map(UINT8, [1n, 2n]),
  words: map(WORD, ['a', 1n]),
  anys: map(ANY, ['a', 1n]),
  floats: map(FLOAT64, [NaN, 1n], [1, 2n]),
  strings: new GoMap(mapOf(STRING, STRING), new Map([['a', 'b']])),
  word: new Typed(WORD, 'a'),
  i8: new Typed(INT8, -5n),
  i64: new Typed(INT64, 1n),
  big: new Typed(INT64, 257n),
  max: new Typed(UINT64, 2n ** 64n - 1n),
  text: '日本',
  nan: NaN,
};

/** The result of the call and its type, or its error text after the function's name. */
function evaluate(call: string): string {
  try {
    return parse('t', `{{$x := ${call}}}{{printf "%v %T" $x $x}}`).execute(dict(Object.entries(values)));
  } catch (error) {
    return String(error).replace(/^.*error calling \w+: /, '');
  }
}

describe('index, as in Go', () => {
  test.each([
    ['index .letters', '[a b c] []interface {}'],
    ['index .letters 1', 'b string'],
    ['index .letters .i64', 'b string'],
    ['index .numbers 2', '3 int'],
    ['index .array 0', '1 int'],
    ['index .pointer 2', 'c string'],
    ['index .text 1', '151 uint8'],
    ['index "abc" 1', '98 uint8'],
    ['index .word 0', '97 uint8'],
    ['index .map "k" 1 "x"', 'deep string'],
    ['index .map "none"', '<nil> <nil>'],
    ['index .nilMap "none"', '<nil> <nil>'],
    ['index .strings "none"', ' string'],
    ['index .ints 10', '1 int'],
    ['index .ints 11', '0 int'],
    ['index .bytes .big', '2 int'],
    ['index .words .word', '1 int'],
    ['index .anys "a"', '1 int'],
    ['index .anys .word', '0 int'],
    ['index .anys nil', '0 int'],
    ['index .floats 1.0', '2 int'],
    ['index .floats .nan', '0 int'],
    ['index .letters 3', 'reflect: slice index out of range'],
    ['index .letters 4', 'index out of range: 4'],
    ['index .letters .i8', 'index out of range: -5'],
    ['index .letters .max', 'index out of range: -1'],
    ['index .array 3', 'reflect: array index out of range'],
    ['index .text 6', 'reflect: string index out of range'],
    ['index .letters "0"', 'cannot index slice/array with type string'],
    ['index .letters 1.0', 'cannot index slice/array with type float64'],
    ['index .letters nil', 'cannot index slice/array with nil'],
    ['index .letters .nil', 'cannot index slice/array with nil'],
    ['index .map 1', 'value has type int; should be string'],
    ['index .map nil', 'value is nil; should be of type string'],
    ['index .words "a"', 'value has type string; should be main.word'],
    ['index .ints 1.0', 'value has type float64; should be int'],
    ['index .anys .letters', 'runtime error: hash of unhashable type []interface {}'],
    ['index .map "n" "x"', 'index of nil pointer'],
    ['index .nilPointer 1', 'index of nil pointer'],
    ['index nil 1', 'index of untyped nil'],
    ['index .nil', 'index of untyped nil'],
    ['index 1 2', "can't index item of type int"],
  ])('%s is %s', (call, result) => {
    expect(evaluate(call)).toBe(result);
  });
});

describe('slice, as in Go', () => {
  test.each([
    ['slice .letters', '[a b c] []interface {}'],
    ['slice .letters 1', '[b c] []interface {}'],
    ['slice .letters 1 2', '[b] []interface {}'],
    ['slice .numbers 0 2 3', '[1 2] []int'],
    ['slice .arrayPointer 1', '[2 3] []int'],
    ['slice .text 0 3', '日 string'],
    ['slice .word', 'a main.word'],
    ['slice (slice .letters 0 1) 0 3', '[a b c] []interface {}'],
    ['slice (slice .letters 1 2) 1 2', '[c] []interface {}'],
    ['slice (slice .letters 0 1 2) 0 2', '[a b] []interface {}'],
    ['slice (slice .letters 0 1 2) 0 3', 'index out of range: 3'],
    ['slice (slice .letters 1) 0 3', 'index out of range: 3'],
    ['eq (slice .nilList 0 0) nil', 'true bool'],
    ['slice .letters 4', 'index out of range: 4'],
    ['slice .letters -1', 'index out of range: -1'],
    ['slice .letters 2 1', 'invalid slice index: 2 > 1'],
    ['slice .letters 0 2 1', 'invalid slice index: 2 > 1'],
    ['slice .text 0 7', 'index out of range: 7'],
    ['slice .text 0 1 1', 'cannot 3-index slice a string'],
    ['slice .letters 0 1 2 3', 'too many slice indexes: 4'],
    ['slice .letters nil', 'cannot index slice/array with nil'],
    ['slice .letters "0"', 'cannot index slice/array with type string'],
    ['slice .letters .nil', 'cannot index slice/array with type interface {}'],
    ['slice .array', 'reflect.Value.Slice: slice of unaddressable array'],
    ['slice .array 0 1 1', 'reflect.Value.Slice3: slice of unaddressable array'],
    ['slice .map', "can't slice item of type map[string]interface {}"],
    ['slice .nilPointer', 'slice of nil pointer'],
    ['slice nil', 'slice of untyped nil'],
  ])('%s is %s', (call, result) => {
    expect(evaluate(call)).toBe(result);
  });
});

describe('len, as in Go', () => {
  test.each([
    ['len .text', '6 int'],
    ['len .word', '1 int'],
    ['len .letters', '3 int'],
    ['len .array', '3 int'],
    ['len .arrayPointer', '3 int'],
    ['len .map', '2 int'],
    ['len .nilMap', '0 int'],
    ['len 1', 'len of type int'],
    ['len .nil', 'len of nil pointer'],
    ['len .nilPointer', 'len of nil pointer'],
    ['len .none', 'reflect: call of reflect.Value.Type on zero Value'],
    ['len nil', 'reflect: call of reflect.Value.Type on zero Value'],
  ])('%s is %s', (call, result) => {
    expect(evaluate(call)).toBe(result);
  });
});

test('a slice pays for its elements', () => {
  const long = list(new Array<Value>(1 << 16).fill(zero(STRING)));
  const template = parse('t', '{{range .n}}{{$x := slice $.long 1}}{{end}}');
  const data = dict([
    ['long', long],
    ['n', 100n],
  ]);
  expect(() => template.execute(data, { limits: { memory: 1 << 22 } })).toThrow('exceeded the memory limit');
});
