import { describe, expect, it } from 'vitest';
import { parseSchema } from '../parse.ts';
import { parseFieldPath } from './field-path.ts';

const { node } = parseSchema(
  {
    type: 'object',
    properties: {
      a: { type: 'object', properties: { b: { type: 'string' }, 'c.d': { type: 'string' } } },
      m: { type: 'object', additionalProperties: { type: 'object', properties: { x: { type: 'string' } } } },
    },
  },
  '',
);

describe('parseFieldPath', () => {
  it.each([
    ['.a', 'a'],
    ['.a.b', 'a.b'],
    [".a['c.d']", 'a.c.d'],
    [".m['it\\'s'].x", "m[it's].x"],
    ['.m.k.x', 'm[k].x'],
    ['a', undefined],
    ['.z', undefined],
    ['.a.b.c', undefined],
    ['.a[0]', undefined],
    [".a['\\q']", undefined],
    ['.', undefined],
  ])('reads %s as %j', (text, path) => {
    expect(parseFieldPath(text, node)).toBe(path);
  });
});
