import fc from 'fast-check';
import { expect, it } from 'vitest';
import { oneLine } from './one-line.ts';

it.each([
  ['as it is', 'as it is'],
  ['  two  blanks stay  ', '  two  blanks stay  '],
  ['boom\n\tat the disk\r\n', 'boom at the disk'],
  ['a \u0000\u001b[31m b', 'a [31m b'],
  ['a\u2028b\u2029c\u0085d', 'a b c d'],
  ['\u202eabc\u2066d', 'abc d'],
  ['\n', ''],
  ['ürlaub 👩‍👩‍👧 שלום', 'ürlaub 👩‍👩‍👧 שלום'],
])('%j becomes %j', (text, expected) => {
  expect(oneLine(text)).toBe(expected);
});

it('reads the beginning of a very long text, and counts the rest', () => {
  expect(oneLine(`a${'\n'.repeat(100_000)}z`)).toBe('a … (83644 more characters)');
  expect(oneLine(`a${'\n'.repeat(10_000)}z`)).toBe('a z');
});

it('makes one line, and a second pass changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...' \t\n\0\u2028\u202e\u2069\u00a0ab') }), (text) => {
      const line = oneLine(text);
      expect(line).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
      expect(oneLine(line)).toBe(line);
    }),
    { seed: 1 },
  );
});
