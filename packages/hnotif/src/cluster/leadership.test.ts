import { describe, expect, it, vi } from 'vitest';
import { momentOf } from '@hnotif/core/clock';
import { ManualClock } from '../../../core/src/testing/clock.ts';
import { LeaseLeadership, leftOf, unelected } from './leadership.ts';
import { LeaseMemory } from './lease-memory.ts';

it('a leader has what the clock leaves that has gone further', () => {
  const renewed = { wall: 1_000_000, monotonic: 500 };
  expect(leftOf(renewed, { wall: 1_000_100, monotonic: 700 }, 10_000)).toBe(9_800);
  expect(leftOf(renewed, { wall: 1_009_000, monotonic: 700 }, 10_000)).toBe(1_000);
  expect(leftOf(renewed, { wall: 0, monotonic: 10_500 }, 10_000)).toBe(0);
});

/** A thread that renews and one that does not, on one clock. */
function two() {
  const clock = new ManualClock();
  const memory = LeaseMemory.shared();
  const [endedThere, endedHere] = [vi.fn(), vi.fn()];
  const there = new LeaseLeadership(clock, 10_000, memory);
  const here = new LeaseLeadership(clock, 10_000, new LeaseMemory(memory.buffer));
  there.lost.addEventListener('abort', endedThere);
  here.lost.addEventListener('abort', endedHere);
  return { clock, memory, there, here, endedThere, endedHere };
}

describe('a thread that shares the deadline of another', () => {
  it('knows of each renewal without a word', async () => {
    const { clock, there, here, endedHere } = two();
    expect(here.isLeader()).toBe(false);
    for (let renewal = 0; renewal < 5; renewal++) {
      there.renew(momentOf(clock));
      await clock.advance(9_999);
      expect(here.isLeader()).toBe(true);
    }
    await clock.advance(1);
    expect(here.isLeader()).toBe(false);
    expect(endedHere).toHaveBeenCalledTimes(1);
  });

  it('is told unasked at the last deadline, once, where it watches', async () => {
    const { clock, there, here, endedThere, endedHere } = two();
    there.renew(momentOf(clock));
    here.watch();
    await clock.advance(5_000);
    there.renew(momentOf(clock));
    await clock.advance(9_999);
    expect([endedThere, endedHere].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
    await clock.advance(20_000);
    expect([endedThere, endedHere].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
    expect(clock.timers).toBe(0);
  });

  it('ends it for both, for good', () => {
    const { clock, there, here, endedThere, endedHere } = two();
    there.renew(momentOf(clock));
    expect(there.isLeader()).toBe(true);
    here.end('a test');
    expect(there.isLeader()).toBe(false);
    expect([endedThere, endedHere].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
    there.renew(momentOf(clock));
    expect([there.isLeader(), here.isLeader()]).toEqual([false, false]);
  });

  it('hears why the other one has ended it; until then it does not lead', async () => {
    const { clock, memory, there } = two();
    const hearing = new LeaseLeadership(clock, 10_000, new LeaseMemory(memory.buffer), true);
    there.renew(momentOf(clock));
    there.end('z has taken it');
    expect([hearing.isLeader(), hearing.lost.aborted]).toEqual([false, false]);
    hearing.end('z has taken it');
    expect(hearing.lost.reason).toEqual(new Error('z has taken it'));
    const late = new LeaseLeadership(clock, 10_000, new LeaseMemory(memory.buffer), true);
    await clock.advance(10_000);
    expect([late.isLeader(), late.lost.aborted]).toEqual([false, true]);
  });

  it('has the wall clock of the same renewal', async () => {
    const { clock, there, here } = two();
    there.renew(momentOf(clock));
    clock.jump(-3_600_000);
    await clock.advance(5_000);
    there.renew(momentOf(clock));
    clock.jump(9_999);
    expect(here.isLeader()).toBe(true);
    clock.jump(1);
    expect(here.isLeader()).toBe(false);
  });
});

it('is fresh for the first half of its time, by both clocks, in both threads', async () => {
  const { clock, there, here } = two();
  const fresh = (): boolean[] => [there.isRenewed(), here.isRenewed()];
  expect(fresh()).toEqual([false, false]);
  there.renew(momentOf(clock));
  await clock.advance(5_000);
  expect(fresh()).toEqual([true, true]);
  clock.jump(1);
  expect(fresh()).toEqual([false, false]);
  expect(here.isLeader()).toBe(true);
  there.renew(momentOf(clock));
  expect(fresh()).toEqual([true, true]);
  there.end('a test');
  expect(fresh()).toEqual([false, false]);
});

it('an answer that came too late begins nothing', () => {
  const { clock, there, here, endedThere } = two();
  const sent = momentOf(clock);
  clock.jump(10_000);
  there.renew(sent);
  expect([there.isLeader(), here.isLeader(), endedThere.mock.calls.length]).toEqual([false, false, 0]);
});

it('the memory keeps moments to the microsecond, never later than they were', () => {
  const memory = new LeaseMemory();
  expect(memory.renewed).toBeUndefined();
  memory.renew({ monotonic: 1_234.567_89, wall: -1.5 });
  expect(memory.renewed).toEqual({ monotonic: 1_234.567, wall: -1.5 });
  memory.signOfLife = 77.000_9;
  expect(memory.signOfLife).toBe(77);
});

it('one who is not elected has a higher term than all that began before, be it in the same second', async () => {
  const clock = new ManualClock();
  const terms: number[] = [];
  for (let start = 0; start < 5; start++) {
    terms.push(await unelected(`process-${start}`, clock).leading);
    await clock.advance(start < 3 ? 1 : 997);
  }
  expect(terms).toEqual(terms.toSorted((a, b) => a - b));
  expect(new Set(terms).size).toBe(5);
  expect(Number.isSafeInteger(terms.at(-1))).toBe(true);
});

it('one who is not elected has nothing to renew', async () => {
  const alone = unelected('process', new ManualClock());
  expect([alone.isLeader(), alone.isRenewed()]).toEqual([true, true]);
  await alone.release();
  expect([alone.isLeader(), alone.isRenewed()]).toEqual([false, false]);
});
