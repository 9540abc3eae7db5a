import { expect, it } from 'vitest';
import { ManualClock } from '../testing/clock.ts';
import { WritePacer } from './write-pacer.ts';

/** The wait of a journal that was written just now, after changes at this rate. */
async function waitAfter(perSecond: number, ms: number): Promise<number> {
  const clock = new ManualClock();
  const pace = new WritePacer(clock);
  for (let n = 0; n < (perSecond * ms) / 1_000; n++) {
    await clock.advance(1_000 / perSecond);
    pace.count();
  }
  return pace.waitMs(clock.monotonic());
}

it('changes are written at once while they are few', async () => {
  expect(await waitAfter(200, 2_000)).toBe(0);
  expect(await waitAfter(1_000, 50)).toBe(0);
});

it('in a burst a journal is written every three quarters of a second', async () => {
  expect(await waitAfter(500, 1_000)).toBe(750);
});

it('in a burst a journal that was not written for long is written at once, and all are when the burst is over', async () => {
  const clock = new ManualClock();
  const pace = new WritePacer(clock);
  for (let n = 0; n < 1_000; n++) pace.count();
  expect(pace.waitMs(clock.monotonic() - 200)).toBe(550);
  expect(pace.waitMs(clock.monotonic() - 750)).toBe(0);
  await clock.advance(1_000);
  expect(pace.waitMs(clock.monotonic())).toBe(0);
});
