import { expect, it } from 'vitest';
import { nearestInWords } from './nearest.ts';
import { requirementsOf } from './selector.ts';

const asks = (matchLabels: Record<string, string>) => requirementsOf({ matchLabels, matchExpressions: [] });

it('names the plan that lacks least, and what it lacks', () => {
  const plans = [
    ['far', { env: 'test', team: 'c' }],
    ['near', { env: 'prod', team: 'b' }],
  ] as const;
  expect(nearestInWords(plans, 2, asks({ env: 'prod', team: 'a' }))).toBe(
    'no plan matches: of 2 plans the nearest is near, whose label team is b; the selector asks for a',
  );
  expect(nearestInWords([['web', {}]], 1, asks({ env: 'prod' }))).toBe(
    'no plan matches: the only plan is web, which has no label env; the selector asks for prod',
  );
});

it('says so where there is no plan', () => {
  expect(nearestInWords([], 0, asks({}))).toBe('no plan matches: the namespace has none');
});

it('knows every operator', () => {
  const matchExpressions = [
    { key: 'a', operator: 'NotIn', values: ['x'] },
    { key: 'b', operator: 'Exists', values: [] },
    { key: 'c', operator: 'DoesNotExist', values: [] },
    { key: 'd', operator: 'In', values: ['', 'y'] },
  ] as const;
  expect(
    nearestInWords([['web', { a: 'x', c: '' }]], 1, requirementsOf({ matchLabels: {}, matchExpressions })),
  ).toBe(
    'no plan matches: the only plan is web, whose label a is x; the selector excludes that value, ' +
      'and which has no label b; the selector asks for one, and whose label c is ""; the selector asks for none, ' +
      'and which has no label d; the selector asks for "" or y',
  );
});
