import { startDevCluster } from '@hnotif/devcluster';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Controller } from '../src/controller/controller.ts';
import { crds } from '@hnotif/core/resources';
import { eventually } from '../../core/src/testing/eventually.ts';
import { provider } from '../../lab/src/nights.ts';
import { TurnedClock } from '../../lab/src/turned-clock.ts';
import { contextOf, GROUP, inWords, NAMESPACE, metricsOf, World } from './support/world.ts';

const readyz = async ({ healthUrl }: Controller): Promise<string> =>
  (await fetch(`${healthUrl}/readyz`)).text();

/** Asks until it is so. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise(setImmediate);
}

/** Turns the clock on by a second, and lets the network have its turn. */
async function second(clock: TurnedClock, controller: Controller): Promise<void> {
  clock.turn(1_000);
  await fetch(`${controller.healthUrl}/healthz`).then((answer) => answer.text());
}

async function minute(clock: TurnedClock, controller: Controller): Promise<void> {
  for (let seconds = 0; seconds < 60; seconds++) await second(clock, controller);
}

/** Turns the clock on until something comes true: whoever backs off comes again. */
async function turningUntil<T>(clock: TurnedClock, controller: Controller, wanted: Promise<T>): Promise<T> {
  let pending = true;
  const end = (): void => {
    pending = false;
  };
  wanted.then(end, end);
  while (pending) await second(clock, controller);
  return wanted;
}

async function served(): Promise<{ world: World; clock: TurnedClock; controller: Controller }> {
  const world = await World.start();
  await world.secret('n');
  await world.notification('n', { onEvents: ['Start', 'Success'] });
  await world.plan('orders');
  const clock = new TurnedClock();
  const controller = await world.synced({ clock });
  await world.status('n', ({ conditions }) => conditions?.[0]?.status === 'True');
  return { world, clock, controller };
}

const warnings = (world: World, pattern: RegExp): string[] =>
  world.log.filter((line) => line.includes('"level":"warn"') && pattern.test(line));

/** What waits for long waits for ever, and the rest is over soon. */
class ShortWaits extends TurnedClock {
  /** Waits between attempts that will not end. */
  held = 0;

  override random(): number {
    return 0.999;
  }

  override after(ms: number, run: () => void): () => void {
    if (ms <= 12_000 || ms >= 30_000) return super.after(ms <= 12_000 ? ms / 20 : ms, run);
    this.held++;
    return () => undefined;
  }
}

describe('a control plane that is away for a minute', () => {
  it('delays no accepted delivery; the status is written afterwards, and the log says each thing once', async () => {
    const { world, clock, controller } = await served();
    world.receiver.faults.add({ fault: { kind: 'hang' }, times: 1 });
    await world.hibernate('orders');
    await world.receiver.waitFor((records) => records.length === 1);
    const { metadata } = await world.succeeds('orders');
    await controller.seen(NAMESPACE, 'orders', metadata.resourceVersion);
    await world.cluster.goAway();
    await world.logged(/hibernateplans.*cannot be followed; trying again/);
    world.receiver.release();
    await world.received(2);
    // What is configured is old by now, and cannot be read.
    await minute(clock, controller);
    const red = await readyz(controller);
    expect(red).toMatch(/\[-\]notifications .*no connection/);
    expect(red).toMatch(/\[-\]plans .*no connection/);
    expect((await fetch(`${controller.healthUrl}/healthz`)).status).toBe(200);
    await world.cluster.comeBack();
    await turningUntil(
      clock,
      controller,
      world.status('n', ({ sinks }) => sinks?.[0]?.lastSuccess !== undefined),
    );
    await turningUntil(
      clock,
      controller,
      until(async () => (await readyz(controller)).includes('readyz check passed')),
    );
    expect(warnings(world, /statuses cannot be written/)).toHaveLength(1);
    for (const resource of ['hibernateplans', 'hibernatenotifications', 'cloudproviders', 'k8sclusters'])
      expect(warnings(world, new RegExp(`"resource":"${resource}`)).length).toBeLessThanOrEqual(2);
    expect(controller.totals()).toMatchObject({ delivered: 2, failed: 0, dropped: 0 });
  });

  it('costs no event: a night during the outage is sent with its Start and its Success', async () => {
    const { world, clock, controller } = await served();
    await world.cluster.goAway();
    await world.logged(/hibernateplans.*cannot be followed; trying again/);
    await world.cluster.comeBack();
    // It is back, but for those who watch: they come again only when their wait is over.
    await world.hibernate('orders');
    await world.succeeds('orders');
    world.cluster.compact();
    const records = await turningUntil(clock, controller, world.received(2));
    expect(records.map(inWords)).toEqual(['Start', 'Success']);
    await expect.poll(() => controller.totals().delivered).toBe(2);
  });

  it('is watched again from the first request that succeeds, however long it was away', async () => {
    const world = await World.start();
    await world.secret('n');
    await world.notification('n', { onEvents: ['Start'] });
    await world.plan('orders');
    const clock = new ShortWaits();
    const timing = { leaseDurationMs: 900_000, renewDeadlineMs: 600_000, retryPeriodMs: 2_000 };
    await world.synced({ clock, leaderElect: true, ...timing });
    await world.cluster.goAway();
    // Plans, notifications, journals and two kinds of connectors.
    await until(() => Promise.resolve(clock.held >= 5));
    await world.logged(/Lease not read or written/);
    clock.turn(10_000);
    await world.cluster.comeBack();
    await world.hibernate('orders');
    await world.received(1);
  });

  it('keeps a delivery waiting whose secret was never read, and does not fail it', async () => {
    const world = await World.start();
    await world.secret('n');
    await world.notification('n', { onEvents: ['Start'] });
    await world.plan('orders');
    const clock = new TurnedClock();
    const taken = world.cluster.faults.add({
      ...{ verb: 'get', resource: 'secrets' },
      effect: { kind: 'status', code: 503, reason: 'ServiceUnavailable' },
    });
    const controller = await world.synced({ clock });
    await world.hibernate('orders');
    await minute(clock, controller);
    expect(controller.totals()).toMatchObject({ failed: 0, dropped: 0 });
    expect(await metricsOf(controller)).toMatch(/^hnotif_queue_deliveries 1$/m);
    const ready = await world.status('n', ({ conditions }) => conditions?.[0]?.status === 'False');
    expect(ready.conditions?.[0]).toMatchObject({ reason: 'SecretUnavailable' });
    taken();
    await turningUntil(clock, controller, world.received(1));
  });

  it('that accepts requests and never answers delays no message whose configuration is known', async () => {
    const { world, clock, controller } = await served();
    await world.hibernate('orders');
    await world.received(1);
    world.cluster.faults.add({
      ...{ verb: 'get', resource: 'secrets' },
      effect: { kind: 'delay', until: new Promise(() => undefined) },
    });
    await world.succeeds('orders');
    await turningUntil(clock, controller, world.received(2));
    // Thirty seconds are what the request for the secret has.
    expect(clock.turned).toBeLessThan(30_000);
  });
});

describe('an API server that comes back empty', () => {
  it('is trusted: deleted objects cause no message, readiness is red until the set-up, and new objects are new', async () => {
    const { world, clock, controller } = await served();
    await world.hibernate('orders');
    await world.received(1);
    await world.cluster.close();
    const empty = await eventually(() => startDevCluster({ port: world.cluster.port }));
    onTestFinished(() => empty.close());
    await turningUntil(
      clock,
      controller,
      world.logged(/hibernateplans.*is its CustomResourceDefinition installed/),
    );
    await world.installCrds();
    await turningUntil(
      clock,
      controller,
      until(async () => (await readyz(controller)).includes('readyz check passed')),
    );
    expect(await metricsOf(controller)).toMatch(/^hnotif_plans 0$/m);
    await world.addNamespace(NAMESPACE);
    await world.secret('n');
    await world.notification('n', { onEvents: ['Start', 'Success'] });
    await world.plan('anew');
    await until(async () => /^hnotif_matches 1$/m.test(await metricsOf(controller)));
    await world.hibernate('anew');
    const records = await world.received(2);
    expect(records.map((record) => contextOf(record).plan.name)).toEqual(['orders', 'anew']);
    expect(controller.totals()).toMatchObject({ failed: 0, dropped: 0 });
  });
});

describe('a CRD', () => {
  const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

  it.each([
    ['hibernatenotifications', '[-]notifications', '[+]plans'],
    ['hibernateplans', '[-]plans', '[+]notifications'],
  ])(
    'of %s that is deleted and created again while hnotif runs is waited for: logged once, red, then watched',
    async (resource, red) => {
      const { world, clock, controller } = await served();
      await world.kube.delete(`${CRDS}/${resource}.hibernation.dev`);
      await turningUntil(
        clock,
        controller,
        world.logged(new RegExp(`${resource}.*is its CustomResourceDefinition installed`)),
      );
      expect(await readyz(controller)).toContain(red);
      await minute(clock, controller);
      expect(warnings(world, new RegExp(`"resource":"${resource}.*installed`))).toHaveLength(1);
      for (const crd of crds(GROUP, { withPlans: true }) as { metadata: { name: string } }[])
        if (crd.metadata.name.startsWith(resource)) await world.kube.post(CRDS, crd);
      await turningUntil(
        clock,
        controller,
        until(async () => (await readyz(controller)).includes('readyz check passed')),
      );
      if (resource === 'hibernateplans') await world.plan('orders');
      else await world.notification('n', { onEvents: ['Start'] });
      await until(async () => /^hnotif_matches 1$/m.test(await metricsOf(controller)));
      await world.hibernate('orders');
      const records = await world.received(1);
      expect(records.map(inWords)).toEqual(['Start']);
      expect(controller.totals()).toMatchObject({ failed: 0, dropped: 0 });
    },
  );

  it('of connectors that is created later delays nothing, and fills their fields from then on', async () => {
    const world = await World.start({ crds: false });
    const all = crds(GROUP, { withPlans: true }) as { metadata: { name: string } }[];
    const isConnector = ({ metadata: { name } }: { metadata: { name: string } }): boolean =>
      /^(cloudproviders|k8sclusters)/.test(name);
    for (const crd of all) if (!isConnector(crd)) await world.kube.post(CRDS, crd);
    await world.secret('n');
    await world.notification('n', { onEvents: ['Start', 'Success'] });
    await world.plan('orders');
    const clock = new TurnedClock();
    const controller = await world.synced({ clock });
    await world.logged(/cloudproviders.*is its CustomResourceDefinition installed/);
    expect(await readyz(controller)).toContain('readyz check passed');
    await world.hibernate('orders');
    await world.received(1);
    for (const crd of all) if (isConnector(crd)) await world.kube.post(CRDS, crd);
    await provider(world);
    await turningUntil(clock, controller, world.logged(/cloudproviders.*is followed again/));
    await world.succeeds('orders');
    const [, success] = await world.received(2);
    expect(success && contextOf(success).targets?.[0]?.connector.accountId).toBe('123456789012');
  });
});

describe('rights', () => {
  it('that are missing are reported with a remedy, once in the log and in /readyz; hnotif continues when they are granted', async () => {
    const world = await World.start();
    await world.secret('n');
    await world.notification('n', { onEvents: ['Start'] });
    await world.plan('orders');
    const clock = new TurnedClock();
    const grant = world.cluster.faults.add({
      ...{ verb: 'list', resource: 'hibernateplans' },
      effect: { kind: 'status', code: 403, reason: 'Forbidden', message: 'plans are forbidden' },
    });
    const controller = await world.controller({ clock });
    await world.logged(/hibernateplans.*may not be listed and watched: see the rights/);
    await minute(clock, controller);
    expect(await readyz(controller)).toBe(
      '[+]leader leading, without election\n[+]notifications ok\n[+]journals ok\n[-]plans plans are forbidden\nreadyz check failed\n',
    );
    expect(warnings(world, /may not be listed/)).toHaveLength(1);
    grant();
    await turningUntil(clock, controller, controller.synced);
    await world.hibernate('orders');
    await world.received(1);
  });
});

describe('an API server that has just started and has not read its roles', () => {
  it('is reported as such, not as missing rights, and nothing is lost', async () => {
    const { world, clock, controller } = await served();
    await world.hibernate('orders');
    await world.received(1);
    await world.status('n', ({ sinks }) => sinks?.[0]?.lastSuccess !== undefined);
    const message = 'no right: the roles are not read yet';
    const effect = { kind: 'status', code: 403, reason: 'Forbidden', message } as const;
    const ready = world.cluster.faults.add({ effect });
    world.cluster.faults.cutWatches('end');
    await world.logged(/hibernateplans\S* cannot be followed for the moment: .*until it has read its roles/);
    const failing = await readyz(controller);
    ready();
    expect(failing).toMatch(/\[-\]plans no right: the roles are not read yet: .*until it has read its roles/);
    await world.succeeds('orders');
    await turningUntil(clock, controller, world.received(2));
    expect(world.log.filter((line) => /service account|"reason":"SecretForbidden"/.test(line))).toEqual([]);
    const { conditions } = await world.status('n', () => true);
    expect(conditions?.[0]).toMatchObject({ type: 'Ready', status: 'True' });
  });
});
