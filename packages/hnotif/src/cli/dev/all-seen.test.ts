import { expect, it } from 'vitest';
import { settle } from '../../../../core/src/testing/clock.ts';
import { allSeen } from './all-seen.ts';
import type { Manifest } from './api.ts';

const write = (name: string) => ({ namespace: 'n', name, resourceVersion: '7' });
const plan = (name: string): Manifest => ({
  ...{ apiVersion: 'hibernation.dev/v1alpha1', kind: 'HibernatePlan' },
  metadata: { namespace: 'n', name },
});

/** Waits for the writes of these plans, of which some are still there. */
function waiting(names: readonly string[], there: readonly string[]) {
  const ends = new Map<string, () => void>();
  let isDone = false;
  const seen = ({ name }: { readonly name: string }) =>
    new Promise<void>((resolve) => {
      ends.set(name, resolve);
    });
  void allSeen(names.map(write), seen, () => Promise.resolve(there.map(plan))).then(() => {
    isDone = true;
  });
  return {
    see: (name: string) => ends.get(name)?.(),
    isDone: async () => {
      await settle();
      return isDone;
    },
  };
}

it('waits until all last writes were seen', async () => {
  const { isDone, see } = waiting(['a', 'b'], ['a', 'b']);
  see('a');
  expect(await isDone()).toBe(false);
  see('b');
  expect(await isDone()).toBe(true);
});

it('does not wait for a plan that was deleted after its last write', async () => {
  const { isDone, see } = waiting(['a', 'gone'], ['a']);
  expect(await isDone()).toBe(false);
  see('a');
  expect(await isDone()).toBe(true);
});
