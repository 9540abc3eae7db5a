import fc from 'fast-check';
import { expect, it } from 'vitest';

import type { Change } from './history.ts';
import { History } from './history.ts';
import type { KubeObject } from './object.ts';

const object: KubeObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', uid: 'u', resourceVersion: '1', creationTimestamp: '' },
};

const change = (version: number, bytes: number): Change => ({
  version,
  resource: 'configmaps',
  key: 'a',
  type: 'MODIFIED',
  object,
  previous: object,
  bytes,
});

it('keeps the latest changes within both bounds, and knows what it has forgotten', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(40), { maxLength: 80 }),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 200 }),
      (sizes, changes, bytes) => {
        const history = new History({ changes, bytes });
        sizes.forEach((size, index) => {
          history.push(change(index + 1, size));
        });
        expect(history.length).toBeLessThanOrEqual(changes);
        expect(history.bytes).toBeLessThanOrEqual(bytes);
        expect(history.held).toBeLessThanOrEqual(2 * bytes);
        for (let version = 0; version <= sizes.length; version++) {
          const since = history.since(version)?.map((each) => each.version);
          const all = sizes.map((_, index) => index + 1).filter((each) => each > version);
          expect(since).toEqual(version < history.compacted ? undefined : all);
        }
        expect(history.length).toBe(sizes.length - history.compacted);
      },
    ),
    { seed: 3, numRuns: 200 },
  );
});

it('forgets up to a version when told to', () => {
  const history = new History();
  for (let version = 1; version <= 5; version++) history.push(change(version, 10));
  history.compact(3);
  expect(history.since(2)).toBeUndefined();
  expect(history.since(3)?.map(({ version }) => version)).toEqual([4, 5]);
  expect(history.bytes).toBe(20);
});

it('stays cheap to hold when many changes have passed through', () => {
  const history = new History({ changes: 5 });
  for (let version = 1; version <= 10_000; version++) history.push(change(version, 1));
  expect(history.since(9_995)).toHaveLength(5);
  expect(history.since(9_994)).toBeUndefined();
});
