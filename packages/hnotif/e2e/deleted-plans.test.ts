import { describe, expect, it } from 'vitest';
import { ALONE, entries, journalOf, journals, pending, QUICK, subscribed } from './support/journals.ts';
import { NIGHT } from '../../lab/src/nights.ts';
import { hanging, serving } from './support/process.ts';
import { Chat } from './support/teamchat.ts';
import { contextOf, inWords, type World } from './support/world.ts';

const RESOURCE = 'hibernatenotificationjournals';

/** Deletes the plan `orders`. Resolves when its journal entry is marked. */
async function deleteOrders(world: World): Promise<void> {
  await world.kube.delete(world.planPath('orders'));
  await journalOf(world, 'orders', ({ entry }) => entry.plan?.includes('deletionTimestamp') === true);
}

describe('the deliveries of a deleted plan', () => {
  it('are sent, and then its journal is removed', async () => {
    const world = await subscribed();
    const mend = world.receiver.faults.add({ fault: { kind: 'status', status: 503 } });
    const controller = await world.synced(QUICK);
    await world.hibernate('orders');
    await pending(world, 'orders', 2);
    await deleteOrders(world);
    mend();
    expect((await world.received(2)).map(inWords)).toEqual(NIGHT);
    await expect.poll(() => controller.totals()).toMatchObject({ delivered: 2, dropped: 0 });
    await expect.poll(() => journals(world)).toEqual([]);
  });

  it('are sent by the next process after a kill, with the last labels of the plan', async () => {
    const world = await subscribed();
    await world.kube.patch(world.planPath('orders'), { metadata: { labels: { team: 'shop' } } });
    world.receiver.faults.add({ fault: { kind: 'hang' }, times: 1 });
    const run = await serving(world, ALONE);
    await world.hibernate('orders');
    await hanging(world);
    await pending(world, 'orders', 2);
    await deleteOrders(world);
    await run.end('SIGKILL');

    await serving(world, ALONE);
    const records = await world.received(2);
    expect(records.map(inWords)).toEqual(NIGHT);
    expect(records.map((record) => contextOf(record).plan)).toEqual([
      expect.objectContaining({ name: 'orders', labels: { team: 'shop' } }),
      expect.objectContaining({ name: 'orders', labels: { team: 'shop' } }),
    ]);
    expect(new Set(world.receiver.records.map(({ id }) => id)).size).toBe(2);
    await expect.poll(() => journals(world)).toEqual([]);
  });

  it('are left by a stop for the next process', async () => {
    const world = await subscribed();
    world.receiver.faults.add({ fault: { kind: 'hang' }, times: 1 });
    const first = await world.synced({ drainTimeoutMs: 0 });
    await world.hibernate('orders');
    await pending(world, 'orders', 2);
    await deleteOrders(world);
    await first.stop();
    expect([first.totals().dropped, first.pending()]).toEqual([0, 2]);
    await world.synced();
    expect((await world.received(2)).map(inWords)).toEqual(NIGHT);
    await expect.poll(() => journals(world)).toEqual([]);
  });

  it('are sent if it was deleted while no process ran; other entries stay', async () => {
    const world = await subscribed();
    await world.plan('second');
    await world.kube.patch(world.planPath('orders'), { metadata: { labels: { team: 'shop' } } });
    world.receiver.faults.add({ fault: { kind: 'hang' }, times: 1 });
    const first = await world.synced({ drainTimeoutMs: 0 });
    await journalOf(world, 'second');
    await world.hibernate('orders');
    // The state of the plan is stored when its deliveries have waited for a while.
    await journalOf(world, 'orders', ({ entry }) => entry.plan !== undefined);
    await first.stop();
    await world.kube.delete(world.planPath('orders'));
    await world.synced();
    const records = await world.received(2);
    expect(records.map(inWords)).toEqual(NIGHT);
    expect(records.map((record) => contextOf(record).plan.labels)).toEqual(Array(2).fill({ team: 'shop' }));
    await expect.poll(async () => (await entries(world)).map(({ entry }) => entry.name)).toEqual(['second']);
  });

  it('are dropped after the deletion of their notification, too, and counted', async () => {
    const world = await subscribed();
    world.receiver.faults.add({ fault: { kind: 'hang' } });
    const first = await world.synced({ drainTimeoutMs: 0 });
    await world.hibernate('orders');
    await pending(world, 'orders', 2);
    await deleteOrders(world);
    await first.stop();
    await world.kube.delete(world.notificationPath('n'));
    const second = await world.synced();
    await expect.poll(() => second.totals()).toMatchObject({ delivered: 0, dropped: 2 });
    await expect.poll(() => journals(world)).toEqual([]);
  });

  it('include a change that was not stored when the plan was deleted', async () => {
    const world = await subscribed();
    await world.synced();
    await journalOf(world, 'orders');
    let answer = (): void => undefined;
    const until = new Promise<void>((resolve) => (answer = resolve));
    world.cluster.faults.add({ verb: 'patch', resource: RESOURCE, effect: { kind: 'delay', until } });
    await world.hibernate('orders');
    await expect.poll(() => world.cluster.faults.hits).toBe(1);
    await world.kube.delete(world.planPath('orders'));
    answer();
    expect((await world.received(2)).map(inWords)).toEqual(NIGHT);
    await expect.poll(() => journals(world)).toEqual([]);
  });
});

it('the card of a deleted plan shows the end of its run, also after a kill', async () => {
  const chat = await Chat.start();
  const { world, receiver } = chat;
  await world.hibernate('orders');
  await chat.shows('Starting');
  const mend = receiver.faults.add({
    match: { call: 'chat.update' },
    fault: { kind: 'status', status: 503 },
  });
  await world.succeeds('orders');
  await chat.threads([5]);
  await pending(world, 'orders', 0);
  await deleteOrders(world);
  await chat.controller.stop();
  mend();
  await chat.begin();
  chat.clock.turn(10_000);
  await chat.shows('Completed');
  await expect.poll(() => journals(world)).toEqual([]);
});
