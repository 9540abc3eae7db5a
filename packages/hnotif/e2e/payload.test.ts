import { describe, expect, it } from 'vitest';
import { ALL, evening, nightOf, places, ticking } from '../../lab/src/nights.ts';
import { contextOf, World } from './support/world.ts';

const ACCOUNT = {
  kind: 'CloudProvider',
  name: 'aws',
  provider: 'aws',
  accountId: '123456789012',
  projectId: '',
  region: 'eu-west-1',
  clusterName: '',
};
const CLUSTER = {
  kind: 'K8SCluster',
  name: 'blue',
  provider: 'gcp',
  accountId: '',
  projectId: 'project-blue',
  region: 'europe-west3',
  clusterName: 'nights-blue',
};

/** A world with a webhook `audit` that gets every event of the plan `orders`, and the time of the operator's nth write. */
async function served(retries: number): Promise<{ world: World; timeOf: (write: number) => number }> {
  const world = await World.start();
  await world.secret('audit');
  await world.notification('audit', { onEvents: ALL });
  const { targets } = await places(world);
  await world.plan('orders', [], {
    labels: { team: 'orders' },
    annotations: { owner: 'team-orders' },
    spec: { targets, behavior: { retries } },
  });
  await world.synced();
  return { world, timeOf: ticking(world) };
}

describe('the payload of a webhook', () => {
  it('has the event, its time, phases, operation and cycle', async () => {
    const begun = Date.now();
    const { world, timeOf } = await served(3);
    await nightOf(world, 'orders');
    const contexts = (await world.received(19)).map(contextOf);
    const times = contexts.map(({ timestamp }) => timestamp);
    // A target that is Pending again and the way out of Error have no time of their own: they were seen at that time.
    for (const index of [8, 9]) {
      const seen = Date.parse(times[index] ?? '');
      expect(seen).toBeGreaterThanOrEqual(begun);
      expect(seen).toBeLessThanOrEqual(Date.now());
    }
    const writes = [1, 1, 2, 3, 3, 4, 6, 7, 0, 0, 8, 9, 9, 10, 10, 11, 11, 12, 12];
    expect(times).toEqual(
      writes.map((write, index) => (write === 0 ? times[index] : new Date(timeOf(write)).toISOString())),
    );
    const rows = contexts
      .filter(({ event }) => event !== 'ExecutionProgress')
      .map(({ event, phase, previousPhase, operation, cycleId }) =>
        [event, previousPhase, phase, operation, cycleId].join(' '),
      );
    expect(rows).toEqual([
      'Start  Hibernating Hibernate c1',
      'PhaseChange Active Hibernating Hibernate c1',
      'PhaseChange Hibernating Error Hibernate c1',
      'Recovery Error Hibernating Hibernate c1',
      'PhaseChange Error Hibernating Hibernate c1',
      'Success Hibernating Hibernated Hibernate c1',
      'PhaseChange Hibernating Hibernated Hibernate c1',
      'Start  WakingUp WakeUp c1',
      'PhaseChange Hibernated WakingUp WakeUp c1',
      'Success WakingUp Active WakeUp c1',
      'PhaseChange WakingUp Active WakeUp c1',
    ]);
  });

  it('has the plan, the sink, and every field of a target and of its connector', async () => {
    const { world } = await served(0);
    await evening(world, 'orders');
    const contexts = (await world.received(8)).map(contextOf);
    for (const context of contexts)
      expect(context).toMatchObject({
        plan: {
          ...{ name: 'orders', namespace: 'team-a' },
          ...{ labels: { team: 'orders' }, annotations: { owner: 'team-orders' } },
        },
        ...{ sinkName: 'audit', sinkType: 'webhook' },
      });
    const vm = { name: 'vm', executor: 'ec2', state: 'Failed', message: 'no capacity', connector: CLUSTER };
    expect(contexts.find(({ event }) => event === 'Failure')?.targets).toEqual([
      { name: 'db', executor: 'rds', state: 'Completed', message: '', connector: ACCOUNT },
      vm,
    ]);
    expect(
      contexts.find(({ targetExecution }) => targetExecution?.state === 'Failed')?.targetExecution,
    ).toEqual(vm);
  });
});
