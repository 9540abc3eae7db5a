import { expect, it } from 'vitest';
import { ManualClock } from '../../../core/src/testing/clock.ts';
import { QuietCollection } from './small-heap.ts';

it('garbage is collected once, ten seconds after the last work', async () => {
  const clock = new ManualClock();
  let collected = 0;
  const collection = new QuietCollection(clock, () => collected++);
  collection.worked();
  await clock.advance(9_999);
  collection.worked();
  await clock.advance(9_999);
  expect(collected).toBe(0);
  await clock.advance(60_000);
  expect(collected).toBe(1);
  collection.worked();
  collection.stop();
  expect(clock.timers).toBe(0);
});
