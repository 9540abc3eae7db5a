import { describe, expect, it } from 'vitest';
import { contextOf, NAMESPACE, World } from './support/world.ts';

async function served(...notifications: string[]): Promise<World> {
  const world = await World.start();
  for (const name of notifications) {
    await world.secret(name);
    await world.notification(name, { onEvents: ['Start', 'Success'] });
  }
  await world.plan('orders');
  return world;
}

describe('a receiver that fails', () => {
  it('gets the message again with the same id until it accepts it, and only then the next one', async () => {
    const world = await served('n');
    world.receiver.faults.add({ match: { attempt: 1 }, fault: { kind: 'status', status: 503 }, times: 1 });
    await world.synced();
    await world.hibernate('orders');
    await world.succeeds('orders');
    await world.received(2);
    const requests = world.receiver.records.map(
      (record) => `${contextOf(record).event} ${record.answered.status}`,
    );
    expect(requests).toEqual(['Start 503', 'Start 200', 'Success 200']);
    const [first, second, third] = world.receiver.records;
    expect(second?.id).toBe(first?.id);
    expect(second?.rawBody).toEqual(first?.rawBody);
    expect(third?.id).not.toBe(first?.id);
  });

  it('gets the message again with the same id after a lost answer: at least once, never silently lost', async () => {
    const world = await served('n');
    world.receiver.faults.add({ fault: { kind: 'reset-after-accept' }, times: 1 });
    await world.synced();
    await world.hibernate('orders');
    const [first, second] = await world.received(2);
    expect(second?.id).toBe(first?.id);
  });

  it('with a 429 gets nothing from any plan for the time it names, while another sink is served', async () => {
    const world = await served('n', 'other');
    await world.plan('second');
    world.receiver.faults.add({
      match: { path: '/n' },
      fault: { kind: 'status', status: 429, retryAfter: { inSeconds: 600 } },
    });
    const controller = await world.synced({ drainTimeoutMs: 300 });
    await world.hibernate('orders');
    await world.receiver.waitFor((records) => records.some(({ path }) => path === '/n'));
    await world.hibernate('second');
    await world.received(2, 'other');
    await controller.stop();
    expect(world.receiver.records.filter(({ path }) => path === '/n')).toHaveLength(1);
    expect(controller.totals()).toEqual({ delivered: 2, failed: 0, dropped: 0, suppressed: 0 });
    expect(controller.pending()).toBe(2);
  });

  it('with a 429 is shown in the sink’s status, with its answer, until it accepts a message again', async () => {
    const world = await served('n');
    const spare = world.receiver.faults.add({
      fault: { kind: 'status', status: 429, retryAfter: { inSeconds: 1 }, body: 'slow down' },
    });
    await world.synced();
    await world.hibernate('orders');
    const paused = await world.status('n', ({ sinks }) => sinks?.[0]?.reason !== undefined);
    expect(paused.sinks?.[0]).toMatchObject({ reason: 'TooManyRequests', consecutiveFailures: 0 });
    expect(paused.sinks?.[0]?.message).toMatch(/429.*slow down/);
    spare();
    const again = await world.status('n', ({ sinks }) => sinks?.[0]?.lastSuccess !== undefined);
    expect(again.sinks?.[0]?.reason).toBeUndefined();
  });

  it('that hangs delays neither another sink nor another plan of the same sink', async () => {
    const world = await served('n', 'other');
    await world.plan('second');
    world.receiver.faults.add({
      match: {
        path: '/n',
        json: (body) => (body as { context: { plan: { name: string } } }).context.plan.name === 'orders',
      },
      fault: { kind: 'hang' },
    });
    const controller = await world.synced({ drainTimeoutMs: 300 });
    await world.hibernate('orders');
    await world.succeeds('orders');
    await world.hibernate('second');
    const healthy = await world.receiver.waitFor((records) => {
      const done = records.filter((record) => record.answered.accepted);
      return done.length === 4 && done;
    });
    expect(healthy.map((record) => `${record.path} ${contextOf(record).plan.name}`).sort()).toEqual([
      '/n second',
      '/other orders',
      '/other orders',
      '/other second',
    ]);
    await controller.stop();
    expect(controller.totals()).toEqual({ delivered: 4, failed: 0, dropped: 0, suppressed: 0 });
    expect(controller.pending()).toBe(2);
  });

  it('that refuses a message: the status counts it and gives the reason and a remedy, with an Event; the stream continues', async () => {
    const world = await served('n');
    world.receiver.faults.add({ fault: { kind: 'status', status: 400, body: 'no such field' }, times: 1 });
    const controller = await world.synced();
    await world.hibernate('orders');
    const failed = await world.status('n', (status) => status.sinks?.[0]?.consecutiveFailures === 1);
    expect(failed.sinks?.[0]?.message).toMatch(/400/);
    await world.succeeds('orders');
    await world.status(
      'n',
      (status) => status.sinks?.[0]?.lastSuccess !== undefined && status.sinks[0].reason === undefined,
    );
    await controller.stop();
    expect(controller.totals()).toEqual({ delivered: 1, failed: 1, dropped: 0, suppressed: 0 });
    const list = (await world.kube.get(`/api/v1/namespaces/${NAMESPACE}/events`)) as unknown as {
      items: {
        type: string;
        reason: string;
        message: string;
        involvedObject: { kind: string; name: string };
      }[];
    };
    expect(list.items).toMatchObject([
      {
        type: 'Warning',
        reason: 'DeliveryFailed',
        involvedObject: { kind: 'HibernateNotification', name: 'n' },
      },
    ]);
    expect(list.items[0]?.message).toMatch(/400/);
  });
});

describe('a sink’s secret', () => {
  it('that is missing makes the notification not ready, with a remedy; once it exists, the notification is ready', async () => {
    const world = await World.start();
    await world.notification('n', { onEvents: ['Start'] });
    await world.plan('orders');
    await world.synced();
    const ready = (value: string) =>
      world
        .status('n', (status) => status.conditions?.[0]?.status === value)
        .then(({ conditions }) => conditions?.[0]);
    expect(await ready('False')).toMatchObject({
      type: 'Ready',
      reason: 'SecretMissing',
      observedGeneration: 1,
    });
    expect((await ready('False'))?.message).toMatch(/sink n: .*secret.* n/);
    await world.secret('n');
    expect(await ready('True')).toMatchObject({ reason: 'SinksReady' });
  });

  it('with errors in its configuration is reported field by field, and no value is shown anywhere', async () => {
    const world = await World.start();
    const canary = 'canary-4f1d';
    await world.secret(
      'n',
      JSON.stringify({ url: `not-a-url-${canary}`, headers: { Host: canary, 'X-A': 7 } }),
    );
    await world.notification('n', { onEvents: ['Start'] });
    await world.synced();
    const status = await world.status('n', ({ conditions }) => conditions?.[0]?.status === 'False');
    const message = status.conditions?.[0]?.message ?? '';
    expect(status.conditions?.[0]?.reason).toBe('ConfigInvalid');
    for (const field of ['url', 'headers.Host', 'headers.X-A']) expect(message).toContain(field);
    expect(JSON.stringify(status) + world.log.join('')).not.toContain(canary);
  });

  it('is read again after a change: the next message goes to the new address', async () => {
    const world = await served('n');
    await world.synced({ secretTtlMs: 0 });
    await world.hibernate('orders');
    await world.received(1, 'n');
    await world.secret('n', { url: `${world.receiver.url}moved` });
    await world.plan('second');
    await world.hibernate('second');
    await world.received(1, 'moved');
  });
});
