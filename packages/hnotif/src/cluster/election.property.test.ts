import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ElectionWorld, type Way } from './testing/election-world.ts';
import { runs } from '../../../core/src/testing/runs.ts';

type Act = 'pause' | 'sleep' | 'kill' | 'set clock' | 'release' | 'outage' | 'delete';

interface Step {
  readonly after: number;
  readonly act: Act;
  readonly who: number | 'leader';
  readonly ms: number;
}

const step = (acts: readonly Act[]): fc.Arbitrary<Step> =>
  fc.record({
    after: fc.nat(20_000),
    act: fc.constantFrom(...acts),
    who: fc.constantFrom('leader' as const, 'leader' as const, 0, 1, 2),
    ms: fc.nat(40_000),
  });

/** Some are slow, some are lost on the way there, some on the way back. */
const delay = fc.option(
  fc.oneof({ weight: 12, arbitrary: fc.nat(50) }, { weight: 1, arbitrary: fc.nat(7_000) }),
  { nil: undefined, freq: 12 },
);
const ways: fc.Arbitrary<readonly Way[]> = fc.array(fc.record({ request: delay, answer: delay }), {
  minLength: 1,
  maxLength: 60,
});

const hosts = fc.array(
  fc.record({
    rate: fc.double({ min: 0.95, max: 1.05, noNaN: true }),
    wallOffset: fc.integer({ min: -3_600_000, max: 3_600_000 }),
  }),
  { minLength: 3, maxLength: 3 },
);

type Clocks = readonly { readonly rate: number; readonly wallOffset: number }[];

/** A candidate that lost leadership stands again. A killed one starts anew under another name. */
async function play(clocks: Clocks, list: readonly Way[], steps: readonly Step[]): Promise<ElectionWorld> {
  const world = new ElectionWorld();
  let sent = 0;
  let outage = false;
  const well = world.way;
  world.way = () =>
    outage ? { request: undefined, answer: undefined } : (list[sent++ % list.length] ?? well());
  const live = clocks.map((options) => world.host(options));
  const standAgain = (): void => {
    for (const host of live) if (host.awake && host.election.lost.aborted) host.candidate();
  };
  for (const { after, act, who, ms } of steps) {
    await world.pass(after);
    const leader = live.findIndex(({ awake, election }) => awake && election.isLeader());
    const index = who === 'leader' ? Math.max(leader, 0) : who;
    const host = live[index];
    if (host === undefined) throw new Error('nobody');
    standAgain();
    if (act === 'outage') {
      outage = true;
      world.after(ms, () => (outage = false));
    } else if (act === 'delete') {
      // One that is made anew within the second in which it was made cannot be told from the old one.
      if (world.now - (world.lease?.createdAt ?? world.now) >= 1000) world.deleteLease();
    } else if (act === 'set clock') host.wallOffset += ms - 20_000;
    else if (act === 'release') void host.election.release();
    else if (act === 'kill') {
      host.kill();
      live[index] = world.host(clocks[index]);
    } else {
      host.stand();
      world.after(ms, () => {
        host.goOn(act === 'sleep' ? ms : 0);
      });
    }
  }
  await world.pass(60_000);
  outage = false;
  world.way = well;
  // What was under way, a lease that nobody renews, and a few looks.
  await world.pass(10_000);
  standAgain();
  await world.pass(30_000);
  return world;
}

const FAULTS: readonly Act[] = ['pause', 'kill', 'release', 'outage'];

/** Where a machine sleeps while its clock is set back by as much, nothing can tell. */
const stories = fc.oneof(
  fc.array(step([...FAULTS, 'sleep']), { maxLength: 12 }),
  fc.array(step([...FAULTS, 'set clock']), { maxLength: 12 }),
);

test('two never lead at once, every term is higher than the one before, and one leads once all is well', async () => {
  await fc.assert(
    fc.asyncProperty(hosts, ways, stories, async (clocks, list, steps) => {
      const { faults, leaders, terms } = await play(clocks, list, steps);
      expect(faults).toEqual([]);
      expect(leaders).toHaveLength(1);
      expect(terms).toEqual([...new Set(terms)].sort((a, b) => a - b));
    }),
    { seed: 11, numRuns: runs(50) },
  );
});

test('where the Lease is deleted now and then, no term comes twice', async () => {
  await fc.assert(
    fc.asyncProperty(
      hosts,
      ways,
      fc.array(step([...FAULTS, 'delete', 'delete']), { minLength: 1, maxLength: 12 }),
      async (clocks, list, steps) => {
        const { leaders, terms } = await play(clocks, list, steps);
        expect(leaders).toHaveLength(1);
        expect(new Set(terms).size).toBe(terms.length);
      },
    ),
    { seed: 12, numRuns: runs(30) },
  );
});
