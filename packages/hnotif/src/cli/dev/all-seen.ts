import { keyOf } from '@hnotif/core/resources';
import type { Manifest } from './api.ts';
import type { LastWrite } from './player.ts';

/**
 * Resolves when the controller has seen the last write of each plan that still exists. `seen` ends when a plan is deleted after it was
 * called, but it waits for ever for one that was deleted before. So the plans are read after all calls.
 */
export async function allSeen(
  writes: readonly LastWrite[],
  seen: (write: LastWrite) => Promise<void>,
  plans: () => Promise<readonly Manifest[]>,
): Promise<void> {
  const waits = writes.map((write) => ({ key: keyOf(write), done: seen(write) }));
  const there = new Set(
    (await plans()).map(({ metadata: { namespace = 'default', name } }) => keyOf({ namespace, name })),
  );
  await Promise.all(waits.filter(({ key }) => there.has(key)).map(({ done }) => done));
}
