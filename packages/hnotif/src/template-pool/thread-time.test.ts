import { expect, it } from 'vitest';
import { threadTime } from './thread-time.ts';

it('goes on while the thread works', () => {
  const time = threadTime();
  const began = time();
  while (time() - began < 5);
  expect(time()).toBeGreaterThan(began);
});

it('stands still while the thread waits', () => {
  const time = threadTime();
  const wall = performance.now();
  const began = time();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
  const waited = performance.now() - wall;
  // Where only wall time is known, a tenth of it counts.
  expect(time() - began).toBeLessThan(waited / 2);
});
