import { begin, fail, poll, recordFailure, succeed } from '@hnotif/core/lifecycle';
import type { World } from './world.ts';

const TARGETS = [{ name: 'db', type: 'rds' }];

/** Plans of one target, `db`, whose first error is a Failure. */
export async function plansOf(world: World, names: readonly string[]): Promise<void> {
  for (const name of names) await world.plan(name, ['db'], { spec: { behavior: { retries: 0 } } });
}

export const starts = (
  world: World,
  plan: string,
  operation: 'shutdown' | 'wakeup' = 'shutdown',
  cycle = 'c1',
) => world.write(plan, (status, at) => begin(status, operation, cycle, TARGETS, at));

export async function ends(world: World, plan: string): Promise<void> {
  await world.write(plan, (status, at) => poll(status, [{ target: 'db', state: 'Completed' }], at));
  await world.write(plan, succeed);
}

export async function fails(world: World, plan: string): Promise<void> {
  await world.write(plan, (status, at) =>
    poll(status, [{ target: 'db', state: 'Failed', message: 'no capacity' }], at),
  );
  await world.write(plan, recordFailure);
  await world.write(plan, (status, at) => fail(status, 'target db: no capacity', at));
}
