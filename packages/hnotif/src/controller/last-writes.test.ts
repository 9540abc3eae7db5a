import { beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../../core/src/testing/clock.ts';
import { LastWrites, type LastStep } from './last-writes.ts';

const never = new Promise<never>(() => undefined);

let clock: ManualClock;
let last: LastWrites;

beforeEach(() => {
  clock = new ManualClock();
  last = new LastWrites(clock);
});

/** How long a step is waited for that never ends (milliseconds). */
async function patience(step: LastStep, hurry?: AbortSignal): Promise<number> {
  const began = clock.monotonic();
  let over = false;
  let signal: AbortSignal | undefined;
  void last
    .wait(step, hurry, (enough) => {
      signal = enough;
      return never;
    })
    .then(() => (over = true));
  for (let turned = 0; turned <= 10_000; turned += 100) {
    await clock.advance(0);
    if (over) break;
    await clock.advance(100);
  }
  expect(signal?.aborted).toBe(true);
  expect(clock.timers).toBe(0);
  return clock.monotonic() - began;
}

const aborted = AbortSignal.abort();

describe('the steps of a stop after the drain', () => {
  it('take five seconds in all when nothing answers', async () => {
    for (const step of ['roots', 'journals', 'statuses', 'lease'] as const) await patience(step);
    expect(clock.monotonic()).toBe(5_000);
  });

  it('leave unused time to the next ones', async () => {
    for (const step of ['roots', 'journals', 'statuses'] as const)
      await last.wait(step, undefined, () => Promise.resolve());
    expect(await patience('lease')).toBe(5_000);
    expect(clock.timers).toBe(0);
  });

  it('count the time that the drain took after its deadline', async () => {
    await clock.advance(31_000);
    last.drained(0, 30_000);
    expect(await patience('lease')).toBe(4_000);
  });

  it('begin early if the drain ends early', async () => {
    await clock.advance(10_000);
    last.drained(0, 30_000);
    expect(await patience('lease')).toBe(5_000);
  });

  it('give roots the time of a request if the drain has left it, and the other steps their usual time', async () => {
    await clock.advance(10_000);
    last.drained(0, 30_000);
    expect(await patience('roots')).toBe(10_000);
    expect(await patience('lease')).toBe(5_000);
  });

  it('give roots the rest of the drain, and never end later than five seconds after it', async () => {
    await clock.advance(24_000);
    last.drained(0, 30_000);
    expect(await patience('roots')).toBe(6_000);
    expect(await patience('lease')).toBe(5_000);
    expect(clock.monotonic()).toBe(35_000);
    last = new LastWrites(clock);
    await clock.advance(29_000);
    last.drained(35_000, 30_000);
    expect(await patience('roots')).toBe(2_000);
    expect(await patience('lease')).toBe(4_000);
    expect(clock.monotonic()).toBe(70_000);
  });

  it('take one second in all from the begin of a hurry', async () => {
    for (const step of ['roots', 'journals', 'statuses', 'lease'] as const) await patience(step, aborted);
    expect(clock.monotonic()).toBe(1_000);
  });

  it('can be shortened during a step, and are never made longer', async () => {
    const hurry = new AbortController();
    clock.after(500, () => {
      hurry.abort();
    });
    expect(await patience('lease', hurry.signal)).toBe(1_500);
    await clock.advance(3_000);
    expect(await patience('lease', aborted)).toBe(0);
  });
});
