import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { begin, poll, succeed } from '@hnotif/core/lifecycle';
import { crds } from '@hnotif/core/resources';
import { journalOf, journalPath, journals, pending, QUICK, subscribed, written } from './support/journals.ts';
import { ALL, END, NIGHT } from '../../lab/src/nights.ts';
import { TurnedClock } from '../../lab/src/turned-clock.ts';
import { contextOf, GROUP, inWords, NAMESPACE, metricsOf, World } from './support/world.ts';

const RESOURCE = 'hibernatenotificationjournals';
const WRITING = ['create', 'patch'] as const;

const durable = (world: World, wanted: 'True' | 'False') =>
  world
    .status('n', ({ conditions }) =>
      (conditions ?? []).some(({ type, status }) => type === 'Durable' && status === wanted),
    )
    .then(({ conditions }) => conditions?.find(({ type }) => type === 'Durable'));

function withKubectl(): boolean {
  try {
    execFileSync('kubectl', ['version', '--client'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function kubectl(world: World, ...args: readonly string[]): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', KUBECONFIG: await world.kubeconfig() };
  return (await promisify(execFile)('kubectl', args, { env })).stdout;
}

describe('journals that cannot be written', () => {
  it('that are refused: deliveries continue from memory, and the condition gives the reason and a remedy, until writes succeed', async () => {
    const clock = new TurnedClock();
    const world = await subscribed();
    const remove = WRITING.map((verb) =>
      world.cluster.faults.add({
        verb,
        resource: RESOURCE,
        effect: { kind: 'status', code: 403, reason: 'Forbidden', message: 'exceeded quota: journals' },
      }),
    );
    const controller = await world.synced({ clock });
    await world.hibernate('orders');
    await world.succeeds('orders');
    expect((await world.received(5)).map(inWords)).toEqual([...NIGHT, ...END]);
    const lost = await durable(world, 'False');
    expect(lost).toMatchObject({ reason: 'Forbidden' });
    expect(lost?.message).toMatch(
      /^journals cannot be written: the deliveries that wait are lost if hnotif ends: .*exceeded quota: journals; raise the quota/,
    );
    const metrics = await metricsOf(controller);
    expect(metrics).toMatch(/hnotif_journal_writes_total\{result="refused"\} [1-9]/);
    expect(metrics).toContain(`hnotif_plans_undurable{reason="Forbidden"} 1\n`);
    expect(world.log.filter((line) => line.includes('delivering from memory'))).toHaveLength(1);

    for (const each of remove) each();
    clock.turn(60_000);
    expect(await durable(world, 'True')).toMatchObject({ reason: 'Journalled' });
    expect(await metricsOf(controller)).not.toContain('hnotif_plans_undurable{');
    await pending(world, 'orders', 0);
    await world.logged(/plans are served and kept again/);
  });

  it.each([
    ['for a plan without a journal', false, 500, /etcdserver: request timed out/],
    ['for existing journals, with an unknown token', true, 401, /our credentials/],
  ])(
    'after half a minute of errors (%s): then deliveries continue from memory, and not earlier',
    async (_, stands, code, words) => {
      const clock = new TurnedClock();
      const world = await subscribed();
      const controller = await world.synced({ clock });
      if (stands) await written(controller);
      const message = code === 500 ? 'etcdserver: request timed out' : undefined;
      const effect = { kind: 'status', code, ...(message && { message }) } as const;
      const remove = WRITING.map((verb) => world.cluster.faults.add({ verb, resource: RESOURCE, effect }));
      await world.hibernate('orders');
      // The status proves the first events to the next process. So they wait for no write.
      if (stands) await world.received(2);
      // From here on the half minute counts: the answer has come.
      await expect
        .poll(() => metricsOf(controller))
        .toMatch(/hnotif_journal_writes_total\{result="(failed|there)"\} [1-9]/);
      if (stands) await world.succeeds('orders');
      clock.turn(29_000);
      const { hits } = world.cluster.faults;
      await expect.poll(() => world.cluster.faults.hits).toBeGreaterThan(hits);
      expect(world.receiver.records.map(inWords)).toEqual(stands ? NIGHT : []);
      clock.turn(2_000);
      if (!stands) {
        expect((await world.received(2)).map(inWords)).toEqual(NIGHT);
        await world.succeeds('orders');
      }
      expect((await world.received(5)).map(inWords)).toEqual([...NIGHT, ...END]);
      expect(await durable(world, 'False')).toMatchObject({
        message: expect.stringMatching(words) as string,
      });
      // It was not asked as often as it could answer.
      expect(world.cluster.faults.hits).toBeLessThan(50);
      for (const each of remove) each();
      clock.turn(60_000);
      await durable(world, 'True');
      await pending(world, 'orders', 0);
      expect(await metricsOf(controller)).toMatch(
        /hnotif_journal_writes_total\{result="(failed|there)"\} [1-9]/,
      );
    },
  );

  it('for a moment cost nothing at a stop: it tries again for as long as it would send', async () => {
    const world = await subscribed();
    const controller = await world.synced();
    await written(controller);
    const mends = WRITING.map((verb) =>
      world.cluster.faults.add({ verb, resource: RESOURCE, effect: { kind: 'status', code: 503 } }),
    );
    await world.hibernate('orders');
    const failed = async (): Promise<number> =>
      Number(
        /^hnotif_journal_writes_total\{result="failed"\} (\d+)$/m.exec(await metricsOf(controller))?.[1],
      );
    await expect.poll(failed).toBeGreaterThan(0);
    const before = await failed();
    // What the status proved was sent.
    await world.received(2);
    await world.succeeds('orders');
    await expect.poll(() => metricsOf(controller)).toContain('hnotif_journal_deliveries 3\n');
    const stopped = controller.stop();
    await expect.poll(failed).toBeGreaterThan(before);
    for (const mend of mends) mend();
    await stopped;
    expect(world.receiver.records.map(inWords)).toEqual([...NIGHT, ...END]);
    expect(controller.totals()).toMatchObject({ delivered: 5, dropped: 0 });
    expect(controller.pending()).toBe(0);
  });

  it('cost the messages that wait at a stop, which counts and reports them', async () => {
    const world = await subscribed();
    for (const verb of WRITING)
      world.cluster.faults.add({ verb, resource: RESOURCE, effect: { kind: 'status', code: 422 } });
    world.receiver.faults.add({ fault: { kind: 'hang' } });
    const controller = await world.synced({ drainTimeoutMs: 0 });
    await world.hibernate('orders');
    await world.receiver.waitFor((records) => records.length > 0);
    await controller.stop();
    expect([controller.totals().dropped, controller.pending()]).toEqual([2, 0]);
    expect(world.log.join('')).toMatch(/"deliveries":2,"msg":"deliveries lost: /);
    const events = (await world.kube.get(`/api/v1/namespaces/${NAMESPACE}/events`)).items as {
      reason: string;
      message: string;
    }[];
    expect(events.map(({ reason, message }) => `${reason} ${message}`)).toContainEqual(
      expect.stringMatching(/^DeliveryDropped .*shutdown/),
    );
  });
});

describe('writes of journals with an unusual result', () => {
  it('lost answers cost no event and repeat none', async () => {
    const world = await subscribed();
    await world.synced();
    for (const verb of WRITING)
      world.cluster.faults.add({
        verb,
        resource: RESOURCE,
        chance: 0.5,
        effect: { kind: 'reset', when: 'after' },
      });
    await world.hibernate('orders');
    await world.received(2);
    await world.succeeds('orders');
    await world.received(5);
    world.cluster.faults.clear();
    await pending(world, 'orders', 0);
    expect(world.receiver.records.map(inWords)).toEqual([...NIGHT, ...END]);
  });

  it('labels that another client sets on a journal stay, and do not stop its writes', async () => {
    const world = await subscribed();
    await world.synced();
    await world.hibernate('orders');
    const journal = await pending(world, 'orders', 0);
    const labels = { team: 'platform' };
    await world.kube.patch(journalPath(journal), { metadata: { labels } });
    await world.succeeds('orders');
    expect((await world.received(5)).map(inWords)).toEqual([...NIGHT, ...END]);
    const after = await journalOf(
      world,
      'orders',
      ({ entry }) =>
        entry.waiting === 0 && Object.values(entry.nights ?? {}).some((line) => line.includes('Success')),
    );
    const instance = { 'app.kubernetes.io/instance': 'hnotif' };
    expect(after.metadata).toMatchObject({ labels: { ...labels, ...instance } });
    expect(world.receiver.records).toHaveLength(5);
  });

  it.each([
    ['nothing waits', 0],
    ['something waits', 2],
  ])('a journal that is deleted while %s, and nothing else happens, is created again', async (_, waits) => {
    const world = await subscribed();
    if (waits > 0) world.receiver.faults.add({ fault: { kind: 'status', status: 503 } });
    await world.synced();
    await world.hibernate('orders');
    const { metadata } = await pending(world, 'orders', waits);
    await world.kube.delete(journalPath({ metadata }));
    const again = await journalOf(world, 'orders', (journal) => journal.metadata.uid !== metadata.uid);
    expect(again.entry.waiting).toBe(waits);
  });

  it('a journal that is emptied by hand, and nothing else happens, is written again, and the log says so', async () => {
    const world = await subscribed();
    world.receiver.faults.add({ fault: { kind: 'status', status: 503 } });
    await world.synced();
    await world.hibernate('orders');
    const { metadata, entry } = await pending(world, 'orders', 2);
    await world.kube.patch(journalPath({ metadata }), { spec: { plans: null } });
    const again = await pending(world, 'orders', 2);
    expect(again.entry.observed).toBe(entry.observed);
    const said = /something else has changed a journal/;
    expect(await world.logged(said)).toContain(`"journal":"${NAMESPACE}/${metadata.name}"`);
    await world.kube.patch(journalPath({ metadata }), { spec: { plans: null } });
    await pending(world, 'orders', 2);
    expect(world.log.filter((line) => line.includes('something else has changed a journal'))).toHaveLength(1);
  });

  it('a journal that is deleted during an outage of its watch is created again after the outage', async () => {
    const world = await subscribed();
    await world.synced();
    const journal = await journalOf(world, 'orders');
    const of = { verb: 'watch', resource: RESOURCE } as const;
    const back = world.cluster.faults.add({ ...of, effect: { kind: 'status', code: 503 } });
    expect(world.cluster.faults.cutWatches('reset', of)).toBe(1);
    await world.kube.delete(journalPath(journal));
    world.cluster.compact();
    back();
    await journalOf(world, 'orders', ({ metadata }) => metadata.uid !== journal.metadata.uid);
  });
});

describe('a journal that exists at the start', () => {
  async function left(patch: (uid: string) => object): Promise<World> {
    const world = await subscribed();
    const first = await world.synced();
    await world.hibernate('orders');
    const journal = await pending(world, 'orders', 0);
    await world.received(2);
    await first.stop();
    await world.kube.patch(journalPath(journal), { spec: patch(journal.uid) });
    return world;
  }
  const newer = (uid: string): object => ({ version: 4, plans: { [uid]: { observed: 'of a later day' } } });

  it('and is of a newer version is left alone: its plan is not served, and log and condition say so', async () => {
    const world = await left(newer);
    const controller = await world.synced();
    expect(await durable(world, 'False')).toMatchObject({
      reason: 'JournalTooNew',
      message: expect.stringMatching(
        /^plan orders is not served: .*another version of hnotif.*run that version, or delete the journal and the deliveries in it$/,
      ) as string,
    });
    await world.logged(/"level":"warn".*team-a\/orders.*JournalTooNew/);
    expect(await metricsOf(controller)).toContain('hnotif_plans_undurable{reason="JournalTooNew"} 1\n');
    await world.succeeds('orders');
    await world.plan('second');
    await world.hibernate('second');
    // Its place is in that journal, too: it is served from memory.
    expect((await world.received(5)).slice(2).map(inWords)).toEqual(['PhaseChange  Active', ...NIGHT]);
    expect((await journals(world)).map(({ spec }) => spec.version)).toEqual([4]);
    expect((await journalOf(world, 'orders')).entry.observed).toBe('of a later day');
    for (const plan of ['orders', 'second']) await world.kube.delete(world.planPath(plan));
    await durable(world, 'True');
  });

  it('and is of a newer version no longer blocks its plan after it is deleted', async () => {
    const world = await left(newer);
    await world.synced();
    await durable(world, 'False');
    const journal = await journalOf(world, 'orders');
    await world.kube.delete(journalPath(journal));
    await durable(world, 'True');
    await journalOf(world, 'orders', ({ spec }) => spec.version === 3);
    await world.succeeds('orders');
    expect((await world.received(5)).slice(2).map(inWords)).toEqual(END);
  });

  it('and is unreadable is started again: the log and an Event of the plan say so', async () => {
    const world = await left((uid) => ({ plans: { [uid]: { observed: '{"epoch":' } } }));
    const controller = await world.synced();
    await world.logged(/"level":"error".*cannot be read: the plan begins again/);
    expect(await metricsOf(controller)).toContain(
      `hnotif_objects_unreadable_total{resource="${RESOURCE}"} 1`,
    );
    await expect
      .poll(async () => (await world.kube.get(`/api/v1/namespaces/${NAMESPACE}/events`)).items)
      .toContainEqual(
        expect.objectContaining({
          reason: 'JournalUnreadable',
          involvedObject: expect.objectContaining({ kind: 'HibernatePlan', name: 'orders' }) as unknown,
        }),
      );
    await world.succeeds('orders');
    expect((await world.received(5)).slice(2).map(inWords)).toEqual(END);
    await journalOf(world, 'orders', ({ entry }) => entry.observed.includes('Hibernated'));
  });

  it('and is unreadable: the events of a new plan are sent from the beginning, at once and not by the next process', async () => {
    let ahead = -2 * 3_600_000;
    const world = await World.start({ cluster: { now: () => Date.now() + ahead } });
    await world.secret('n');
    await world.notification('n', { onEvents: ALL });
    const first = await world.synced();
    ahead = 0;
    await world.plan('orders');
    await world.received(1);
    const journal = await pending(world, 'orders', 0);
    await first.stop();
    await world.kube.patch(journalPath(journal), { spec: { plans: { [journal.uid]: { observed: '{' } } } });
    await world.hibernate('orders');
    const second = await world.synced();
    expect((await world.received(3)).slice(1).map(inWords)).toEqual(['Start', 'PhaseChange  Hibernating']);
    await pending(world, 'orders', 0);
    await second.stop();
    await world.synced();
    await world.succeeds('orders');
    expect((await world.received(6)).slice(3).map(inWords)).toEqual(END);
  });
});

it('a stop that finds the term of another process sends nothing more', async () => {
  const world = await subscribed();
  await world.plan('second');
  const of = (name: string) => (body: unknown) =>
    (body as { context: { plan: { name: string } } }).context.plan.name === name;
  const fail = { kind: 'status', status: 503 } as const;
  const mend = world.receiver.faults.add({ match: { json: of('second') }, fault: fail });
  world.receiver.faults.add({ match: { json: of('orders') }, fault: { kind: 'hang' } });
  // Without a Lease a later term is all that tells of the other one.
  const controller = await world.synced({ ...QUICK, leaderElect: false, drainTimeoutMs: 3_600_000 });
  await world.hibernate('second');
  const journal = await pending(world, 'second', 2);
  await world.hibernate('orders');
  await world.receiver.waitFor((records) => records.some(({ answered }) => answered.fault === 'hang'));
  const stopped = controller.stop();
  const writer = { holder: 'another', term: Number.MAX_SAFE_INTEGER };
  await world.kube.patch(journalPath(journal), { spec: { writer } });
  mend();
  // What hangs is not waited for.
  await stopped;
  expect(world.receiver.records.filter(({ answered }) => answered.fault === 'hang')).toHaveLength(1);
  expect(controller.totals()).toMatchObject({ failed: 0, dropped: 0 });
});

it('a journal with a later term of a foreign writer costs its plans only their durability: the Lease has not moved', async () => {
  const world = await subscribed();
  await world.plan('second');
  const controller = await world.synced();
  await world.hibernate('orders');
  const journal = await pending(world, 'orders', 0);
  const writer = { holder: 'tenant', term: Number.MAX_SAFE_INTEGER };
  await world.kube.patch(journalPath(journal), { spec: { writer } });
  await world.succeeds('orders');
  expect((await world.received(5)).map(inWords)).toEqual([...NIGHT, ...END]);
  expect(await durable(world, 'False')).toMatchObject({
    reason: 'JournalTermAhead',
    message: expect.stringMatching(/the Lease has not moved.*delete the journal/) as string,
  });
  await world.hibernate('second');
  expect((await world.received(7)).slice(5).map(inWords)).toEqual(NIGHT);
  expect(controller.totals()).toMatchObject({ failed: 0, dropped: 0 });
});

describe('the dependencies of journals', () => {
  it('journals need one list, which is counted like any other, and a watch from there', async () => {
    const world = await subscribed();
    const controller = await world.synced();
    expect(await metricsOf(controller)).toContain(`hnotif_lists_total{resource="${RESOURCE}"} 1\n`);
  });

  it('without their CRD nothing is served: log and /readyz say so; hnotif continues when the CRD exists', async () => {
    const world = await World.start({ crds: false });
    const all = crds(GROUP, { withPlans: true });
    const post = (crd: object) =>
      world.kube.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd);
    const isOfJournals = ({ metadata }: { metadata: { name: string } }): boolean =>
      metadata.name.startsWith(RESOURCE);
    for (const crd of all) if (!isOfJournals(crd)) await post(crd);
    await world.secret('n');
    await world.notification('n', { onEvents: ALL });
    await world.plan('orders');
    const clock = new TurnedClock();
    const controller = await world.controller({ clock });
    await world.logged(
      /hibernatenotificationjournals\S* is not served here: is its CustomResourceDefinition installed\?/,
    );
    const red = await fetch(`${controller.healthUrl}/readyz`);
    expect([red.status, await red.text()]).toEqual([503, expect.stringMatching(/\[-\]journals /)]);
    for (const crd of all) if (isOfJournals(crd)) await post(crd);
    clock.turn(60_000);
    await controller.synced;
    expect((await fetch(`${controller.healthUrl}/readyz`)).status).toBe(200);
    await world.hibernate('orders');
    expect((await world.received(2)).map(inWords)).toEqual(NIGHT);
  });

  it('in a namespace that is being deleted deliveries continue from memory', async () => {
    const world = await subscribed();
    await world.synced({ secretTtlMs: 3_600_000 });
    await world.hibernate('orders');
    await world.received(2);
    const held = { metadata: { finalizers: ['example.com/held'] } };
    for (const path of [world.planPath('orders'), world.notificationPath('n')])
      await world.kube.patch(path, held);
    await world.kube.delete(`/api/v1/namespaces/${NAMESPACE}`);
    await expect.poll(() => journals(world)).toEqual([]);
    await world.succeeds('orders');
    expect((await world.received(5)).slice(2).map(inWords)).toEqual(END);
    expect(await durable(world, 'False')).toMatchObject({
      message: expect.stringContaining('being terminated') as string,
    });
  });
});

describe('a plan of thousands of targets', () => {
  it('that change at once tells a healthy webhook the end of each; what is left out is superseded, and counted', async () => {
    const targets = Array.from({ length: 1_000 }, (_, at) => ({ name: `target-${at}`, type: 'ec2' }));
    const world = await World.start();
    await world.secret('n');
    await world.notification('n', { onEvents: ['ExecutionProgress', 'Success'] });
    await world.plan(
      'orders',
      targets.map(({ name }) => name),
    );
    const controller = await world.synced();
    await world.write('orders', (status, at) => begin(status, 'shutdown', 'c1', targets, at));
    for (const state of ['Running', 'Completed'] as const)
      await world.write('orders', (status, at) =>
        poll(
          status,
          targets.map(({ name }) => ({ target: name, state })),
          at,
        ),
      );
    await world.write('orders', succeed);
    const ended = new Set<string>();
    world.receiver.onRecord((record) => {
      const { event, targetExecution } = contextOf(record);
      ended.add(event === 'Success' ? event : `${targetExecution?.name} ${targetExecution?.state}`);
    });
    await world.receiver.waitFor(() => ended.has('Success'));
    expect(targets.filter(({ name }) => !ended.has(`${name} Completed`))).toEqual([]);
    await expect
      .poll(() => controller.totals())
      .toSatisfy(({ delivered, dropped }) => delivered + dropped === 2 * targets.length + 1);
    expect(await metricsOf(controller)).not.toContain('reason="overflow"');
  });

  it('fits into its journal for a whole night; kubectl shows the waiting messages with their age and sink', async () => {
    const targets = Array.from({ length: 2_000 }, (_, at) => ({ name: `target-${at}`, type: 'ec2' }));
    const world = await World.start();
    await world.secret('n');
    await world.notification('n', { onEvents: ALL });
    await world.plan(
      'orders',
      targets.map(({ name }) => name),
    );
    // On a slow machine the request that hangs would end, and its sink rest.
    const clock = new TurnedClock({ heldMs: 5_000 });
    const controller = await world.synced({ clock });
    const mend = world.receiver.faults.add({ fault: { kind: 'hang' } });
    await world.write('orders', (status, at) => begin(status, 'shutdown', 'c1', targets, at));
    for (const state of ['Running', 'Completed'] as const)
      await world.write('orders', (status, at) =>
        poll(
          status,
          targets.map(({ name }) => ({ target: name, state, message: `${name} is ${state} by now` })),
          at,
        ),
      );
    const last = await world.write('orders', succeed);
    await controller.seen(NAMESPACE, 'orders', last.metadata.resourceVersion);
    const { entry } = await journalOf(world, 'orders', (journal) => journal.entry.waiting > 1);
    expect(entry.observed).toMatch(/^deflate-raw\+base64:/);
    expect(JSON.stringify(entry).length).toBeLessThan(720_000);
    if (withKubectl()) {
      const [header, ...rows] = (await kubectl(world, 'get', 'hnotifjournal', '-n', NAMESPACE))
        .trim()
        .split('\n');
      expect(header).toMatch(/^NAME +PLANS +WAITING +OLDEST +FOR +AGE$/);
      // The shared journal that the plan has left may still be there.
      const waiting = /^hnotif-[0-9a-f]{8}-\S+ +1 +\d+ +\d\S* +n\/n +\d\S*$/;
      expect(rows).toContainEqual(expect.stringMatching(waiting));
    }
    mend();
    world.receiver.release();
    await pending(world, 'orders', 0);
    const told = world.receiver.records.filter(({ answered }) => answered.accepted).map(inWords);
    expect(told.filter((words) => words === 'Start' || words === 'Success')).toEqual(['Start', 'Success']);
    // What there was no room for is counted: all of it is progress, and news of phases.
    const { delivered, failed, dropped } = controller.totals();
    expect([delivered + dropped, failed]).toEqual([2 * targets.length + 4, 0]);
  });
});
