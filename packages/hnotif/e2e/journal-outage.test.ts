import { describe, expect, it } from 'vitest';
import { ALONE, journalOf, pending, subscribed } from './support/journals.ts';
import { serving } from './support/process.ts';
import { TurnedClock } from '../../lab/src/turned-clock.ts';
import { inWords, metricsOf, type World } from './support/world.ts';

const NIGHT = ['Start', 'PhaseChange Active Hibernating'];
const END = ['ExecutionProgress db Completed', 'Success', 'PhaseChange Hibernating Hibernated'];
const RESOURCE = 'hibernatenotificationjournals';
const AWAY = /hibernateplans.*cannot be followed; trying again/;

/** Journals cannot be written, with this answer; gives what mends it. */
function refused(world: World, code: number): () => void {
  const mends = (['create', 'patch'] as const).map((verb) =>
    world.cluster.faults.add({ verb, resource: RESOURCE, effect: { kind: 'status', code } }),
  );
  return () => {
    for (const mend of mends) mend();
  };
}

/** Resolves when so many more writes of journals have been refused. */
async function met(world: World, more: number): Promise<void> {
  const { hits } = world.cluster.faults;
  await expect.poll(() => world.cluster.faults.hits).toBeGreaterThanOrEqual(hits + more);
}

const durable = async (world: World): Promise<string | undefined> =>
  (await world.status('n', ({ conditions }) => conditions !== undefined)).conditions?.find(
    ({ type }) => type === 'Durable',
  )?.status;

/** The API server is away until that is `seen`, and comes back without its roles (401: without knowing us). */
async function outage(world: World, code: number, seen: () => Promise<unknown>): Promise<() => void> {
  await world.cluster.goAway();
  await seen();
  const mend = refused(world, code);
  await world.cluster.comeBack();
  return mend;
}

describe('an API server that comes back and has not read its roles yet', () => {
  it.each([401, 403])(
    'only what the status proves is sent before it is stored (%i): after a kill that comes again, under the same id',
    async (code) => {
      const world = await subscribed();
      const first = await serving(world, ALONE);
      await journalOf(world, 'orders');
      await world.status(
        'n',
        ({ conditions }) => conditions?.some(({ type }) => type === 'Durable') === true,
      );
      const mend = await outage(world, code, () => first.line(AWAY));
      await world.hibernate('orders');
      await world.received(2);
      await met(world, 1);
      expect(world.receiver.records.map(inWords)).toEqual(NIGHT);
      expect(await durable(world)).toBe('True');
      await first.end('SIGKILL');
      mend();
      await serving(world, ALONE);
      await world.received(4);
      await pending(world, 'orders', 0);
      expect(world.receiver.records.map(inWords)).toEqual([...NIGHT, ...NIGHT]);
      expect(new Set(world.receiver.records.map(({ id }) => id)).size).toBe(2);
    },
  );

  it('sends accepted messages as soon as it may write again, and stays durable', async () => {
    const world = await subscribed();
    const clock = new TurnedClock();
    await world.synced({ clock });
    await journalOf(world, 'orders');
    await world.status('n', ({ conditions }) => conditions?.some(({ type }) => type === 'Durable') === true);
    const mend = await outage(world, 403, () => world.logged(AWAY));
    await world.hibernate('orders');
    await world.received(2);
    await met(world, 1);
    await world.succeeds('orders');
    await met(world, 2);
    expect(world.receiver.records.map(inWords)).toEqual(NIGHT);
    mend();
    clock.turn(5_000);
    expect((await world.received(5)).map(inWords)).toEqual([...NIGHT, ...END]);
    await pending(world, 'orders', 0);
    expect(await durable(world)).toBe('True');
    expect(world.log.join('')).not.toContain('delivering from memory');
  });
});

it('while the Lease cannot be renewed nothing is sent from memory, although journals are refused for good', async () => {
  const world = await subscribed();
  const clock = new TurnedClock();
  // Its time is turned on, and does not run out by itself. In all by less than what a signature may be wrong by.
  const timing = { leaseDurationMs: 500_000, renewDeadlineMs: 400_000, retryPeriodMs: 200 };
  const controller = await world.synced({ clock, leaderElect: true, ...timing });
  await journalOf(world, 'orders');
  const renewal = world.cluster.faults.add({
    ...{ verb: 'update', resource: 'leases' },
    effect: { kind: 'status', code: 503 },
  });
  await world.logged(/Lease not read or written/);
  clock.turn(205_000);
  refused(world, 422);
  const writes = async (): Promise<number> =>
    Number(/^hnotif_journal_writes_total\{result="refused"\} (\d+)$/m.exec(await metricsOf(controller))?.[1]);
  await world.hibernate('orders');
  for (const times of [1, 2, 3]) {
    await expect.poll(writes).toBeGreaterThanOrEqual(times);
    clock.turn(10_000);
  }
  expect(world.receiver.records).toEqual([]);
  expect(world.log.join('')).not.toContain('delivering from memory');
  renewal();
  await world.logged(/Lease read and written again/);
  clock.turn(30_000);
  expect((await world.received(2)).map(inWords)).toEqual(NIGHT);
  await world.logged(/delivering from memory/);
});
