import { expect, it } from 'vitest';
import { postTime } from './gather.ts';

it.each([
  ['one plan: after 3 s', 0, 3_000],
  ['plans that join in the first seconds: no later', 2_000, 3_000],
  ['plans that still join: a second after the last one', 2_900, 3_900],
  ['plans that join for long: with those of the first nine seconds', 8_500, 9_000],
])('posts a new board: %s', (_what, joined, posted) => {
  expect(postTime(50_000, 50_000 + joined)).toBe(50_000 + posted);
});
