import { describe, expect, it } from 'vitest';
import { unelected } from './leadership.ts';
import { newIdentity } from './election.ts';
import { ElectionWorld, type Host } from './testing/election-world.ts';
import { ManualClock } from '../../../core/src/testing/clock.ts';

/** A leads, B stands by. */
async function two(): Promise<{ world: ElectionWorld; a: Host; b: Host }> {
  const world = new ElectionWorld();
  const a = world.host();
  await world.pass(100);
  const b = world.host({ wallOffset: 3_600_000 });
  await world.pass(5_000);
  expect(a.election.isLeader()).toBe(true);
  return { world, a, b };
}

describe('a leader that stood still', () => {
  it('has lost leadership when it continues, before anything else happens', async () => {
    const { world, a, b } = await two();
    a.stand();
    await world.pass(60_000);
    expect(b.election.isLeader()).toBe(true);
    a.goOn();
    expect(a.election.lost.aborted).toBe(false);
    expect(a.election.isLeader()).toBe(false);
    expect(a.election.lost.aborted).toBe(true);
  });

  it('knows by the wall clock, where its machine slept', async () => {
    const { world, a, b } = await two();
    a.stand();
    await world.pass(60_000);
    expect(b.election.isLeader()).toBe(true);
    a.goOn(60_000);
    expect(a.election.isLeader()).toBe(false);
  });

  it('goes on leading, where it was short', async () => {
    const { world, a } = await two();
    a.stand();
    await world.pass(7_000);
    a.goOn();
    await world.pass(10_000);
    expect(a.election.isLeader()).toBe(true);
  });
});

describe('the wall clock', () => {
  it('set back tells a leader nothing: the monotonic one counts', async () => {
    const { world, a, b } = await two();
    world.way = () => ({ request: undefined, answer: undefined });
    a.wallOffset -= 3_600_000;
    await world.pass(10_000);
    expect(a.election.isLeader()).toBe(false);
    expect(b.election.isLeader()).toBe(false);
  });

  it('set forward ends leading, for good: it may have slept', async () => {
    const { a } = await two();
    a.wallOffset += 10_000;
    expect(a.election.isLeader()).toBe(false);
    a.wallOffset -= 10_000;
    expect(a.election.isLeader()).toBe(false);
  });

  it('that stands still does not hide renewals from the others', async () => {
    const { world, a, b } = await two();
    a.now = () => 0;
    await world.pass(2_500);
    await world.pass(60_000);
    expect([a.election.isLeader(), b.election.isLeader()]).toEqual([true, false]);
  });
});

describe('answers', () => {
  it('that are waited for in vain are given up, so that another request fits into the deadline', async () => {
    const { world, a } = await two();
    let first = true;
    const well = world.way;
    world.way = () => {
      const slow = first;
      first = false;
      return slow ? { request: 5, answer: 1_000_000 } : well();
    };
    await world.pass(9_500);
    await world.pass(30_000);
    expect(a.election.isLeader()).toBe(true);
  });

  it('to the taking that come too late begin nothing; the next term does', async () => {
    const { world, a, b } = await two();
    void a.election.release();
    await world.pass(100);
    const well = world.way;
    world.way = () => ({ request: 5, answer: 4_000 });
    // Its read is answered, its write on the way.
    await world.pass(6_500);
    expect(world.lease).toMatchObject({ holder: b.name, transitions: 1 });
    b.stand();
    await world.pass(20_000);
    world.way = well;
    b.goOn();
    await world.pass(1_000);
    expect(b.election.lost.aborted).toBe(false);
    await world.pass(5_000);
    expect(b.election.isLeader()).toBe(true);
    expect(world.lease).toMatchObject({ holder: b.name, transitions: 2 });
  });
});

describe('the deadline', () => {
  it('comes unasked, counted from when the last renewal was sent that was answered', async () => {
    const { world, a, b } = await two();
    let sent = 0;
    // The next renewal is answered late, and no later one.
    world.way = () => {
      if (sent > 0) return { request: undefined, answer: undefined };
      sent = world.now;
      return { request: 5, answer: 4_000 };
    };
    b.kill();
    while (sent === 0) await world.pass(100);
    await world.pass(sent + 9_999 - world.now);
    expect(a.election.lost.aborted).toBe(false);
    await world.pass(2);
    expect(a.election.lost.aborted).toBe(true);
  });
});

describe('a Lease that was changed under its holder', () => {
  it('ends leadership if another holder was written into it, and is left to that one', async () => {
    const { world, a } = await two();
    const there = world.read() as { readonly spec: object };
    world.update({ ...there, spec: { ...there.spec, holderIdentity: 'z', leaseTransitions: 7 } });
    await world.pass(2_500);
    expect(a.election.lost.aborted).toBe(true);
    expect(String(a.election.lost.reason)).toContain('z has taken it');
    void a.election.release();
    await world.pass(2_500);
    expect(world.lease).toMatchObject({ holder: 'z', transitions: 7 });
  });

  it('ends leadership if it was deleted; the next one makes it with a higher term', async () => {
    const { world, a, b } = await two();
    world.deleteLease();
    await world.pass(2_500);
    expect([a.election.lost.aborted, b.election.isLeader()]).toEqual([true, false]);
    await world.pass(15_000);
    expect(world.lease).toMatchObject({ holder: b.name, transitions: 1 });
    expect(await b.election.leading).toBeGreaterThan(await a.election.leading);
  });
});

describe('giving back', () => {
  it('waits for the renewal that is under way, and is done then', async () => {
    const { world, a, b } = await two();
    world.way = () => ({ request: 500, answer: 500 });
    await world.pass(2_300);
    const released = a.election.release();
    expect(a.election.isLeader()).toBe(false);
    await world.pass(3_000);
    await released;
    await world.pass(5_000);
    expect(b.election.isLeader()).toBe(true);
  });

  it('asks nothing of the cluster, where the Lease was never ours', async () => {
    const { world, b } = await two();
    let asked = 0;
    world.way = () => ({ request: ++asked, answer: 5 });
    await b.election.release();
    expect(asked).toBe(0);
  });

  it('ends in time, where the cluster does not answer', async () => {
    const { world, a } = await two();
    world.way = () => ({ request: 5, answer: 1_000_000 });
    let done = false;
    void a.election.release().then(() => (done = true));
    await world.pass(5_000);
    expect(done).toBe(true);
  });

  it('waits for no request after a loss', async () => {
    const { world, a } = await two();
    const well = world.way;
    world.way = () => ({ request: 5, answer: 1_000_000 });
    await world.pass(2_500);
    world.way = well;
    a.wallOffset += 60_000;
    expect(a.election.isLeader()).toBe(false);
    void a.election.release();
    await world.pass(100);
    expect(world.lease?.holder).toBe('');
  });

  it('takes nothing from the next candidacy of the same process', async () => {
    const { world, a } = await two();
    a.wallOffset += 60_000;
    expect(a.election.isLeader()).toBe(false);
    const before = a.election;
    const again = a.candidate();
    await world.pass(100);
    void before.release();
    await world.pass(5_000);
    expect(again.isLeader()).toBe(true);
    expect(world.lease?.holder).toBe(a.name);
  });

  it('after a loss lets the same process stand again', async () => {
    const { world, a } = await two();
    a.wallOffset += 60_000;
    expect(a.election.isLeader()).toBe(false);
    const before = await a.election.leading;
    void a.election.release();
    await world.pass(100);
    expect(world.lease?.holder).toBe('');
    const again = a.candidate();
    await world.pass(100);
    expect(again.isLeader()).toBe(true);
    expect(await again.leading).toBe(before + 1);
  });
});

it('processes of one host have names of their own', () => {
  expect(newIdentity('hnotif-0')).toMatch(/^hnotif-0_[0-9a-f]{12}$/);
  expect(newIdentity('hnotif-0')).not.toBe(newIdentity('hnotif-0'));
});

it('without election it leads from the start, in a term above those before, until it is released', async () => {
  const clock = new ManualClock();
  const first = unelected('a', clock);
  await clock.advance(1_000);
  const second = unelected('a', clock);
  expect(await second.leading).toBeGreaterThan(await first.leading);
  expect([second.isLeader(), second.state().ok, second.installedAt]).toEqual([true, true, undefined]);
  await second.release();
  expect([second.isLeader(), second.lost.aborted]).toEqual([false, true]);
});
