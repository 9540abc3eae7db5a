import { bytesOf } from '@hnotif/judges/msteams';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { storedBytes } from './stored-bytes.ts';

it('counts as the judge of Teams does', () => {
  const text = fc.string({ unit: 'grapheme' }).map((each) => each.replace(/\p{Cc}/gu, ''));
  fc.assert(
    fc.property(text, (each) => {
      expect(storedBytes(each)).toBe(bytesOf(each) - bytesOf(''));
    }),
  );
  expect(storedBytes('"\\ é🇺🇦')).toBe(4 + 4 + 1 + 7 + 4 * 7);
});
