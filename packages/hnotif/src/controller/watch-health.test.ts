import { expect, it } from 'vitest';
import { ManualClock } from '../testing/clock.ts';
import { WatchHealth } from './watch-health.ts';

it('tells what is not followed for two looks, and when it is again; not while the API server is away', async () => {
  const clock = new ManualClock();
  const told: (string | undefined)[] = [];
  let failing: string | undefined = 'plans: plans are not served';
  let isAway = false;
  const following = new WatchHealth({
    clock,
    failing: () => failing,
    isAway: () => isAway,
    told: (why) => told.push(why?.message),
  });
  following.start();
  await clock.advance(5_000);
  expect(told).toEqual([]);
  await clock.advance(5_000);
  expect(told).toEqual(['no event is derived from plans: plans: plans are not served']);
  isAway = true;
  await clock.advance(5_000);
  expect(told.at(-1)).toBeUndefined();
  isAway = false;
  failing = undefined;
  await clock.advance(10_000);
  expect(told.filter((words) => words !== undefined)).toHaveLength(1);
  following.close();
  expect(clock.timers).toBe(0);
});
