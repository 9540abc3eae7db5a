import { describe, expect, test } from 'vitest';
import { GoError } from '../errors.ts';
import type { Func, Value } from '../value/value.ts';
import { contextOf } from '../testing/context.ts';
import { random } from './random.ts';

/** Bytes 0, 1, 2 and so on. */
function counting(): (n: number) => Uint8Array {
  let next = 0;
  return (n) => Uint8Array.from({ length: n }, () => next++ & 0xff);
}

/** Pseudo-random bytes, always the same. */
function scattered(): (n: number) => Uint8Array {
  let state = 1;
  return (n) => Uint8Array.from({ length: n }, () => (state = (state * 16_807) % 0x7fffffff) >> 16);
}

function call(name: string, args: readonly Value[], bytes = counting(), limits = {}): Value {
  return (random[name] as Func).call({ ...contextOf(limits), random: bytes }, args);
}

test.each([
  ['randAlpha', 52, /^[a-zA-Z]{1000}$/],
  ['randAlphaNum', 62, /^[a-zA-Z0-9]{1000}$/],
  ['randNumeric', 10, /^[0-9]{1000}$/],
  ['randAscii', 95, /^[ -~]{1000}$/],
])('%s gives all its characters, and no others', (name, size, pattern) => {
  const text = call(name, [1000n]) as string;
  expect(text).toMatch(pattern);
  expect(new Set(text).size).toBe(size);
});

test.each(['randAlpha', 'randAlphaNum', 'randNumeric', 'randAscii'])(
  '%s gives an empty text for a count of 0',
  (name) => {
    expect(call(name, [0n])).toBe('');
    expect(call(name, [-5n])).toBe('');
  },
);

test('all characters are equally likely: bytes above the last multiple are dropped', () => {
  let next = 0;
  const bytes = (n: number) => Uint8Array.from({ length: n }, () => (next++ % 2 === 0 ? 250 : 7));
  expect(call('randNumeric', [4n], bytes)).toBe('7777');
});

describe('randInt', () => {
  test('gives numbers from the first to below the second', () => {
    const bytes = counting();
    const drawn = Array.from({ length: 200 }, () => call('randInt', [-2n, 3n], bytes));
    expect(new Set(drawn)).toEqual(new Set([-2n, -1n, 0n, 1n, 2n]));
  });

  test('draws again if a number would make the first ones more likely', () => {
    const draws = [0xff, 0xff, 0x00];
    const bytes = (n: number) => new Uint8Array(n).fill(draws.shift() ?? 1);
    expect(call('randInt', [0n, 10n], bytes)).toBe(0n);
    expect(draws).toEqual([]);
  });

  test.each([
    [5n, 5n],
    [10n, 5n],
    [-(2n ** 63n), 2n ** 63n - 1n],
  ])('refuses %s and %s, as Go does', (min, max) => {
    expect(() => call('randInt', [min, max])).toThrow(new GoError('invalid argument to Intn'));
  });
});

test('randBytes gives bytes in Base64', () => {
  expect(call('randBytes', [4n])).toBe('AAECAw==');
  expect(call('randBytes', [0n])).toBe('');
  const error = new GoError('runtime error: makeslice: len out of range');
  expect(() => call('randBytes', [-1n])).toThrow(error);
  expect(() => call('randBytes', [2n ** 62n])).toThrow(error);
});

test('shuffle keeps the characters, cut ones as U+FFFD', () => {
  const shuffled = call('shuffle', ['añ😀\udcff']) as string;
  expect([...shuffled].sort()).toEqual(['a', 'ñ', '😀', '\ufffd'].sort());
  const bytes = scattered();
  const orders = new Set(Array.from({ length: 100 }, () => call('shuffle', ['abc'], bytes)));
  expect(orders.size).toBe(6);
});

test('uuidv4 gives a UUID of version 4', () => {
  expect(call('uuidv4', [])).toBe('00010203-0405-4607-8809-0a0b0c0d0e0f');
  expect(call('uuidv4', [], (n) => new Uint8Array(n).fill(0xff))).toBe(
    'ffffffff-ffff-4fff-bfff-ffffffffffff',
  );
});

test('a result that is too large is not created', () => {
  for (const name of ['randAlpha', 'randBytes', 'randAscii'])
    expect(() => call(name, [2n ** 40n])).toThrow(/exceeded the memory limit/);
});

test('a random source that never fits does not block', () => {
  const bytes = (n: number) => new Uint8Array(n).fill(0xff);
  for (const [name, ...args] of [
    ['randNumeric', 1n],
    ['randInt', 0n, 10n],
  ] as const)
    expect(() => call(name, args, bytes, { steps: 100_000 })).toThrow(/exceeded the step limit/);
});
