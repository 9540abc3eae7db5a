import { describe, expect, it } from 'vitest';
import type { WebhookRecord } from '@hnotif/receivers';
import { ALL, evening, nightOf, places, ticking } from './support/nights.ts';
import { contextOf, World, type Context } from './support/world.ts';

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

type How = 'night' | 'failure';

interface Recorded {
  readonly records: readonly WebhookRecord[];
  /** The time of the operator's nth write. */
  readonly timeOf: (write: number) => number;
}

/** What a webhook gets of a night with a retry and the morning after it, or of one that fails. */
async function recorded(how: How, config: object = {}): Promise<Recorded> {
  const world = await World.start();
  await world.secret('audit', config);
  await world.notification('audit', { onEvents: ALL });
  const { targets } = await places(world);
  const retries = how === 'failure' ? 0 : 3;
  await world.plan('orders', [], {
    labels: { team: 'orders' },
    annotations: { owner: 'team-orders' },
    spec: { targets, behavior: { retries } },
  });
  await world.synced();
  const timeOf = ticking(world);
  await (how === 'failure' ? evening : nightOf)(world, 'orders');
  return { records: await world.received(how === 'failure' ? 8 : 19), timeOf };
}

const told = async (how: How): Promise<readonly Context[]> => (await recorded(how)).records.map(contextOf);

const kinds = (contexts: readonly Context[], field: keyof Context): string[] =>
  [...new Set(contexts.filter((context) => field in context).map(({ event }) => event))].sort();

describe('the payload of a webhook', () => {
  it('has context, and has rendered only with the renderer', async () => {
    const world = await World.start();
    await world.secret('plain');
    await world.secret('rendered', { enable_renderer: true });
    await world.notification('n', { onEvents: ['Start'], sinks: ['plain', 'rendered'] });
    await world.plan('orders');
    await world.synced();
    await world.hibernate('orders');
    const fields = (await world.received(2)).map(({ json }) => Object.keys(json as object).sort());
    expect(fields.sort()).toEqual([['context'], ['context', 'rendered']]);
  });

  it('has the plan with its labels and annotations', async () => {
    for (const { plan } of await told('failure'))
      expect(plan).toEqual({
        name: 'orders',
        namespace: 'team-a',
        labels: { team: 'orders' },
        annotations: { owner: 'team-orders' },
      });
  });

  it('has the event, its time, phases, operation and cycle', async () => {
    const begun = Date.now();
    const { records, timeOf } = await recorded('night');
    const contexts = records.map(contextOf);
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

  it('has targets on Success and Failure only', async () => {
    const contexts = [...(await told('night')), ...(await told('failure'))];
    expect(kinds(contexts, 'targets')).toEqual(['Failure', 'Success']);
  });

  it('has targetExecution on ExecutionProgress only', async () => {
    expect(kinds(await told('night'), 'targetExecution')).toEqual(['ExecutionProgress']);
  });

  it('has errorMessage and retryCount on Recovery and Failure only', async () => {
    const contexts = [...(await told('night')), ...(await told('failure'))];
    expect(kinds(contexts, 'errorMessage')).toEqual(['Failure', 'Recovery']);
    expect(kinds(contexts, 'retryCount')).toEqual(['Failure', 'Recovery']);
  });

  it('has the sink and its type', async () => {
    for (const context of await told('failure'))
      expect(context).toMatchObject({ sinkName: 'audit', sinkType: 'webhook' });
  });

  it('has every field of a target and of its connector', async () => {
    const contexts = await told('failure');
    expect(contexts.find(({ event }) => event === 'Failure')?.targets).toEqual([
      { name: 'db', executor: 'rds', state: 'Completed', message: '', connector: ACCOUNT },
      { name: 'vm', executor: 'ec2', state: 'Failed', message: 'no capacity', connector: CLUSTER },
    ]);
    expect(
      contexts.find(({ targetExecution }) => targetExecution?.state === 'Failed')?.targetExecution,
    ).toEqual({
      name: 'vm',
      executor: 'ec2',
      state: 'Failed',
      message: 'no capacity',
      connector: CLUSTER,
    });
  });

  it('each event has the fields of its own kind and no others', async () => {
    const contexts = [...(await told('night')), ...(await told('failure'))];
    const always = ['cycleId', 'event', 'operation', 'phase', 'plan', 'sinkName', 'sinkType', 'timestamp'];
    const more: Readonly<Record<string, readonly string[]>> = {
      Start: ['previousPhase'],
      Success: ['previousPhase', 'targets'],
      Failure: ['previousPhase', 'targets', 'errorMessage', 'retryCount'],
      Recovery: ['previousPhase', 'errorMessage', 'retryCount'],
      PhaseChange: ['previousPhase'],
      ExecutionProgress: ['targetExecution'],
    };
    expect([...new Set(contexts.map(({ event }) => event))].sort()).toEqual([...ALL].sort());
    for (const context of contexts)
      expect(Object.keys(context).sort(), context.event).toEqual(
        [...always, ...(more[context.event] ?? [])].sort(),
      );
  });

  it('each payload satisfies the published schema, with the renderer and without', async () => {
    for (const how of ['night', 'failure'] as const)
      for (const enable_renderer of [true, false]) {
        const { records } = await recorded(how, { enable_renderer });
        for (const record of records) {
          expect(record.schemaErrors, contextOf(record).event).toEqual([]);
          expect('rendered' in (record.json as object)).toBe(enable_renderer);
        }
      }
  });
});
