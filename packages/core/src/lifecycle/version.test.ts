import { expect, it } from 'vitest';
import { isNewer } from './version.ts';

it.each([
  ['10', '9', true],
  ['9', '10', false],
  ['7', '7', false],
  ['9007199254740993', '9007199254740992', true],
  ['123456789012345678901234567890', '99', true],
  ['1', '', true],
  ['', '1', false],
])('of decimal numbers the larger is the newer: %s after %s is %s', (a, b, newer) => {
  expect(isNewer(a, b)).toBe(newer);
});

it('of others knows only whether they are the same', () => {
  expect(isNewer('abc', 'abd')).toBe(true);
  expect(isNewer('abc', 'abc')).toBe(false);
  expect(isNewer('010', '9')).toBe(true);
});
