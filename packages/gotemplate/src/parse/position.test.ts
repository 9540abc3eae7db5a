import { expect, it } from 'vitest';
import { lineAt, locate } from './position.ts';

it.each([
  ['', 0, 1, 0],
  ['abc', 2, 1, 2],
  ['a\nbc', 1, 1, 1],
  ['a\nbc', 2, 2, 0],
  ['a\nbc', 3, 2, 1],
  ['\n\n', 0, 1, 0],
  ['\n\n', 1, 2, 0],
  ['\n\n', 2, 3, 0],
  ['é€😀x', 4, 1, 9],
  ['é\n€😀x', 5, 2, 7],
])('in %j, offset %d is at line %d, byte %d', (text, pos, line, column) => {
  expect(locate(text, pos)).toEqual({ line, column });
  expect(lineAt(text, pos)).toBe(line);
});
