import { startDevCluster, type DevCluster } from '@hnotif/devcluster';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock, type Clock } from '../src/clock.ts';
import { loadAccess } from '../src/cluster/access.ts';
import { KubeClient } from '../src/cluster/client.ts';
import { EventRecorder } from '../src/cluster/event-recorder.ts';
import { Reflector } from '../src/cluster/reflector.ts';
import { ContentReader } from '../src/cluster/content-reader.ts';
import { StatusWriter } from '../src/cluster/status-writer.ts';
import { defaultPlanResource, notificationsOf } from '../src/resources/group.ts';
import { parsePlan } from '../src/resources/parse-plan.ts';
import type { Plan } from '../src/resources/plan.ts';
import { crds } from '../src/resources/crds/crds.ts';
import type { Kube } from './support/kube.ts';
import { StillClock } from './support/turned-clock.ts';
import { GROUP, NAMESPACE, World } from './support/world.ts';

const PLANS = `/apis/${GROUP}/v1alpha1/namespaces/${NAMESPACE}/hibernateplans`;

/** The pauses between attempts pass forty times as fast. */
const hasty: Clock = { ...systemClock, after: (ms, run) => systemClock.after(ms / 40, run) };

const quiet = pino({ level: 'silent' });

async function clientOf(kubeconfig: string): Promise<KubeClient> {
  const access = await loadAccess({ kubeconfig, env: {} });
  const client = new KubeClient({ access, clock: systemClock });
  onTestFinished(() => client.close());
  return client;
}

/** What a reflector of plans tells, and a way to wait for it. */
class Told {
  readonly #lines: string[] = [];
  readonly hooks: string[] = [];
  #changed: () => void = () => undefined;
  readonly reflector: Reflector<Plan>;

  constructor(client: KubeClient, clock: Clock = hasty) {
    this.reflector = new Reflector({
      client,
      type: defaultPlanResource(GROUP),
      pageSize: 2,
      parse: parsePlan,
      clock,
      log: quiet,
      hooks: {
        listed: (count) => this.hooks.push(`listed ${count}`),
        watchRestarted: (reason) => this.hooks.push(reason),
        failed: (reason) => {
          this.hooks.push(`failed ${reason}`);
          this.#changed();
        },
      },
      handler: {
        changed: (plan, previous) => {
          this.#tell(`${previous ? `${previous.status.phase}>` : '+'}${plan.status.phase} ${plan.name}`);
        },
        deleted: (plan) => {
          this.#tell(`-${plan.name}`);
        },
        synced: () => {
          this.#tell('synced');
        },
      },
    });
    this.reflector.start();
    onTestFinished(() => this.reflector.stop());
  }

  /** Resolves with the lines so far once one of them is `last`, and begins anew. */
  async upTo(last: string): Promise<string[]> {
    await this.when(() => this.#lines.includes(last));
    return this.#lines.splice(0);
  }

  async when(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => (this.#changed = resolve));
  }

  #tell(line: string): void {
    this.#lines.push(line);
    this.#changed();
  }
}

test('a reflector follows a real server through creation, change, deletion and compaction', async () => {
  const world = await World.start();
  for (const name of ['a', 'b', 'c']) await world.plan(name);
  const told = new Told(await clientOf(await world.kubeconfig()));
  expect((await told.upTo('synced')).sort()).toEqual(['+Active a', '+Active b', '+Active c', 'synced']);

  await world.write('a', (status) => ({ ...status, phase: 'Hibernating' }));
  await world.kube.delete(`${PLANS}/b`);
  await world.plan('d');
  expect(await told.upTo('>Active d')).toEqual(['Active>Hibernating a', '-b', '+ d', '>Active d']);

  world.cluster.compact();
  await world.write('a', (status) => ({ ...status, phase: 'Hibernated' }));
  expect(await told.upTo('Hibernating>Hibernated a')).toEqual(['Hibernating>Hibernated a']);
  expect(told.reflector.get(NAMESPACE, 'a')?.status.phase).toBe('Hibernated');
  expect([...told.reflector.objects()].map(({ name }) => name).sort()).toEqual(['a', 'c', 'd']);
});

test('a watch that goes silent costs no change: after its time-out all changes are reported in order', async () => {
  const world = await World.start();
  for (const name of ['a', 'b']) await world.plan(name);
  const clock = new StillClock();
  const told = new Told(await clientOf(await world.kubeconfig()), clock);
  await told.upTo('synced');
  await world.write('b', (status) => ({ ...status, phase: 'Suspended' }));
  await told.upTo('Active>Suspended b');

  expect(world.cluster.faults.silenceWatches({ resource: 'hibernateplans' })).toBe(1);
  await world.write('a', (status) => ({ ...status, phase: 'Hibernating' }));
  await world.kube.delete(`${PLANS}/b`);
  await world.plan('b');
  clock.turn(149_999);
  expect(told.hooks).toEqual(['listed 2']);
  clock.turn(1);
  expect(await told.upTo('>Active b')).toEqual(['Active>Hibernating a', '-b', '+ b', '>Active b']);
  expect(told.hooks).toEqual(['listed 2', 'idle']);

  world.cluster.faults.silenceWatches({ resource: 'hibernateplans' });
  await world.kube.delete(`${PLANS}/b`);
  await world.plan('b');
  world.cluster.compact();
  clock.turn(150_000);
  expect(await told.upTo('+Active b')).toEqual(['-b', '+Active b']);
  expect(told.hooks.slice(2)).toEqual(['idle', 'expired', 'listed 2']);
});

async function plan(kube: Kube, name: string): Promise<void> {
  await kube.post(PLANS, {
    apiVersion: `${GROUP}/v1alpha1`,
    kind: 'HibernatePlan',
    metadata: { name },
    spec: { targets: [{ name: 'db', type: 'rds', connectorRef: { kind: 'CloudProvider', name: 'aws' } }] },
  });
}

test('a server that goes away and comes back, empty and without the CRD, is waited for and then trusted', async () => {
  const world = await World.start();
  await plan(world.kube, 'a');
  await plan(world.kube, 'b');
  const told = new Told(await clientOf(await world.kubeconfig()));
  await told.upTo('synced');
  const { port } = world.cluster;
  await world.cluster.close();
  await told.when(() => told.hooks.includes('failed Unreachable'));
  expect(told.reflector.state).toBe('failing');
  expect(told.reflector.error).toContain(`http://127.0.0.1:${port}`);

  const reopened: DevCluster = await vi.waitFor(() => startDevCluster({ port }), 60_000);
  onTestFinished(() => reopened.close());
  await told.when(() => told.hooks.includes('failed NotFound'));
  await world.namespace(NAMESPACE);
  for (const crd of crds(GROUP, { withPlans: true }))
    await world.kube.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd);
  await plan(world.kube, 'a');
  const lines = [...(await told.upTo('+ a'))];
  if (!lines.includes('-b')) lines.push(...(await told.upTo('-b')));
  expect(lines.sort()).toEqual(['+ a', '-a', '-b']);
  expect(told.reflector.state).toBe('synced');
});

test('a real server accepts and returns statuses, Events and secrets', async () => {
  const world = await World.start();
  await world.secret('ops', { url: 'https://receiver.test' });
  await world.notification('ops', { onEvents: ['Start'] });
  const path = world.notificationPath('ops');
  const first = (await world.kube.get(path)).metadata;
  const client = await clientOf(await world.kubeconfig());
  const results: string[] = [];
  const write = async (status: object): Promise<void> => {
    const writer = new StatusWriter({
      client,
      clock: systemClock,
      log: quiet,
      result: (result) => results.push(result),
    });
    writer.set(notificationsOf(GROUP), NAMESPACE, 'ops', first.uid, status);
    await writer.close();
  };
  await write({ matched: 3, sinks: [{ name: 'ops', consecutiveFailures: 0 }] });
  expect((await world.kube.get(path)).status).toMatchObject({ matched: 3, sinks: [{ name: 'ops' }] });

  await world.kube.delete(path);
  await world.notification('ops', { onEvents: ['Start'] });
  await write({ matched: 4, sinks: [] });
  expect((await world.kube.get(path)).status).toBeUndefined();
  expect(results).toEqual(['written', 'failed']);

  const recorder = new EventRecorder({ client, clock: systemClock, log: quiet });
  const regarding = {
    apiVersion: `${GROUP}/v1alpha1`,
    kind: 'HibernateNotification',
    namespace: NAMESPACE,
    name: 'ops',
    uid: (await world.kube.get(path)).metadata.uid,
  };
  for (let note = 1; note <= 3; note++) recorder.warn(regarding, 'DeliveryFailed', `failure ${note}`, 'ops');
  await recorder.close();
  const events = (await world.kube.get(`/api/v1/namespaces/${NAMESPACE}/events`)) as unknown as {
    items: { message: string; count: number }[];
  };
  expect(events.items.map(({ message, count }) => ({ message, count }))).toEqual([
    { message: 'failure 3', count: 3 },
  ]);

  const reading = await new ContentReader('secrets', { client, clock: systemClock, ttlMs: 5_000 }).read(
    NAMESPACE,
    'ops',
    'config',
  );
  expect(reading.kind === 'found' && Buffer.from(reading.value).toString()).toContain(
    'https://receiver.test',
  );
});
