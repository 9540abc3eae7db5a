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
    'no plan matches; the nearest of 2 plans is near: its label team is b, not a',
  );
  expect(nearestInWords([['web', {}]], 1, asks({ env: 'prod' }))).toBe(
    'no plan matches; the only plan is web: it has no label env=prod',
  );
});

it('says which key and which value were probably meant, and names a plan that has them', () => {
  const plans = [
    ['other', { app: 'web', env: 'prod' }],
    ['web', { app: 'web', team: 'payments' }],
  ] as const;
  expect(nearestInWords(plans, 2, asks({ tema: 'payments' }))).toBe(
    'no plan matches; the nearest of 2 plans is web: it has no label tema=payments (did you mean team?)',
  );
  expect(nearestInWords(plans, 2, asks({ team: 'paymnets' }))).toBe(
    'no plan matches; the nearest of 2 plans is web: its label team is payments, not paymnets (did you mean payments?)',
  );
  expect(nearestInWords(plans, 2, asks({ tema: 'Payments' }))).toBe(
    'no plan matches; the nearest of 2 plans is web: it has no label tema=Payments (did you mean team=payments?)',
  );
});

it('asks nothing where the key or the value is there, or none looks like it', () => {
  const plans = [
    ['web', { env: 'prod', tiers: 'a' }],
    ['db', { tier: 'b' }],
  ] as const;
  const matchExpressions = [
    { key: 'tier', operator: 'Exists', values: [] },
    { key: 'tiers', operator: 'DoesNotExist', values: [] },
  ] as const;
  for (const requirements of [
    asks({ env: 'prod', tier: 'b' }),
    asks({ owner: 'shop' }),
    requirementsOf({ matchLabels: { env: 'prod' }, matchExpressions }),
  ])
    expect(nearestInWords(plans, 2, requirements)).not.toContain('did you mean');
  // One asks for both: neither was meant by the other.
  expect(nearestInWords([['web', { team: 'a' }]], 1, asks({ team: 'a', tema: 'a' }))).not.toContain('mean');
});

it('compares no long names, which cost long', () => {
  const long = 'a'.repeat(60);
  expect(nearestInWords([['web', { [long]: 'a' }]], 1, asks({ [`${long}b`]: 'a' }))).not.toContain('mean');
});

it('says so where there is no plan', () => {
  expect(nearestInWords([], 0, asks({}))).toBe('no plan matches: the namespace has no plan');
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
    'no plan matches; the only plan is web: its label a is x, which the selector excludes, ' +
      'and it has no label b, and it must not have the label c, and it has no label d (wanted: "" or y)',
  );
});
