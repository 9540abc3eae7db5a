import { expect, it } from 'vitest';
import { ManualClock } from '../../../core/src/testing/clock.ts';
import { collectWhenQuiet } from './small-heap.ts';

it('garbage is collected once after work, when the event loop is quiet, but not if the heap is large', async () => {
  const clock = new ManualClock();
  const heap = { active: 0.5, used: 60, live: 40, collections: 0 };
  const stop = collectWhenQuiet(clock, {
    activity: () => heap.active,
    usedMb: () => heap.used,
    collect: () => {
      heap.collections++;
      heap.used = heap.live;
    },
  });
  await clock.advance(60_000);
  expect(heap.collections).toBe(0);
  heap.active = 0.01;
  await clock.advance(10_000);
  expect(heap).toMatchObject({ collections: 1, used: 40 });
  heap.used = 55;
  await clock.advance(60_000);
  expect(heap.collections).toBe(1);
  heap.used = 57;
  await clock.advance(60_000);
  expect(heap.collections).toBe(2);
  heap.used = 513;
  await clock.advance(60_000);
  expect(heap.collections).toBe(2);
  stop();
  expect(clock.timers).toBe(0);
});
