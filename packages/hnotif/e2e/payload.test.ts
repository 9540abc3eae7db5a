import { describe, expect, it } from 'vitest';
import { ALL, evening, nightOf, provider } from './nights.ts';
import { contextOf, World, type Context } from './world.ts';

const CONNECTOR = {
  kind: 'CloudProvider',
  name: 'aws',
  provider: 'aws',
  accountId: '123456789012',
  projectId: '',
  region: 'eu-west-1',
  clusterName: '',
};

/** What a webhook is told of a night with a retry and the morning after it, or of one that fails. */
async function told(how: 'night' | 'failure'): Promise<readonly Context[]> {
  const world = await World.start();
  await world.secret('audit');
  await world.notification('audit', { onEvents: ALL });
  await provider(world);
  const retries = how === 'failure' ? 0 : 3;
  await world.plan('orders', ['db', 'vm'], {
    labels: { team: 'orders' },
    annotations: { owner: 'team-orders' },
    spec: { behavior: { retries } },
  });
  await world.synced();
  await (how === 'failure' ? evening : nightOf)(world, 'orders');
  return (await world.received(how === 'failure' ? 8 : 19)).map(contextOf);
}

const kinds = (contexts: readonly Context[], field: keyof Context): string[] =>
  [...new Set(contexts.filter((context) => field in context).map(({ event }) => event))].sort();

describe('the payload of a webhook', () => {
  it('has context, and rendered only with the renderer', async () => {
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

  it('tells the plan with its labels and annotations', async () => {
    for (const { plan } of await told('failure'))
      expect(plan).toEqual({
        name: 'orders',
        namespace: 'team-a',
        labels: { team: 'orders' },
        annotations: { owner: 'team-orders' },
      });
  });

  it('tells the event, its time, phases, operation and cycle', async () => {
    const contexts = await told('night');
    for (const { timestamp } of contexts)
      expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
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

  it('names the sink and its type', async () => {
    for (const context of await told('failure'))
      expect(context).toMatchObject({ sinkName: 'audit', sinkType: 'webhook' });
  });

  it('tells every field of a target and of its connector', async () => {
    const contexts = await told('failure');
    expect(contexts.find(({ event }) => event === 'Failure')?.targets).toEqual([
      { name: 'db', executor: 'rds', state: 'Completed', message: '', connector: CONNECTOR },
      { name: 'vm', executor: 'ec2', state: 'Failed', message: 'no capacity', connector: CONNECTOR },
    ]);
    expect(
      contexts.find(({ targetExecution }) => targetExecution?.state === 'Failed')?.targetExecution,
    ).toEqual({
      name: 'vm',
      executor: 'ec2',
      state: 'Failed',
      message: 'no capacity',
      connector: CONNECTOR,
    });
  });
});
