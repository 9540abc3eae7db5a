import { describe, expect, it } from 'vitest';
import { systemClock } from '@hnotif/core/clock';
import { begin, fail, poll, recordFailure, succeed } from '@hnotif/core/lifecycle';
import {
  ALONE,
  journalOf,
  journals,
  pending,
  subscribed,
  subscribedIn,
  entries,
} from './support/journals.ts';
import { ALL, END, NIGHT } from '../../lab/src/nights.ts';
import { hanging, serving, stopped } from './support/process.ts';
import { TurnedClock } from '../../lab/src/turned-clock.ts';
import { contextOf, inWords, NAMESPACE, metricsOf, World } from './support/world.ts';

/** What one night of a plan with a target tells. */
/** …when nobody saw it happen. */
const UNSEEN = ['Start', 'ExecutionProgress db Completed', 'Success', 'PhaseChange Active Hibernated'];

const db = [{ name: 'db', type: 'rds' }];

/** Resolves when the receiver has a request that it does not answer. */
describe('messages that wait at a clean stop', () => {
  it('are delivered by the next process, under the same ids, in order', async () => {
    const world = await subscribed();
    world.receiver.faults.add({ fault: { kind: 'hang' }, times: 1 });
    const run = await serving(world, '--drain-timeout=100ms');
    await world.hibernate('orders');
    await hanging(world);
    await world.succeeds('orders');
    await pending(world, 'orders', 5);
    run.kill('SIGTERM');
    expect(await run.exit).toBe(0);
    expect(stopped(run)).toMatchObject({ msg: 'stopped', delivered: 0, dropped: 0, left: 5 });
    const [cut] = world.receiver.records;

    await serving(world);
    const records = await world.received(5);
    expect(records.map(inWords)).toEqual([...NIGHT, ...END]);
    expect(records[0]?.id).toBe(cut?.id);
    expect(new Set(records.map(({ id }) => id)).size).toBe(5);
    await pending(world, 'orders', 0);
  });

  it('are found by the next process, which logs them when it serves', async () => {
    const world = await subscribed();
    world.receiver.faults.add({ fault: { kind: 'hang' } });
    const first = await world.synced({ drainTimeoutMs: 0 });
    await world.hibernate('orders');
    await pending(world, 'orders', 2);
    await first.stop();
    await world.synced({ drainTimeoutMs: 0 });
    const lines = world.log
      .map((line) => JSON.parse(line) as { msg: string; waiting: number })
      .filter(({ msg }) => msg === 'serving');
    expect(lines.map(({ waiting }) => waiting)).toEqual([0, 2]);
  });

  it('keep their age', async () => {
    const clock = new TurnedClock();
    const world = await subscribedIn({ cluster: { now: () => clock.now() } });
    world.receiver.faults.add({ fault: { kind: 'hang' } });
    const ages = { maxAgeOfProgressMs: 3_600_000, maxAgeMs: 7_200_000, drainTimeoutMs: 0, clock };
    const first = await world.synced(ages);
    await world.hibernate('orders');
    await hanging(world);
    await pending(world, 'orders', 2);
    await first.stop();
    expect([first.totals().dropped, first.pending()]).toEqual([0, 2]);
    clock.turn(3_000_000);

    const second = await world.synced(ages);
    await world.receiver.waitFor((records) => records.length >= 2);
    clock.turn(700_000);
    await expect.poll(() => second.totals().dropped).toBe(1);
    await pending(world, 'orders', 1);
    expect(new Set(world.receiver.records.map(inWords))).toEqual(new Set(['Start']));
  });
});

describe('after a SIGKILL', () => {
  it('all waiting messages are delivered in order; recorded deliveries are not sent again', async () => {
    const world = await World.start();
    const [team, bot] = [await world.teamchat(), await world.botchat()];
    const sinks = [
      { name: 'hook' },
      { name: 'thread', type: 'teamchat' as const },
      { name: 'bot', type: 'botchat' as const },
    ];
    const plenty = { rate: 1000, unit: 'second', burst: 1000 };
    await world.secret('hook');
    await world.configure('thread', {
      ...{ delivery_mode: 'thread', bot_token: 'xoxb-test', channel_id: 'C0HIBERNATE', rate_limit: plenty },
    });
    await world.configure('bot', {
      token: '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw',
      chat_id: 1,
      rate_limit: plenty,
    });
    await world.notification('n', { onEvents: ALL, sinks });
    await world.plan('orders');
    const run = await serving(world, ALONE);
    await world.hibernate('orders');
    await journalOf(
      world,
      'orders',
      ({ entry }) => entry.waiting === 0 && Object.keys(entry.outcomes ?? {}).length > 0,
    );
    const before = [world.receiver, team, bot].map(({ records }) => records.length);

    world.receiver.faults.add({ fault: { kind: 'hang', accepted: true }, times: 1 });
    const post = { call: 'chat.postMessage' };
    team.faults.add({ match: post, fault: { kind: 'hang', accepted: true }, times: 1 });
    bot.faults.add({ fault: { kind: 'hang' }, times: 1 });
    await world.succeeds('orders');
    for (const receiver of [world.receiver, team, bot])
      await receiver.waitFor((records: readonly { answered: { fault?: string | undefined } }[]) =>
        records.some(({ answered }) => answered.fault === 'hang'),
      );
    await pending(world, 'orders', 9);
    await run.end('SIGKILL');
    await serving(world, ALONE);
    await pending(world, 'orders', 0);

    const records = world.receiver.records.filter(({ answered }) => answered.accepted);
    const first = [...new Map(records.map((record) => [record.id, inWords(record)])).values()];
    expect(first).toEqual([...NIGHT, ...END]);
    // The one that was in flight came twice, with the same id.
    expect(records.map(inWords).slice(before[0])).toEqual([END[0], ...END]);
    const [root, ...others] = team.channel('C0HIBERNATE').messages;
    expect(others).toEqual([]);
    expect(root?.replies.map(({ text }) => /^\S+ ([^:]+)/.exec(text)?.[1])).toHaveLength(5);
    expect(bot.records.filter(({ answered }) => answered.accepted)).toHaveLength(5);
  });
});

describe('while no process watched', () => {
  /** A world in which hnotif served and stopped. */
  async function watched(plan?: object): Promise<World> {
    const world = await World.start();
    await world.secret('n');
    await world.notification('n', { onEvents: ALL });
    await world.plan('orders', ['db'], { ...(plan && { spec: plan }) });
    const controller = await world.synced();
    await journalOf(world, 'orders');
    await controller.stop();
    return world;
  }

  it('a whole night happened: it is sent', async () => {
    const world = await watched();
    await world.hibernate('orders');
    await world.succeeds('orders');
    await world.synced();
    const records = await world.received(4);
    expect(records.map(inWords)).toEqual(UNSEEN);
  });

  it('half a night happened: the rest of it is sent', async () => {
    const world = await watched();
    await world.hibernate('orders');
    await world.synced();
    await world.received(2);
    await world.succeeds('orders');
    expect((await world.received(5)).map(inWords)).toEqual([...NIGHT, ...END]);
  });

  it('a night failed: its failure is sent', async () => {
    const world = await watched({ behavior: { retries: 0 } });
    await world.hibernate('orders');
    await world.write('orders', (status, at) =>
      poll(status, [{ target: 'db', state: 'Failed', message: 'no' }], at),
    );
    await world.write('orders', recordFailure);
    await world.write('orders', (status, at) => fail(status, 'target db: no', at));
    await world.synced();
    const records = await world.received(4);
    expect(records.map(inWords)).toEqual([
      ...['Start', 'ExecutionProgress db Failed', 'Failure', 'PhaseChange Active Error'],
    ]);
    expect(records[2] && contextOf(records[2]).errorMessage).toBe('target db: no');
  });

  it('a plan was deleted and created again: it is another plan, and is sent from its beginning', async () => {
    let ahead = 0;
    const world = await World.start({ cluster: { now: () => Date.now() + ahead } });
    await world.secret('n');
    await world.notification('n', { onEvents: ['Start', 'Success'] });
    await world.plan('orders');
    const run = await serving(world);
    await world.hibernate('orders');
    const old = (await pending(world, 'orders', 0)).uid;
    await world.received(1);
    run.kill('SIGTERM');
    await run.exit;
    ahead = 2_000;
    await world.kube.delete(world.planPath('orders'));
    world.team().forget('orders');
    await world.plan('orders');
    await world.write('orders', (status, at) => begin(status, 'shutdown', 'second', db, at));
    await serving(world);
    const [, start] = await world.received(2);
    expect(start && contextOf(start)).toMatchObject({ event: 'Start', cycleId: 'second' });
    await world.write('orders', (status, at) => poll(status, [{ target: 'db', state: 'Completed' }], at));
    await world.write('orders', succeed);
    expect((await world.received(3)).map(inWords)).toEqual(['Start', 'Start', 'Success']);
    await expect.poll(async () => (await entries(world)).map(({ uid }) => uid === old)).toEqual([false]);
  });

  it('nothing from before the first installation is sent', async () => {
    const world = await subscribed();
    await world.hibernate('orders');
    await world.plan('second');
    await world.synced();
    await world.hibernate('second');
    expect((await world.received(2)).map((record) => contextOf(record).plan.name)).toEqual([
      'second',
      'second',
    ]);
    await world.succeeds('orders');
    const end = (await world.received(5)).slice(2);
    expect(end.map(inWords)).toEqual(END);
  });

  it.each([
    ['less than an hour ago: its events are sent', 0, ['Start', 'PhaseChange  Hibernating']],
    ['more than an hour ago: nothing is sent', -2 * 3_600_000, []],
  ])('a plan was created, after the installation, %s', async (_, made, told) => {
    let ahead = -3 * 3_600_000;
    const world = await World.start({ cluster: { now: () => systemClock.now() + ahead } });
    await world.secret('n');
    await world.notification('n', { onEvents: ALL });
    const first = await world.synced();
    await first.stop();
    ahead = made;
    await world.plan('orders');
    await world.hibernate('orders');
    ahead = 0;
    await world.synced();
    await world.succeeds('orders');
    const records = await world.received(told.length + 3);
    expect(records.map(inWords)).toEqual([...told, ...END]);
  });

  it('a plan without a run, whose notification was created late, had its night: it is sent', async () => {
    const world = await World.start();
    await world.plan('orders');
    const run = await serving(world, ALONE);
    expect(await journals(world)).toEqual([]);
    await world.secret('n');
    await world.notification('n', { onEvents: ALL });
    await journalOf(world, 'orders');
    await run.end('SIGKILL');
    await world.hibernate('orders');
    await world.succeeds('orders');
    await serving(world, ALONE);
    expect((await world.received(4)).map(inWords)).toEqual(UNSEEN);
  });
});

describe('a notification that is changed while messages wait', () => {
  it('to select fewer plans and events: its accepted messages are sent, and no others', async () => {
    const world = await subscribed();
    const mend = world.receiver.faults.add({ fault: { kind: 'status', status: 503 } });
    const controller = await world.synced({
      limits: { backoffMinMs: 1, backoffMaxMs: 5, probeMinMs: 20, probeMaxMs: 50 },
    });
    await world.hibernate('orders');
    await pending(world, 'orders', 2);
    const spec = { onEvents: ['Recovery'], selector: { matchLabels: { tier: 'gold' } } };
    await world.kube.patch(world.notificationPath('n'), { spec });
    await world.status('n', ({ matched }) => matched === 0);
    mend();
    expect((await world.received(2)).map(inWords)).toEqual(NIGHT);
    const { metadata } = await world.succeeds('orders');
    await controller.seen(NAMESPACE, 'orders', metadata.resourceVersion);
    await pending(world, 'orders', 0);
    expect(controller.totals()).toMatchObject({ delivered: 2, dropped: 0 });
  });
});

describe('a notification or sink that is deleted', () => {
  it('and created again in time continues with the waiting messages', async () => {
    const world = await subscribed();
    const mend = world.receiver.faults.add({ fault: { kind: 'status', status: 503 } });
    const controller = await world.synced({
      unsubscribeAfterMs: 3_600_000,
      limits: { backoffMinMs: 1, backoffMaxMs: 5, probeMinMs: 20, probeMaxMs: 50 },
    });
    await world.hibernate('orders');
    await pending(world, 'orders', 2);
    await world.kube.delete(world.notificationPath('n'));
    // The watch tells of one after the other.
    await world.notification('other', { onEvents: ['Start'], sinks: ['n'] });
    await world.status('other', ({ matched }) => matched === 1);
    mend();
    await world.notification('n', { onEvents: ALL });
    expect((await world.received(2)).map(inWords)).toEqual(NIGHT);
    await pending(world, 'orders', 0);
    expect(controller.totals()).toMatchObject({ delivered: 2, dropped: 0 });
  });

  it('and created again in time continues with the waiting messages, also across a restart', async () => {
    const world = await subscribed();
    const mend = world.receiver.faults.add({ fault: { kind: 'hang' } });
    const grace = { unsubscribeAfterMs: 3_600_000, drainTimeoutMs: 0 };
    const first = await world.synced(grace);
    await world.hibernate('orders');
    const { writer } = (await pending(world, 'orders', 2)).spec;
    await first.stop();
    mend();
    await world.kube.delete(world.notificationPath('n'));

    const second = await world.synced(grace);
    await journalOf(world, 'orders', ({ spec }) => spec.writer.holder !== writer.holder);
    await expect.poll(() => second.pending()).toBe(2);
    await world.notification('n', { onEvents: ALL });
    expect((await world.received(2)).map(inWords)).toEqual(NIGHT);
    await expect.poll(() => second.totals()).toMatchObject({ delivered: 2, dropped: 0 });
  });

  it('and not created again in time drops the waiting messages, also at the next start', async () => {
    const clock = new TurnedClock();
    const world = await subscribed();
    world.receiver.faults.add({ fault: { kind: 'hang' } });
    const grace = { unsubscribeAfterMs: 60_000, drainTimeoutMs: 0, clock };
    const first = await world.synced(grace);
    await world.hibernate('orders');
    await pending(world, 'orders', 2);
    await first.stop();
    await world.kube.delete(world.notificationPath('n'));

    const second = await world.synced(grace);
    const turn = clock.everRarer(61_000);
    await expect
      .poll(() => {
        turn();
        return second.totals().dropped;
      })
      .toBe(2);
    await pending(world, 'orders', 0);
    const metrics = await metricsOf(second);
    expect(metrics).toMatch(/hnotif_deliveries_dropped_total\{.*reason="unsubscribed".*\} 2/);
    expect(world.receiver.records.filter(({ answered }) => answered.accepted)).toEqual([]);
  });
});
