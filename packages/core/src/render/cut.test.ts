import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutText } from './cut.ts';

test('a text that is cut twice is as if it was cut once', () => {
  expect(cutText(cutText('x'.repeat(1_000), 200), 50)).toBe(`${'x'.repeat(26)}… (974 more characters)`);
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 300, maxLength: 600 }),
      fc.integer({ min: 200, max: 400 }),
      (text, limit) => {
        expect(cutText(cutText(text, limit), 60)).toBe(cutText(text, 60));
        expect(cutText(text, limit).length).toBeLessThanOrEqual(limit);
      },
    ),
    { seed: 1, numRuns: 200 },
  );
});
