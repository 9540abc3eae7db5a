import { beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../testing/clock.ts';
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

describe('what a stop waits for after the drain', () => {
  it('takes five seconds in all where nothing answers', async () => {
    for (const step of ['roots', 'journals', 'statuses', 'lease'] as const) await patience(step);
    expect(clock.monotonic()).toBe(5_000);
  });

  it('leaves to others what it does not need', async () => {
    for (const step of ['roots', 'journals', 'statuses'] as const)
      await last.wait(step, undefined, () => Promise.resolve());
    expect(await patience('lease')).toBe(5_000);
    expect(clock.timers).toBe(0);
  });

  it('counts what the drain took beyond its time', async () => {
    await clock.advance(31_000);
    last.drained(0, 30_000);
    expect(await patience('lease')).toBe(4_000);
  });

  it('begins when the drain has ended early', async () => {
    await clock.advance(10_000);
    last.drained(0, 30_000);
    expect(await patience('lease')).toBe(5_000);
  });

  it('gives roots the time of a request where the drain has left so much, and the other steps what they have else', async () => {
    await clock.advance(10_000);
    last.drained(0, 30_000);
    expect(await patience('roots')).toBe(10_000);
    expect(await patience('lease')).toBe(5_000);
  });

  it('gives roots what is left of the drain, and never takes more than five seconds beyond it', async () => {
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

  it('takes a second in all in a hurry, from when that began', async () => {
    for (const step of ['roots', 'journals', 'statuses', 'lease'] as const) await patience(step, aborted);
    expect(clock.monotonic()).toBe(1_000);
  });

  it('is shortened in the middle of a step, and never made longer', async () => {
    const hurry = new AbortController();
    clock.after(500, () => {
      hurry.abort();
    });
    expect(await patience('lease', hurry.signal)).toBe(1_500);
    await clock.advance(3_000);
    expect(await patience('lease', aborted)).toBe(0);
  });
});
