import { expect, it } from 'vitest';
import { ManualClock } from '../testing/clock.ts';
import { WatchHealth } from './watch-health.ts';

it('shows what fails in two checks, until it works again; nothing while the API server is away', async () => {
  const clock = new ManualClock();
  const told: (string | undefined)[] = [];
  const watches: { failing: string | undefined } = { failing: 'plans: plans are not served' };
  const outage = { isAway: false };
  const statusTracker = { unserved: (why?: { message: string }) => told.push(why?.message) };
  const health = new WatchHealth({ clock, watches, outage, statusTracker });
  health.start();
  await clock.advance(5_000);
  expect(told).toEqual([]);
  await clock.advance(5_000);
  expect(told).toEqual(['no event is derived from plans: plans: plans are not served']);
  outage.isAway = true;
  await clock.advance(5_000);
  expect(told.at(-1)).toBeUndefined();
  outage.isAway = false;
  watches.failing = undefined;
  await clock.advance(10_000);
  expect(told.filter((words) => words !== undefined)).toHaveLength(1);
  health.close();
  expect(clock.timers).toBe(0);
});
