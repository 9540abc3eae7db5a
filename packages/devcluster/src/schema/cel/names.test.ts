import { describe, expect, it } from 'vitest';
import { escapeName } from './names.ts';

describe('escapeName', () => {
  it.each([
    ['name', 'name'],
    ['namespace', '__namespace__'],
    ['x-prop', 'x__dash__prop'],
    ['redact__d', 'redact__underscores__d'],
    ['a.b/c', 'a__dot__b__slash__c'],
    ['var', 'var'],
    ['9lives', undefined],
    ['a b', undefined],
  ])('makes %j into %j', (name, escaped) => {
    expect(escapeName(name)).toBe(escaped);
  });
});
