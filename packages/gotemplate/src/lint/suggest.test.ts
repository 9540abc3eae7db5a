import { describe, expect, it } from 'vitest';
import { STRING, structType } from '../value/type.ts';
import { distance, nearest, paths } from './suggest.ts';

describe('distance', () => {
  it.each([
    ['', '', 0],
    ['abc', 'abc', 0],
    ['abc', 'abd', 1],
    ['abc', 'ab', 1],
    ['abc', 'acb', 1],
    ['abc', 'xyz', 3],
    ['kitten', 'sitting', 3],
  ])('between %s and %s is %i', (a, b, expected) => {
    expect(distance(a, b, 10)).toBe(expected);
    expect(distance(b, a, 10)).toBe(expected);
  });

  it('stops at the limit', () => {
    expect(distance('abcdef', 'uvwxyz', 2)).toBe(2);
  });
});

describe('nearest', () => {
  it('finds the nearest, ignores case, and finds nothing if all are too different', () => {
    expect(nearest('uper', ['lower', 'upper'])).toBe('upper');
    expect(nearest('UPPER', ['lower', 'upper'])).toBe('upper');
    expect(nearest('zebra', ['lower', 'upper'])).toBeUndefined();
  });

  it('finds nothing for a name of more than 63 letters: it would cost too much', () => {
    expect(nearest('a'.repeat(63), ['a'.repeat(62)])).toBeDefined();
    expect(nearest('a'.repeat(64), ['a'.repeat(63)])).toBeUndefined();
  });
});

describe('paths', () => {
  it('lists fields up to three levels deep, the nearest first', () => {
    const c = structType('C', [{ name: 'D', type: STRING }]);
    const b = structType('B', [{ name: 'C', type: c }]);
    const a = structType('A', [
      { name: 'B', type: b },
      { name: 'X', type: STRING },
    ]);
    const top = structType('T', [{ name: 'A', type: a }]);
    expect(paths(top)).toEqual(['.A', '.A.B', '.A.X', '.A.B.C']);
    expect(paths(undefined)).toEqual([]);
  });
});
