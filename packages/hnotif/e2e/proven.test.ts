import { describe, expect, it } from 'vitest';
import type { Controller } from '../src/controller/controller.ts';
import { NIGHT } from '../../lab/src/nights.ts';
import { pending, subscribed, written } from './support/journals.ts';
import { inWords, type World } from './support/world.ts';

/** A plan with a journal, and an API server that answers no further write of it until `release`. */
async function held(world: World): Promise<{ controller: Controller; release: () => void }> {
  const controller = await world.synced();
  await written(controller);
  let release: () => void = () => undefined;
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  const fault = { verb: 'patch', resource: 'hibernatenotificationjournals' } as const;
  world.cluster.faults.add({ ...fault, effect: { kind: 'delay', until } });
  return { controller, release };
}

describe('what the status of a plan proves', () => {
  it('reaches webhooks while its journal is written', async () => {
    const world = await subscribed();
    const { release } = await held(world);
    await world.hibernate('orders');
    expect((await world.received(2)).map(inWords)).toEqual(NIGHT);
    release();
    await pending(world, 'orders', 0);
    expect(world.receiver.records).toHaveLength(2);
  });

  it('waits for the journal if it is for a chat, too: people would see a message twice', async () => {
    const world = await subscribed();
    await world.teamchat();
    await world.notification('chat', { onEvents: ['Start'], sinks: [{ name: 'chat', type: 'teamchat' }] });
    const { controller, release } = await held(world);
    await world.hibernate('orders');
    await expect.poll(() => world.cluster.faults.hits).toBeGreaterThan(0);
    expect([controller.pending(), world.receiver.records]).toEqual([3, []]);
    release();
    expect((await world.received(2)).map(inWords)).toEqual(NIGHT);
  });
});
