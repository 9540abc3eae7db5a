import fc from 'fast-check';
import { expect, it } from 'vitest';

import { scanJson } from './scan.ts';

it.each([
  ['{"a":1,"a":2}', ['a']],
  ['{"a":{"b":1,"b":2},"b":3}', ['a.b']],
  ['{"a":[{"b":1},{"b":1,"b":2}]}', ['a[1].b']],
  ['{"\\u0061":1,"a":2}', ['a']],
  ['{"a":"a","b":"{\\"b\\":1,\\"b\\":2}"}', []],
  ['{"a\\\\":1,"a\\"":2}', []],
  ['[["x","x"],"x"]', []],
])('in %s the fields %j stand twice', (text, duplicates) => {
  expect(scanJson(text).duplicates).toEqual(duplicates);
});

it('counts how deep a text goes, without going there itself', () => {
  expect(scanJson('1').depth).toBe(0);
  expect(scanJson('{"a":[{}]}').depth).toBe(3);
  expect(scanJson('['.repeat(1_000_000) + ']'.repeat(1_000_000)).depth).toBe(1_000_000);
});

it('finds nothing twice in what was written from an object', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(scanJson(JSON.stringify(JSON.parse(text))).duplicates).toEqual([]);
    }),
    { seed: 7, numRuns: 300 },
  );
});
