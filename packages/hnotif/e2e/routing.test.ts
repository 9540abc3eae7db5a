import { describe, expect, it } from 'vitest';
import { contextOf, GROUP, NAMESPACE, World } from './support/world.ts';

/** Which plans' events came to which sink. */
const pairs = (records: readonly Parameters<typeof contextOf>[0][]) =>
  records.map((record) => `${contextOf(record).sinkName} ${contextOf(record).plan.name}`).sort();

describe('the recipients of an event', () => {
  it('every sink of every notification that selects the plan and lists the kind; once each', async () => {
    const world = await World.start();
    for (const name of ['a', 'b', 'c', 'd']) await world.secret(name);
    const red = { matchLabels: { colour: 'red' } };
    await world.notification('two-sinks', { onEvents: ['Start'], sinks: ['a', 'b'], selector: red });
    await world.notification('another', { onEvents: ['Start', 'Success'], sinks: ['c'] });
    await world.notification('other-kind', { onEvents: ['Success'], sinks: ['d'] });
    await world.plan('red', ['db'], { labels: { colour: 'red' } });
    await world.plan('blue', ['db'], { labels: { colour: 'blue' } });
    const controller = await world.synced();
    await world.hibernate('red');
    const { metadata } = await world.hibernate('blue');
    await controller.seen(NAMESPACE, 'blue', metadata.resourceVersion);
    await controller.stop();
    expect(pairs(world.receiver.records)).toEqual(['a red', 'b red', 'c blue', 'c red']);
  });

  it('not a notification of another namespace', async () => {
    const world = await World.start();
    await world.addNamespace('team-b');
    await world.secret('mine');
    await world.secret('theirs', {}, 'team-b');
    await world.notification('mine', { onEvents: ['Start'] });
    await world.team('team-b').notification('theirs', { onEvents: ['Start'] });
    await world.plan('orders');
    const controller = await world.synced();
    const { metadata } = await world.hibernate('orders');
    await controller.seen(NAMESPACE, 'orders', metadata.resourceVersion);
    await controller.stop();
    expect(pairs(world.receiver.records)).toEqual(['mine orders']);
  });

  it('also those that matchExpressions selects', async () => {
    const world = await World.start();
    await world.secret('n');
    const matchExpressions = [{ key: 'tier', operator: 'NotIn', values: ['gold'] }];
    await world.notification('n', { onEvents: ['Start'], selector: { matchLabels: {}, matchExpressions } });
    await world.plan('plain');
    await world.plan('golden', ['db'], { labels: { tier: 'gold' } });
    const controller = await world.synced();
    await world.hibernate('golden');
    const { metadata } = await world.hibernate('plain');
    await controller.seen(NAMESPACE, 'plain', metadata.resourceVersion);
    await controller.stop();
    expect(pairs(world.receiver.records)).toEqual(['n plain']);
  });
});

describe('Matched', () => {
  it('is 0, not blank, if nothing matches, and follows plans, labels and selectors', async () => {
    const world = await World.start();
    await world.secret('n');
    await world.notification('n', { onEvents: ['Start'], selector: { matchLabels: { colour: 'red' } } });
    await world.synced();
    const matched = (count: number) => world.status('n', (status) => status.matched === count);
    await matched(0);
    await world.plan('one', ['db'], { labels: { colour: 'red' } });
    await matched(1);
    await world.plan('two', ['db'], { labels: { colour: 'blue' } });
    await world.kube.patch(world.planPath('two'), { metadata: { labels: { colour: 'red' } } });
    await matched(2);
    await world.kube.delete(world.planPath('one'));
    await matched(1);
    await world.kube.patch(world.notificationPath('n'), {
      spec: { selector: { matchLabels: { colour: 'blue' } } },
    });
    await matched(0);
    await world.kube.patch(world.planPath('two'), { metadata: { labels: { colour: 'blue' } } });
    await matched(1);
  });

  it('is corrected at the start when plans were deleted while nothing ran', async () => {
    const world = await World.start();
    await world.secret('n');
    await world.notification('n', { onEvents: ['Start'] });
    await world.plan('one');
    const first = await world.synced();
    await world.status('n', (status) => status.matched === 1);
    await first.stop();
    await world.kube.delete(world.planPath('one'));
    await world.synced();
    await world.status('n', (status) => status.matched === 0);
  });
});

it('a resource that breaks a rule is refused by the API server, with the field named', async () => {
  const world = await World.start();
  const notification = (spec: object) =>
    world.kube.post(`/apis/${GROUP}/v1alpha1/namespaces/${NAMESPACE}/hibernatenotifications`, {
      apiVersion: `${GROUP}/v1alpha1`,
      kind: 'HibernateNotification',
      metadata: { name: 'bad' },
      spec: {
        selector: { matchLabels: {} },
        onEvents: ['Start'],
        sinks: [{ name: 's', type: 'webhook', secretRef: { name: 's' } }],
        ...spec,
      },
    });
  await expect(notification({ onEvents: [] })).rejects.toThrow(/spec\.onEvents/);
  await expect(notification({ onEvents: ['Begin'] })).rejects.toThrow(
    /spec\.onEvents\[0\].*Unsupported value/,
  );
  await expect(notification({ onEvents: ['Start', 'Start'] })).rejects.toThrow(
    /spec\.onEvents\[1\].*Duplicate/,
  );
  await expect(notification({ sinks: [] })).rejects.toThrow(/spec\.sinks/);
  await expect(
    notification({ sinks: [{ name: 's', type: 'pigeon', secretRef: { name: 's' } }] }),
  ).rejects.toThrow(/spec\.sinks\[0\]\.type/);
  const twice = { name: 's', type: 'webhook', secretRef: { name: 's' } };
  await expect(notification({ sinks: [twice, twice] })).rejects.toThrow(/spec\.sinks\[1\].*Duplicate/);
  for (const matchLabels of [
    { 'my key!': 'x' },
    { 'a/b/c': 'x' },
    { ['k'.repeat(64)]: 'x' },
    { [`${'p'.repeat(254)}/k`]: 'x' },
  ])
    await expect(notification({ selector: { matchLabels } })).rejects.toThrow(
      /matchLabels.*must have keys of labels/,
    );
  await expect(notification({ selector: { matchLabels: { a: 'my value!' } } })).rejects.toThrow(
    /matchLabels.a/,
  );
  for (const [key, values] of [
    ['my key!', ['x']],
    ['a', ['my value!']],
  ] as const) {
    const matchExpressions = [{ key, operator: 'In', values }];
    await expect(notification({ selector: { matchLabels: {}, matchExpressions } })).rejects.toThrow(
      /matchExpressions\[0\]/,
    );
  }
  const matchExpressions = [{ key: 'a', operator: 'In' }];
  await expect(notification({ selector: { matchLabels: {}, matchExpressions } })).rejects.toThrow(
    /matchExpressions/,
  );
  await expect(notification({ selector: {} })).rejects.toThrow(/spec\.selector\.matchLabels/);
});
