import { describe, expect, it } from 'vitest';
import type { ControllerOptions } from '../src/controller/options.ts';
import { poll } from '@hnotif/core/lifecycle';
import type { SinkStatus } from '@hnotif/core/resources';
import { eventually } from '../../core/src/testing/eventually.ts';
import { startProxy } from './support/proxy.ts';
import { TurnedClock } from '../../lab/src/turned-clock.ts';
import { contextOf, inWords, NAMESPACE, metricsOf, World } from './support/world.ts';

/** Sends that fail at once, and probes that come soon. */
const QUICK: Partial<ControllerOptions> = {
  limits: { backoffMinMs: 1, backoffMaxMs: 5, probeMinMs: 50, probeMaxMs: 100 },
};
/** Longer than the test. */
const MAX_AGE_MS = 3_600_000;
/** …and probes that never come by themselves. */
const NO_PROBES: Partial<ControllerOptions> = {
  limits: { backoffMinMs: 1, backoffMaxMs: 5, probeMinMs: 3_600_000, probeMaxMs: 3_600_000 },
};

async function served(...sinks: string[]): Promise<World> {
  const world = await World.start();
  for (const name of sinks) await world.secret(name);
  await world.notification('n', { onEvents: ['Start', 'Success'], sinks });
  await world.plan('orders');
  return world;
}

const conditionOf = (world: World, reason: string) =>
  world
    .status('n', ({ conditions }) => conditions?.[0]?.reason === reason)
    .then((status) => ({
      condition: status.conditions?.[0],
      row: status.sinks?.[0],
    }));

interface Told {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly involvedObject: { readonly name: string };
}

async function eventsOf(world: World): Promise<readonly Told[]> {
  const list = await world.kube.get(`/api/v1/namespaces/${NAMESPACE}/events`);
  return list.items as readonly Told[];
}

describe('a receiver that is down', () => {
  it('costs no delivery: all of them wait, are reported, and arrive in order when it works again', async () => {
    const world = await served('s');
    await world.plan('second');
    const mend = world.receiver.faults.add({ fault: { kind: 'status', status: 500, body: 'out of disk' } });
    const controller = await world.synced(QUICK);
    for (const plan of ['orders', 'second']) {
      await world.hibernate(plan);
      await world.succeeds(plan);
    }
    // A probe has failed: the receiver is not expected to come back by itself.
    const { condition, row } = await conditionOf(world, 'ServerError');
    expect(condition).toMatchObject({
      status: 'False',
      message: expect.stringMatching(/out of disk/) as string,
    });
    expect(row?.reason).toBe('ServerError');
    expect(condition?.message).toMatch(
      /^sink s: [1-4] deliver(y waits|ies wait) since .*Z; the next try is due at .*Z; .*500/,
    );
    expect(row).toMatchObject({ state: 'Parked', waitingSince: expect.any(String) as string });
    const series = `hnotif_sinks_waiting{namespace="${NAMESPACE}",notification="n",state="parked",reason="ServerError"} 1\n`;
    await expect.poll(() => metricsOf(controller)).toContain(series);
    await world.receiver.waitFor((records) => records.length >= 12);
    mend();
    const records = await world.received(4);
    for (const plan of ['orders', 'second'])
      expect(records.filter((record) => contextOf(record).plan.name === plan).map(inWords)).toEqual([
        'Start',
        'Success',
      ]);
    const status = await conditionOf(world, 'SinksReady');
    expect(status.row).toMatchObject({ consecutiveFailures: 0 });
    expect(status.row?.message).toBeUndefined();
    expect(await metricsOf(controller)).not.toContain('hnotif_sinks_waiting{');
    await controller.stop();
    expect(controller.totals()).toEqual({ delivered: 4, failed: 0, dropped: 0, suppressed: 0 });
    const lines = world.log.map((line) => JSON.parse(line) as { level: string; msg: string });
    expect(lines.filter(({ msg }) => msg === 'sink parked')).toHaveLength(1);
    expect(lines.filter(({ msg }) => msg === 'sink takes messages again')).toHaveLength(1);
    expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
    expect((await eventsOf(world)).map(({ type, reason }) => `${type} ${reason}`).sort()).toEqual([
      'Normal SinkRecovered',
      'Warning SinkParked',
    ]);
  });

  it('for more deliveries than there is room loses the beginnings of nights before their ends; all losses are counted and reported', async () => {
    const world = await served('s');
    const mend = world.receiver.faults.add({ fault: { kind: 'status', status: 500 } });
    const plans = Array.from({ length: 30 }, (_, at) => `plan-${at}`);
    for (const plan of plans) await world.plan(plan);
    // Until the receiver is mended nothing is tried again, and one alone is tried: what was tried once keeps its place.
    const clock = new TurnedClock();
    const limits = { backoffMinMs: 1, backoffMaxMs: 5, probeMinMs: 200_000, probeMaxMs: 200_000 };
    const controller = await world.synced({
      ...{ clock, leaderElect: false },
      limits: { ...limits, backlogBytes: 40_000, requestsPerSink: 1, retries: 0 },
    });
    for (const plan of plans) {
      const { metadata } = await world.hibernate(plan);
      await controller.seen(NAMESPACE, plan, metadata.resourceVersion);
    }
    for (const plan of plans) {
      const { metadata } = await world.succeeds(plan);
      await controller.seen(NAMESPACE, plan, metadata.resourceVersion);
    }
    await world.logged(/"reason":"overflow".*deliveries dropped/);
    // The first request has failed: a turn while it is on its way would end it, and the probe would come after the turn.
    await world.logged(/sink parked/);
    mend();
    // Not so far that the signatures would be too old.
    clock.turn(250_000);
    const ends = await world.receiver.waitFor((records) => {
      const accepted = records.filter(({ answered }) => answered.accepted);
      const ended = accepted.filter((record) => inWords(record) === 'Success');
      return ended.length === plans.length && ended;
    });
    expect(ends.map((record) => contextOf(record).plan.name).sort()).toEqual([...plans].sort());
    await eventually(() => {
      const { delivered, dropped, failed } = controller.totals();
      expect([delivered + dropped, failed]).toEqual([2 * plans.length, 0]);
      expect(dropped).toBeGreaterThan(0);
    });
    const events = (await eventsOf(world)).map(({ reason }) => reason);
    expect(events).toContain('DeliveryDropped');
  });

  it('gets only the newest progress of a target, if its sink is configured so', async () => {
    const world = await World.start();
    for (const name of ['s', 'all']) {
      await world.secret(name, { coalesce_progress: name === 's' });
      await world.notification(name, { onEvents: ['Start', 'ExecutionProgress', 'Success'], sinks: [name] });
    }
    await world.plan('orders');
    const mend = world.receiver.faults.add({ fault: { kind: 'status', status: 500 } });
    const controller = await world.synced(QUICK);
    await world.hibernate('orders');
    await world.receiver.waitFor((records) => new Set(records.map(({ path }) => path)).size === 2);
    await world.write('orders', (status, at) => poll(status, [{ target: 'db', state: 'Running' }], at));
    const { metadata } = await world.succeeds('orders');
    await controller.seen(NAMESPACE, 'orders', metadata.resourceVersion);
    mend();
    const all = ['Start', 'ExecutionProgress db Running', 'ExecutionProgress db Completed', 'Success'];
    expect((await world.received(4, 'all')).map(inWords)).toEqual(all);
    expect((await world.received(3, 's')).map(inWords)).toEqual(
      all.filter((told) => !told.includes('Running')),
    );
    await controller.stop();
    expect(controller.totals()).toEqual({ delivered: 7, failed: 0, dropped: 0, suppressed: 1 });
  });

  it('delays no stop: the stop does not wait for its deliveries', async () => {
    const world = await served('s');
    world.receiver.faults.add({ fault: { kind: 'status', status: 500 } });
    const controller = await world.synced({ ...NO_PROBES, drainTimeoutMs: 3_600_000 });
    await world.hibernate('orders');
    await world.logged(/sink parked/);
    await controller.stop();
    expect(controller.totals()).toEqual({ delivered: 0, failed: 0, dropped: 0, suppressed: 0 });
    expect(controller.pending()).toBe(1);
  });

  it('until a message is too old costs that one: it is counted, reported as an Event, and shown in the status', async () => {
    const world = await served('s');
    world.receiver.faults.add({ fault: { kind: 'status', status: 500 } });
    const clock = new TurnedClock();
    const controller = await world.synced({ ...NO_PROBES, clock, maxAgeMs: MAX_AGE_MS });
    await world.hibernate('orders');
    await world.status('n', (status) => status.sinks?.[0]?.reason === 'ServerError');
    clock.turn(MAX_AGE_MS);
    const { sinks } = await world.status('n', (status) => status.sinks?.[0]?.dropped !== undefined);
    expect(sinks?.[0]).toMatchObject({
      reason: 'ServerError',
      dropped: [expect.objectContaining({ reason: 'expired', count: 1 })],
    });
    expect(sinks?.[0]).not.toHaveProperty('waiting');
    const metrics = await metricsOf(controller);
    expect(metrics).toMatch(/^hnotif_deliveries_dropped_total{.*sink="s".*reason="expired"} 1$/m);
    await controller.stop();
    const told = (await eventsOf(world)).filter(({ reason }) => reason === 'DeliveryDropped');
    expect(told.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^sink s: expired: it waited for longer than --max-age allows; the last try: ServerError: .*500/,
      ),
    ]);
  });

  it('is reported as an Event of each sink, however many fail at once', async () => {
    const world = await World.start();
    // A notification may have 64 writes of Events at once. On a slow machine a sink needs three: late, on time again, failed.
    const sinks = Array.from({ length: 12 }, (_, index) => `s-${index}`);
    const notifications = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    for (const name of sinks) await world.secret(name);
    for (const name of notifications) await world.notification(name, { onEvents: ['Start'], sinks });
    await world.plan('orders');
    world.receiver.faults.add({ fault: { kind: 'status', status: 400 } });
    const controller = await world.synced();
    // All of them are to be told at one time.
    let write = (): void => undefined;
    const until = new Promise<void>((resolve) => (write = resolve));
    world.cluster.faults.add({ resource: 'events', effect: { kind: 'delay', until } });
    await world.hibernate('orders');
    const all = notifications.length * sinks.length;
    await expect.poll(() => controller.totals().failed).toBe(all);
    write();
    const told = async (): Promise<number> =>
      new Set(
        (await eventsOf(world)).map(
          ({ involvedObject, message }) => `${involvedObject.name} ${message.split(':')[0]}`,
        ),
      ).size;
    await expect.poll(told).toBe(all);
  });

  it('is reported by the next process only if it is still down', async () => {
    const world = await served('s');
    world.receiver.faults.add({ fault: { kind: 'status', status: 500 } });
    const first = await world.synced(NO_PROBES);
    await world.hibernate('orders');
    const rowOf = async (wanted: (row: SinkStatus) => boolean) =>
      (await world.status('n', ({ sinks }) => sinks?.some(wanted) === true)).sinks?.[0];
    const row = await rowOf(({ waiting }) => waiting === 1);
    await first.stop();
    // As a killed process leaves it.
    await world.kube.patch(`${world.notificationPath('n')}/status`, { status: { sinks: [row] } });
    await world.synced({ ...NO_PROBES, maxAgeMs: 1 });
    const left = await rowOf(({ dropped }) => dropped?.[0]?.reason === 'expired');
    expect(left).toMatchObject({ reason: row?.reason, message: row?.message, lastFailure: row?.lastFailure });
    expect(left).not.toHaveProperty('waiting');
  });
});

describe('a credential that is refused', () => {
  const refuse = (world: World) =>
    world.receiver.faults.add({ match: { path: '/s' }, fault: { kind: 'status', status: 401 } });

  it('quarantines its sink until the secret changes, which is noticed at once; nothing is lost', async () => {
    const world = await served('s');
    refuse(world);
    const controller = await world.synced(NO_PROBES);
    await world.hibernate('orders');
    await world.succeeds('orders');
    const { condition, row } = await conditionOf(world, 'Unauthorized');
    expect(condition).toMatchObject({ status: 'False' });
    expect(condition?.message).toMatch(
      /[12] deliver(y waits|ies wait) since.*401.*wants a credential, put it into headers.* \(secret s\)/,
    );
    expect(row?.state).toBe('Quarantined');
    await world.secret('s', { url: `${world.receiver.url}mended` });
    expect((await world.received(2, 'mended')).map(inWords)).toEqual(['Start', 'Success']);
    expect((await conditionOf(world, 'SinksReady')).condition).toMatchObject({ status: 'True' });
    await controller.stop();
    expect(controller.totals()).toEqual({ delivered: 2, failed: 0, dropped: 0, suppressed: 0 });
    const events = await eventsOf(world);
    expect(events.map(({ reason }) => reason).sort()).toEqual(['SinkQuarantined', 'SinkRecovered']);
    const [quarantined] = events.filter(({ type }) => type === 'Warning');
    expect(quarantined?.message).toMatch(/^sink s: Unauthorized: .*401/);
  });

  it('is not ready for the next process either, also when nothing waits any more', async () => {
    const world = await served('s');
    refuse(world);
    const first = await world.synced({ ...NO_PROBES, maxAgeMs: 500 });
    await world.hibernate('orders');
    await conditionOf(world, 'Unauthorized');
    await world.status('n', ({ sinks }) => sinks?.[0]?.dropped?.[0]?.reason === 'expired');
    await first.stop();
    const proxy = await startProxy(world.cluster.url);
    const second = await world.synced({ ...NO_PROBES, kubeconfig: await world.kubeconfig(proxy.url) });
    await expect.poll(() => proxy.rights.some(({ resource }) => resource === 'secrets')).toBe(true);
    await world.plan('second');
    const { conditions } = await world.status('n', ({ matched }) => matched === 2);
    expect(conditions?.[0]).toMatchObject({ status: 'False', reason: 'Unauthorized' });
    const metrics = await metricsOf(second);
    expect(metrics).toContain('\nhnotif_notifications_not_ready 1\n');
    await second.stop();
    await world.secret('s', { url: `${world.receiver.url}mended` });
    await world.synced(NO_PROBES);
    const { condition, row } = await conditionOf(world, 'SinksReady');
    expect(condition).toMatchObject({ status: 'True' });
    expect(row).not.toHaveProperty('refused');
  });

  it('is reported again when the notification is created again, and a secret that is deleted afterwards is noticed soon', async () => {
    const world = await served('s');
    refuse(world);
    await world.synced({ ...NO_PROBES, recheckUnreadyMs: 100, unsubscribeAfterMs: 3_600_000 });
    await world.hibernate('orders');
    await conditionOf(world, 'Unauthorized');
    await world.kube.delete(world.notificationPath('n'));
    await world.notification('n', { onEvents: ['Start'], sinks: ['s'] });
    const { condition, row } = await conditionOf(world, 'Unauthorized');
    expect(condition).toMatchObject({ status: 'False' });
    expect(row?.reason).toBe('Unauthorized');
    expect(row).toMatchObject({ state: 'Quarantined', waiting: 1 });
    await world.kube.delete(`/api/v1/namespaces/${NAMESPACE}/secrets/s`);
    expect((await conditionOf(world, 'SecretMissing')).condition).toMatchObject({ status: 'False' });
  });

  it('is tried at once when the notification names another secret', async () => {
    const world = await served('s');
    refuse(world);
    await world.secret('other');
    await world.synced({ ...NO_PROBES, recheckUnreadyMs: 3_600_000 });
    await world.hibernate('orders');
    await world.logged(/sink quarantined/);
    const sinks = [{ name: 's', type: 'webhook', secretRef: { name: 'other' } }];
    await world.kube.patch(world.notificationPath('n'), { spec: { sinks } });
    await world.received(1, 'other');
  });

  it('also if it is an unreadable configuration or a missing secret, loses nothing', async () => {
    const world = await World.start();
    await world.secret('faulty', '{"url": 7}');
    await world.notification('n', { onEvents: ['Start'], sinks: ['faulty', 'missing'] });
    await world.plan('orders');
    const controller = await world.synced(NO_PROBES);
    await world.hibernate('orders');
    await world.logged(/"sink":"faulty".*"msg":"sink quarantined"/);
    await world.logged(/"sink":"missing".*"msg":"sink parked"/);
    await world.secret('faulty');
    await world.secret('missing');
    await world.received(1, 'faulty');
    await world.received(1, 'missing');
    await controller.stop();
    expect(controller.totals()).toEqual({ delivered: 2, failed: 0, dropped: 0, suppressed: 0 });
  });
});

describe('a message that its receiver cannot accept', () => {
  it('while it accepts others has failed after three sends, and the next message of its plan arrives', async () => {
    const world = await served('s');
    const isPoison = (body: unknown): boolean => {
      const { context } = body as { context: { event: string; plan: { name: string } } };
      return context.plan.name === 'orders' && context.event === 'Start';
    };
    world.receiver.faults.add({ match: { json: isPoison }, fault: { kind: 'status', status: 500 } });
    // Long enough for another message to arrive within each send.
    const limits = { backoffMinMs: 100, backoffMaxMs: 100, probeMinMs: 50, probeMaxMs: 50 };
    const controller = await world.synced({ limits });
    await world.hibernate('orders');
    await world.succeeds('orders');
    const failed = (): boolean => controller.totals().failed > 0;
    for (let plan = 0; !failed() && plan < 500; plan++) {
      await world.plan(`other-${plan}`);
      await world.hibernate(`other-${plan}`);
    }
    const after = await world.receiver.waitFor((records) =>
      records.find((record) => contextOf(record).plan.name === 'orders' && record.answered.accepted),
    );
    expect(contextOf(after).event).toBe('Success');
    await controller.stop();
    expect(controller.totals()).toMatchObject({ failed: 1, dropped: 0 });
    const poisoned = world.receiver.records.filter(({ json }) => isPoison(json));
    expect(new Set(poisoned.map(({ id }) => id)).size).toBe(1);
    expect(poisoned.length).toBeGreaterThanOrEqual(12);
    const events = await eventsOf(world);
    expect(events.map(({ reason }) => reason)).toContain('DeliveryFailed');
  });
});

describe('neighbours', () => {
  it('that are dead, hang or throttle do not affect a healthy one: all of its messages arrive, in order', async () => {
    const plans = Array.from({ length: 40 }, (_, index) => `plan-${index}`);
    const world = await World.start();
    const sinks = ['dead', 'hanging', 'throttling', 'healthy'];
    for (const name of sinks) {
      await world.secret(name);
      await world.notification(name, { onEvents: ['Start', 'Success'] });
    }
    world.receiver.faults.add({ match: { path: '/dead' }, fault: { kind: 'reset-before-accept' } });
    world.receiver.faults.add({ match: { path: '/hanging' }, fault: { kind: 'hang' } });
    world.receiver.faults.add({
      match: { path: '/throttling' },
      fault: { kind: 'status', status: 429, retryAfter: { inSeconds: 600 } },
    });
    for (const plan of plans) await world.plan(plan);
    const controller = await world.synced({ drainTimeoutMs: 0 });
    for (const plan of plans) {
      await world.hibernate(plan);
      await world.succeeds(plan);
    }
    const arrived = await world.received(plans.length * 2, 'healthy');
    for (const plan of plans)
      expect(arrived.filter((record) => contextOf(record).plan.name === plan).map(inWords)).toEqual([
        'Start',
        'Success',
      ]);
    // The last answer is in: a stop would cut it off.
    await expect.poll(() => controller.totals().delivered).toBe(plans.length * 2);
    await controller.stop();
    const count = (path: string): number =>
      world.receiver.records.filter((record) => record.path === `/${path}`).length;
    expect(count('healthy')).toBe(plans.length * 2);
    // Until the first answer is in, sixteen at once.
    expect(count('throttling')).toBeLessThanOrEqual(16);
    expect(controller.totals()).toEqual({
      delivered: plans.length * 2,
      failed: 0,
      dropped: 0,
      suppressed: 0,
    });
    expect(controller.pending()).toBe(plans.length * 6);
  });
});
