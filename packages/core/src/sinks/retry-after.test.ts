import { expect, test } from 'vitest';
import { retryAfterMs } from './retry-after.ts';

const NOW = Date.UTC(1994, 10, 6, 8, 49, 0);

test.each([
  ['120', 120_000],
  [' 0 ', 0],
  ['1.5', 1_500],
  // However many digits: a very long pause must not be read as none.
  ['9999999999', 999_999_999_000],
  ['9'.repeat(400), 999_999_999_000],
  ['Sun, 06 Nov 1994 08:49:37 GMT', 37_000],
  ['Sunday, 06-Nov-94 08:49:37 GMT', 37_000],
  ['Sun Nov  6 08:49:37 1994', 37_000],
  ['Sun, 06 Nov 1994 08:48:37 GMT', 0],
])('Retry-After "%s" means a wait of %i ms', (header, wait) => {
  expect(retryAfterMs(header, NOW)).toBe(wait);
});

test.each([undefined, '', 'soon', '-5', '1e9', '5 seconds', 'Nonsense, 99 Foo 1994 08:49:37 GMT'])(
  'Retry-After "%s" is ignored',
  (header) => {
    expect(retryAfterMs(header, NOW)).toBeUndefined();
  },
);
