import { expect, it } from 'vitest';
import { ManualClock } from '../../../core/src/testing/clock.ts';
import { AWAITED, UNAWAITED, WritePacer, type Pace } from './write-pacer.ts';

const LOUD = 'loud';
const QUIET = 'quiet';

/** The waits of journals that were written just now, after changes at these rates (per second). */
async function waitsAfter(
  rates: Readonly<Record<string, number>>,
  ms: number,
  of: Pace = AWAITED,
): Promise<number[]> {
  const clock = new ManualClock();
  const pace = new WritePacer(clock);
  for (let at = 0; at < ms; at++) {
    for (const [namespace, perSecond] of Object.entries(rates)) {
      const before = Math.floor((at * perSecond) / 1_000);
      const changes = Math.floor(((at + 1) * perSecond) / 1_000) - before;
      for (let n = 0; n < changes; n++) pace.count(namespace);
    }
    await clock.advance(1);
  }
  return Object.keys(rates).map((namespace) => pace.waitMs(namespace, clock.monotonic(), of));
}

it('changes are written at once while they are few', async () => {
  expect(await waitsAfter({ [LOUD]: 200 }, 2_000)).toEqual([0]);
  expect(await waitsAfter({ [LOUD]: 1_000 }, 25)).toEqual([0]);
});

it('in a burst a journal is written every three quarters of a second', async () => {
  expect(await waitsAfter({ [LOUD]: 500 }, 1_000)).toEqual([750]);
});

it('what nothing waits for is written four to five seconds later when there are more than a few changes', async () => {
  expect(await waitsAfter({ [LOUD]: 20 }, 2_000, UNAWAITED)).toEqual([0]);
  expect(await waitsAfter({ [LOUD]: 100 }, 2_000, UNAWAITED)).toEqual([4_500]);
  // Counted from the change, also if the last write was long ago: the changes until then share the write.
  const clock = new ManualClock();
  const pace = new WritePacer(clock);
  for (let n = 0; n < 100; n++) pace.count(LOUD);
  const atRandom = [0, 0.999].map((random) => {
    clock.randomValue = random;
    return Math.round(pace.waitMs(LOUD, -Infinity, UNAWAITED));
  });
  expect(atRandom).toEqual([5_000, 4_001]);
  // Nobody waits longer for a message because of another namespace.
  expect(await waitsAfter({ [LOUD]: 100, [QUIET]: 1 }, 2_000, UNAWAITED)).toEqual([4_500, 4_500]);
});

it('the burst of one namespace does not delay another one', async () => {
  expect(await waitsAfter({ [LOUD]: 500, [QUIET]: 50 }, 1_000)).toEqual([750, 0]);
  expect(await waitsAfter({ [LOUD]: 500 }, 1_000)).toEqual([750]);
});

it('many namespaces that change a little each are a burst together', async () => {
  const rates = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`team-${n}`, 25]));
  expect(await waitsAfter(rates, 1_000)).toEqual(Array(20).fill(750));
});

it('in a burst a journal without a recent write is written at once, and all are when the burst is over', async () => {
  const clock = new ManualClock();
  const pace = new WritePacer(clock);
  for (let n = 0; n < 1_000; n++) pace.count(LOUD);
  expect(pace.waitMs(LOUD, clock.monotonic() - 200, AWAITED)).toBe(550);
  expect(pace.waitMs(LOUD, clock.monotonic() - 750, AWAITED)).toBe(0);
  await clock.advance(1_000);
  expect(pace.waitMs(LOUD, clock.monotonic(), AWAITED)).toBe(0);
});
