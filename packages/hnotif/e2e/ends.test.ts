import { describe, expect, it } from 'vitest';
import { ALONE, journalOf, pending, subscribed } from './support/journals.ts';
import { serving } from './support/process.ts';
import { inWords } from './support/world.ts';

const never = new Promise<never>(() => undefined);

describe('a message that the receiver has refused', () => {
  it('does not arrive again after its successors, whenever the process is killed', async () => {
    const world = await subscribed();
    const run = await serving(world, ALONE);
    await journalOf(world, 'orders');
    world.receiver.faults.add({ match: { nth: 1 }, fault: { kind: 'status', status: 422 } });
    // From the first request on no journal is written.
    const stop = world.receiver.onRecord(() => {
      stop();
      world.cluster.faults.add({
        ...{ verb: 'patch', resource: 'hibernatenotificationjournals' },
        effect: { kind: 'delay', until: never },
      });
    });
    await world.hibernate('orders');
    await expect.poll(() => world.cluster.faults.hits).toBe(1);
    await run.end('SIGKILL');
    world.cluster.faults.clear();
    await serving(world, ALONE);
    const arrived = (): string[] =>
      world.receiver.records.filter(({ answered }) => answered.accepted).map(inWords);
    await expect.poll(() => new Set(arrived()).size).toBe(2);
    await pending(world, 'orders', 0);
    expect([...new Set(arrived())]).toEqual(['Start', 'PhaseChange Active Hibernating']);
  });
});
