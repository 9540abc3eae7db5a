import { describe, expect, it } from 'vitest';
import { begin, fail, poll, retry, succeed, type TargetChange } from '@hnotif/core/lifecycle';
import { ALL, nightOf, provider } from '../../lab/src/nights.ts';
import { contextOf, inWords, World } from './support/world.ts';

describe('a night', () => {
  it('arrives complete and in order: start, progress, a failure, a retry, success, the wake-up', async () => {
    const world = await World.start();
    await world.secret('all');
    await world.notification('all', { onEvents: ALL });
    await world.plan('orders', ['db', 'vm']);
    await world.synced();
    await nightOf(world, 'orders');
    const records = await world.received(19);
    expect(records.map(inWords)).toEqual([
      'Start',
      'PhaseChange Active Hibernating',
      'ExecutionProgress db Running',
      'ExecutionProgress db Completed',
      'ExecutionProgress vm Running',
      'ExecutionProgress vm Failed',
      'PhaseChange Hibernating Error',
      'Recovery',
      'ExecutionProgress vm Pending',
      'PhaseChange Error Hibernating',
      'ExecutionProgress vm Completed',
      'Success',
      'PhaseChange Hibernating Hibernated',
      'Start',
      'PhaseChange Hibernated WakingUp',
      'ExecutionProgress db Completed',
      'ExecutionProgress vm Completed',
      'Success',
      'PhaseChange WakingUp Active',
    ]);
  });

  it('is sent in signed payloads that satisfy the published schema, each with its own id', async () => {
    const world = await World.start();
    await world.secret('all');
    await world.notification('all', { onEvents: ALL });
    await world.plan('orders', ['db', 'vm']);
    await world.synced();
    await nightOf(world, 'orders');
    const records = await world.received(19);
    expect(records.map((record) => record.schemaErrors)).toEqual(records.map(() => []));
    expect(records.map((record) => record.signature)).toEqual(records.map(() => 'valid'));
    expect(new Set(records.map((record) => record.id)).size).toBe(records.length);
  });

  it('fails when the retries are exhausted, with the error, the count and the targets', async () => {
    const world = await World.start();
    await world.secret('oncall');
    await world.notification('oncall', { onEvents: ['Failure', 'Recovery'] });
    await world.plan('orders', ['db'], { spec: { behavior: { retries: 1 } } });
    await world.synced();
    const one = [{ name: 'db', type: 'rds' }];
    const fails = async (): Promise<void> => {
      await world.write('orders', (status, at) =>
        poll(status, [{ target: 'db', state: 'Failed', message: 'x' }], at),
      );
      await world.write('orders', (status, at) => fail(status, 'target db: x', at));
    };
    await world.write('orders', (status, at) => begin(status, 'shutdown', 'c1', one, at));
    await fails();
    await world.write('orders', retry);
    await fails();
    const [recovery, failure] = (await world.received(2)).map(contextOf);
    expect(recovery).toMatchObject({ event: 'Recovery', retryCount: 1, errorMessage: 'target db: x' });
    expect(failure).toMatchObject({
      event: 'Failure',
      operation: 'Hibernate',
      phase: 'Error',
      previousPhase: 'Hibernating',
      cycleId: 'c1',
      retryCount: 1,
      errorMessage: 'target db: x',
      targets: [{ name: 'db', state: 'Failed' }],
    });
  });

  it('of a plan that existed before hnotif makes no event until a change; its end is sent', async () => {
    const world = await World.start();
    await world.secret('all');
    await world.notification('all', { onEvents: ALL });
    await world.plan('orders', ['db']);
    await world.write('orders', (status, at) =>
      begin(status, 'shutdown', 'c1', [{ name: 'db', type: 'rds' }], at),
    );
    await world.synced();
    await world.write('orders', (status, at) => poll(status, [{ target: 'db', state: 'Completed' }], at));
    await world.write('orders', succeed);
    const records = await world.received(3);
    expect(records.map(inWords)).toEqual([
      'ExecutionProgress db Completed',
      'Success',
      'PhaseChange Hibernating Hibernated',
    ]);
  });

  it('of a plan that is created while hnotif runs is sent from its first write', async () => {
    const world = await World.start();
    await world.secret('all');
    await world.notification('all', { onEvents: ['Start'] });
    await world.synced();
    await world.plan('new', ['db']);
    await world.write('new', (status, at) =>
      begin(status, 'shutdown', 'c1', [{ name: 'db', type: 'rds' }], at),
    );
    const [record] = await world.received(1);
    expect(record && contextOf(record)).toMatchObject({ event: 'Start', plan: { name: 'new' } });
  });
});

describe('a plan of thousands of targets', () => {
  it('is accepted by the API server, with the outcome of each target, and reported', async () => {
    const world = await World.start();
    await world.secret('all');
    await world.notification('all', { onEvents: ['Start', 'Success'] });
    const many = Array.from({ length: 10_000 }, (_, index) => ({ name: `db-${index}`, type: 'rds' }));
    await world.plan(
      'orders',
      many.map(({ name }) => name),
    );
    await world.synced();
    await world.write('orders', (status, at) => begin(status, 'shutdown', 'c1', many, at));
    const done = many.map(({ name }): TargetChange => ({ target: name, state: 'Completed' }));
    await world.write('orders', (status, at) => poll(status, done, at));
    await world.write('orders', succeed);
    const [start, success] = await world.received(2);
    expect(start && inWords(start)).toBe('Start');
    expect(success && contextOf(success).targets).toHaveLength(10_000);
  });
});

describe('a message', () => {
  it('shows the labels and connectors of the time of sending', async () => {
    const world = await World.start();
    await world.secret('all');
    await world.notification('all', { onEvents: ['Success'] });
    await provider(world);
    await world.plan('orders', ['db'], { labels: { team: 'orders' } });
    await world.synced();
    await world.write('orders', (status, at) =>
      begin(status, 'shutdown', 'c1', [{ name: 'db', type: 'rds' }], at),
    );
    await world.write('orders', (status, at) => poll(status, [{ target: 'db', state: 'Completed' }], at));
    await world.write('orders', succeed);
    const [record] = await world.received(1);
    expect(record && contextOf(record)).toMatchObject({
      plan: { labels: { team: 'orders' } },
      targets: [
        {
          name: 'db',
          connector: {
            kind: 'CloudProvider',
            name: 'aws',
            provider: 'aws',
            accountId: '123456789012',
            region: 'eu-west-1',
          },
        },
      ],
    });
  });
});
