import { expect, it } from 'vitest';

import { compareVersions } from './discovery.ts';

it('prefers stable versions, then beta, then alpha, of each the newest', () => {
  const versions = ['foo1', 'v1', 'v3beta1', 'v10', 'v11alpha2', 'v2', 'v12alpha1', 'v3beta10', 'foo10'];
  expect(versions.sort(compareVersions)).toEqual([
    'v10',
    'v2',
    'v1',
    'v3beta10',
    'v3beta1',
    'v12alpha1',
    'v11alpha2',
    'foo1',
    'foo10',
  ]);
});
