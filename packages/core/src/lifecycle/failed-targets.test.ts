import fc from 'fast-check';
import { expect, it } from 'vitest';
import { failedTargets, shortLine } from './failed-targets.ts';

const target = (name: string, state: string, message = '') => ({ name, executor: 'rds', state, message });

it('names the first failed targets, and counts them all', () => {
  const many = Array.from({ length: 9 }, (_, n) => target(`db-${n}`, 'Failed', 'no\n\u001b[31mcapacity'));
  const found = failedTargets([target('ok', 'Completed'), ...many]);
  expect(found?.count).toBe(9);
  expect(found?.first).toHaveLength(4);
  expect(found?.first[0]).toEqual({ name: 'db-0', message: 'no [31mcapacity' });
  expect(failedTargets([target('ok', 'Completed')])).toBeUndefined();
});

it('a short line has no control character, no half of a pair, and at most as many characters as asked for', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.integer({ min: 2, max: 99 }),
      (text, most) => {
        const line = shortLine(text, most);
        expect(line.length).toBeLessThanOrEqual(most);
        expect(line).not.toMatch(/\p{Cc}/u);
        expect(line.isWellFormed()).toBe(true);
      },
    ),
  );
});
