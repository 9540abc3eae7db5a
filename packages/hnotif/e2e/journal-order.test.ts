import { describe, expect, it } from 'vitest';
import { journalOf } from './support/journals.ts';
import { collection, planObject } from '../../lab/src/objects.ts';
import { TurnedClock } from '../../lab/src/turned-clock.ts';
import { NAMESPACE, World } from './support/world.ts';

const RESOURCE = 'hibernatenotificationjournals';
/** First journals would otherwise be held back by the rate limit, not by what is tested. */
const FAST = { kubeApiQps: 10_000, kubeApiBurst: 10_000 };

interface Scene {
  readonly world: World;
  /** Journals that were asked for and not made. */
  readonly begun: () => number;
  /** The API server makes them now. */
  readonly release: () => void;
}

/** Plans that run, with journals, and an API server that no longer answers when a journal is created. */
async function slow(running: readonly string[]): Promise<Scene> {
  const world = await World.start();
  await world.secret('n');
  await world.notification('n', { onEvents: ['Start'] });
  for (const name of running) await world.plan(name);
  // No request ends before it is answered: a second try would count, too.
  await world.synced({ ...FAST, clock: new TurnedClock({ heldMs: 5_000 }) });
  for (const name of running) await journalOf(world, name);
  let release: () => void = () => undefined;
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  world.cluster.faults.add({ verb: 'create', resource: RESOURCE, effect: { kind: 'delay', until } });
  return { world, begun: () => world.cluster.faults.hits, release };
}

/** A plan at which nothing happens. */
const idle = (world: World, namespace: string, name: string): Promise<unknown> =>
  world.kube.post(collection(namespace, 'hibernateplans'), planObject(name, ['db']));

describe('while first journals wait for a slow API server', () => {
  it('the events of another namespace are stored before them, and few of them are requested at once', async () => {
    const { world, begun, release } = await slow(['orders']);
    const others = Array.from({ length: 70 }, (_, at) => `other-${at}`);
    for (const namespace of others) {
      await world.addNamespace(namespace);
      await world.secret('n', {}, namespace);
      await world.team(namespace).notification('n', { onEvents: ['Start'] });
      await idle(world, namespace, 'idle');
    }
    await expect.poll(begun).toBe(8);
    await world.hibernate('orders');
    await world.received(1);
    expect(begun()).toBe(8);
    release();
    await expect.poll(begun).toBe(others.length);
  });

  it('the events of the same namespace are stored in the current journal of the plan, and move to another journal later', async () => {
    const running = Array.from({ length: 6 }, (_, at) => `orders-${at}`);
    const { world, begun, release } = await slow(running);
    for (let at = 0; at < 130; at++) await idle(world, NAMESPACE, `idle-${at}`);
    await expect.poll(begun).toBeGreaterThan(0);
    for (const name of running) await world.hibernate(name);
    await world.received(running.length);
    release();
    for (const name of running) await journalOf(world, name, ({ entry }) => entry.waiting === 0);
    await journalOf(world, 'idle-129');
  });
});
