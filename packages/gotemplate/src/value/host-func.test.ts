import { describe, expect, test } from 'vitest';
import { TemplateError } from '../errors.ts';
import { sprig } from '../sprig/sprig.ts';
import { parse } from '../template.ts';
import { DURATION } from '../time/duration.ts';
import { TIME } from '../time/time.ts';
import { contextual, fn, parseType } from './host-func.ts';
import { mapOf, STRING, sliceOf, structType } from './type.ts';

function execute(signature: string, result: unknown, text = '{{ f }}'): string {
  return parse('t', text, { funcs: { ...sprig(), f: fn(signature, () => result) } }).execute();
}

test.each<[string, unknown, string, string]>([
  ['func() string', 'a', '{{ f }}', 'a'],
  ['func() bool', true, '{{ f }}', 'true'],
  ['func() int', 5n, '{{ printf "%T %v" f f }}', 'int 5'],
  ['func() int', 5, '{{ printf "%T %v" f f }}', 'int 5'],
  ['func() int64', 5, '{{ printf "%T %v" f f }}', 'int64 5'],
  ['func() float64', 1.5, '{{ printf "%T %v" f f }}', 'float64 1.5'],
  ['func() any', { a: [1, 'x'] }, '{{ f }} {{ (f).a }}', 'map[a:[1 x]] [1 x]'],
  ['func() any', [1, 2], '{{ f }}', '[1 2]'],
  ['func() any', 7n, '{{ printf "%T" f }}', 'int'],
  ['func() any', undefined, '{{ f }}', '<no value>'],
  ['func() []string', ['b', 'a'], '{{ f | sortAlpha | join "," }}', 'a,b'],
  ['func() map[string]int', { a: 1 }, '{{ printf "%T" (f).a }}', 'int'],
  ['func() (any, error)', { a: 1 }, '{{ (f).a }}', '1'],
  ['func() time.Time', new Date(0), '{{ (f).Year }}', '1970'],
  ['func() time.Duration', 1_500_000_000n, '{{ f }}', '1.5s'],
])('%s can return %o', (signature, result, text, output) => {
  expect(execute(signature, result, text)).toBe(output);
});

test.each<[string, unknown, string]>([
  [
    'func() int',
    5.5,
    'result is 5.5, which is not a whole number; wanted int; the host declared it as func() int',
  ],
  [
    'func() int',
    1n << 64n,
    'result is 18446744073709551616, which is out of range of int; the host declared it as func() int',
  ],
  ['func() bool', 'yes', 'result is a string; wanted bool; the host declared it as func() bool'],
  ['func() string', undefined, 'result is undefined; wanted string; the host declared it as func() string'],
  ['func() string', null, 'result is null; wanted string; the host declared it as func() string'],
  [
    'func() string',
    Promise.resolve('x'),
    'result is a Promise; wanted string; the host declared it as func() string',
  ],
  [
    'func() any',
    Promise.resolve('x'),
    'result is a Promise, which cannot be converted; the host declared it as func() interface {}',
  ],
  [
    'func() any',
    { a: () => 1 },
    'result.a is a function, which cannot be converted; the host declared it as func() interface {}',
  ],
  [
    'func() []string',
    ['a', 1],
    'result[1] is a number; wanted string; the host declared it as func() []string',
  ],
])('%s cannot return %o', (signature, result, message) => {
  const run = () => execute(signature, result);
  expect(run).toThrow(TemplateError);
  expect(run).toThrow(`template: t:1:3: executing "t" at <f>: error calling f: ${message}`);
});

describe('the result of a contextual function', () => {
  const f = contextual('func(string) []string', ({ zone }, name: string) => [zone, name]);

  test('is converted too', () => {
    expect(parse('t', '{{ f "x" }}', { funcs: { f } }).execute()).toBe('[UTC x]');
    expect(parse('t', '{{ "y" | f }}', { funcs: { f } }).execute()).toBe('[UTC y]');
  });
});

test.each<[string, () => unknown, string]>([
  [
    'a wrong function',
    () => fn('func() int', 5 as never),
    'fn "func() int": the implementation is a number; wanted a function',
  ],
  [
    'a wrong signature',
    () => fn((() => 1) as never, () => 1),
    "fn: the signature is a function; wanted a string, such as 'func(string) string'",
  ],
  [
    'a wrong contextual function',
    () => contextual('func() int', undefined as never),
    'contextual "func() int": the implementation is undefined; wanted a function',
  ],
  [
    'a wrong name',
    () => parseType(STRING as never),
    "parseType: the name is an object; wanted a string, such as '[]string'",
  ],
])('a declaration with %s is refused', (_, declare, message) => {
  expect(declare).toThrow(new TypeError(message));
});

test('knows the types of package time, and given types', () => {
  const order = structType('shop.Order', [{ name: 'At', type: TIME }]);
  expect(parseType('map[string][]time.Time')).toBe(mapOf(STRING, sliceOf(TIME)));
  expect(parseType('time.Duration')).toBe(DURATION);
  const funcs = { f: fn('func() shop.Order', () => ({ At: new Date(0) }), { 'shop.Order': order }) };
  expect(parse('t', '{{ (f).At.Unix }}', { funcs }).execute()).toBe('0');
});
