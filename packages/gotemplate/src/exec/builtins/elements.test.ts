import { describe, expect, test } from 'vitest';
import { parse } from '../../template.ts';
import {
  ANY,
  FLOAT64,
  INT,
  INT64,
  STRING,
  UINT64,
  UINT8,
  arrayOf,
  mapOf,
  namedType,
  pointerTo,
} from '../../value/type.ts';
import { type Key, type Value, GoMap, Pointer, Slice, Typed, dict, list, zero } from '../../value/value.ts';

const WORD = namedType('main.word', 'string');
const array = new Slice(arrayOf(3, INT), [1n, 2n, 3n]);
const letters = list(['a', 'b', 'c']);

const map = (key: Parameters<typeof mapOf>[0], ...entries: [Key, Value][]): GoMap =>
  new GoMap(mapOf(key, INT), new Map(entries));

const values: Record<string, Value> = {
  array,
  letters,
  arrayPointer: new Pointer(pointerTo(array.type), array),
  nilPointer: new Pointer(pointerTo(INT), undefined),
  bytes: map(UINT8, [1n, 2n]),
  words: map(WORD, ['a', 1n]),
  anys: map(ANY, ['a', 1n]),
  floats: map(FLOAT64, [NaN, 1n], [1, 2n]),
  word: new Typed(WORD, 'a'),
  big: new Typed(INT64, 257n),
  max: new Typed(UINT64, 2n ** 64n - 1n),
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

describe('index and slice, as in Go', () => {
  test.each([
    ['index .bytes .big', '2 int'],
    ['index .words .word', '1 int'],
    ['index .anys "a"', '1 int'],
    ['index .anys .word', '0 int'],
    ['index .floats .nan', '0 int'],
    ['index .letters .max', 'index out of range: -1'],
    ['index .array 3', 'reflect: array index out of range'],
    ['index .anys .letters', 'runtime error: hash of unhashable type []interface {}'],
    ['slice .arrayPointer 1', '[2 3] []int'],
    ['slice .array', 'reflect.Value.Slice: slice of unaddressable array'],
    ['slice .array 0 1 1', 'reflect.Value.Slice3: slice of unaddressable array'],
    ['slice .nilPointer', 'slice of nil pointer'],
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
