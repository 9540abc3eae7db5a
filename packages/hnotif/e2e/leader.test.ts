import { describe, expect, it } from 'vitest';
import { begin } from '@hnotif/core/lifecycle';
import { entries, journalOf, pending, subscribed } from './support/journals.ts';
import { QUICK_LEASE, type Run, hanging, readyz, serving, stopped } from './support/process.ts';
import { contextOf, inWords, type World } from './support/world.ts';
import { END, NIGHT } from '../../lab/src/nights.ts';

const LEASE = '/apis/coordination.k8s.io/v1/namespaces/default/leases/hnotif';

async function standby(world: World, ...args: readonly string[]): Promise<Run> {
  const run = await world.process([...QUICK_LEASE, ...args]);
  await run.line(/"msg":"standing by"/);
  return run;
}

/** Resolves when the receiver has a request that it does not answer. */
const accepted = (world: World): string[] =>
  world.receiver.records.filter(({ answered }) => answered.accepted).map(inWords);

describe('of two controllers', () => {
  it('one serves; the other stands by, is ready, and names the leader; it takes over at once after a clean stop', async () => {
    const world = await subscribed();
    // It would take a quarter of an hour to run out.
    const long = ['--lease-duration=15m', '--renew-deadline=10m', '--retry-period=200ms'];
    const first = await serving(world, ...long);
    const second = await world.process([...long]);
    const { leader } = JSON.parse(await second.line(/"msg":"standing by"/)) as { leader: string };
    expect(await readyz(first)).toEqual([
      200,
      expect.stringMatching(/^\[\+\]leader leading, term \d+\n\[\+\]notifications ok/),
    ]);
    // The thread of the election logs first, and reports the leader then.
    await expect
      .poll(() => readyz(second))
      .toEqual([
        200,
        `[+]leader standby, leader is ${leader}, which alone writes statuses\nreadyz check passed\n`,
      ]);
    await world.hibernate('orders');
    await world.received(2);
    first.kill('SIGTERM');
    expect(await first.exit).toBe(0);
    await second.line(/"msg":"serving"/);
    await world.succeeds('orders');
    await world.received(5);
    await pending(world, 'orders', 0);
    expect(world.receiver.records.map(inWords)).toEqual([...NIGHT, ...END]);
  });

  it('the other takes over after a SIGKILL when the Lease has expired; only messages in flight are sent again', async () => {
    const world = await subscribed();
    const first = await serving(world, ...QUICK_LEASE);
    const second = await standby(world);
    await world.hibernate('orders');
    await world.received(2);
    await pending(world, 'orders', 0);
    world.receiver.faults.add({ fault: { kind: 'hang', accepted: true }, times: 1 });
    await world.succeeds('orders');
    await hanging(world);
    await pending(world, 'orders', 3);
    await first.end('SIGKILL');
    await second.line(/"msg":"serving"/);
    await pending(world, 'orders', 0);
    expect(accepted(world)).toEqual([...NIGHT, 'ExecutionProgress db Completed', ...END]);
    const [lost, again] = world.receiver.records.filter((record) => inWords(record) === END[0]);
    expect(again?.id).toBe(lost?.id);
  });

  it('one that cannot renew its Lease ends its requests and itself, with exit code 1, before the other begins', async () => {
    const world = await subscribed();
    const first = await serving(world, ...QUICK_LEASE);
    const second = await standby(world);
    const { leader } = JSON.parse(await second.line(/"msg":"standing by"/)) as { leader: string };
    world.receiver.faults.add({ fault: { kind: 'hang' }, times: 1 });
    await world.hibernate('orders');
    await hanging(world);
    // Of the Lease alone the first is cut off: all else is at hand.
    const { spec } = await world.kube.get(LEASE);
    expect(spec?.holderIdentity).toBe(leader);
    const renewal = world.cluster.faults.add({
      verb: 'update',
      resource: 'leases',
      effect: { kind: 'reset', when: 'before' },
    });
    expect(await first.exit).toBe(1);
    renewal();
    const log = first.stderr.join('\n');
    expect(log).toMatch(
      /"level":"error".*"reason":"the Lease is lost: it could not be renewed for 4000 ms","msg":"lost leadership; exiting"/,
    );
    expect(stopped(first)).toMatchObject({ msg: 'stopped', delivered: 0, dropped: 0 });
    expect(second.stderr.join('\n')).not.toContain('"serving"');
    await second.line(/"msg":"serving"/);
    await world.received(2);
    await pending(world, 'orders', 0);
    expect(accepted(world)).toEqual(NIGHT);
  });

  it('one that finds another process’s term in a journal exits with 1', async () => {
    const world = await subscribed();
    // Told that it is alone, which it is not: nothing but the journals shows it.
    const first = await serving(world, '--leader-elect=false');
    await world.hibernate('orders');
    await world.received(2);
    const before = (await pending(world, 'orders', 0)).spec.writer.holder;
    const second = await serving(world, '--leader-elect=false');
    await world.succeeds('orders');
    await world.received(5);
    await journalOf(
      world,
      'orders',
      ({ entry, spec }) => entry.waiting === 0 && spec.writer.holder !== before,
    );
    // Its next write finds it.
    await world.write('orders', (status, at) =>
      begin(status, 'wakeup', 'of-orders', [{ name: 'db', type: 'rds' }], at),
    );
    expect(await first.exit).toBe(1);
    expect(first.stderr.join('\n')).toContain('names a later term');
    // Both have told the end of the night, or one of them.
    await world.receiver.waitFor((records) => new Set(records.map(({ id }) => id)).size === 7);
    await pending(world, 'orders', 0);
    const told = new Map(world.receiver.records.map((record) => [record.id, inWords(record)]));
    expect([...told.values()]).toEqual([...NIGHT, ...END, 'Start', 'PhaseChange Hibernated WakingUp']);
    second.kill('SIGTERM');
    expect(await second.exit).toBe(0);
  });
});

describe('of two installations', () => {
  it('each has its own Lease and journals: both send, and neither takes over the waiting messages of the other', async () => {
    const world = await subscribed();
    // Which of two journals is listed first is chance.
    const plans = ['orders', 'p1', 'p2', 'p3', 'p4', 'p5'];
    for (const plan of plans.slice(1)) await world.plan(plan);
    const [a, b] = [await world.synced({ instance: 'a' }), await world.synced({ instance: 'b' })];
    for (const plan of plans) await world.hibernate(plan);
    await world.received(4 * plans.length);
    await expect
      .poll(async () => (await entries(world)).filter(({ entry }) => entry.waiting === 0))
      .toHaveLength(12);
    await a.stop();
    for (const plan of plans) await world.succeeds(plan);
    await world.received(7 * plans.length);
    await b.stop();
    await world.synced({ instance: 'a' });
    const told = await world.received(10 * plans.length);
    for (const plan of plans)
      expect(
        told
          .filter((record) => contextOf(record).plan.name === plan)
          .slice(4)
          .map(inWords),
      ).toEqual([...END, ...END]);
    // What both tell of one event has one id, and no id says two things.
    const words = told.map((record) => `${contextOf(record).plan.name} ${inWords(record)}`);
    const said = new Set(told.map(({ id }, index) => `${id} ${words[index]}`));
    expect(said.size).toBe(new Set(told.map(({ id }) => id)).size);
  });
});
