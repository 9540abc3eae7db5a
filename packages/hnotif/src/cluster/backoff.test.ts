import { expect, test } from 'vitest';
import { ManualClock } from '../../../core/src/testing/clock.ts';
import { Backoff } from './backoff.ts';

test('pauses double from 800 ms, are lengthened by chance, and never pass 30 s', () => {
  const clock = new ManualClock();
  const backoff = new Backoff(clock);
  clock.randomValue = 0;
  expect(backoff.next()).toBe(800);
  clock.randomValue = 0.999999;
  expect(backoff.next()).toBeCloseTo(3200, 1);
  for (let more = 0; more < 20; more++) expect(backoff.next()).toBeLessThan(30_000);
  expect(backoff.next()).toBeGreaterThan(29_999);
});

test('they are short again after two minutes in which none was needed, and no sooner', async () => {
  const clock = new ManualClock();
  const backoff = new Backoff(clock);
  clock.randomValue = 0;
  backoff.next();
  await clock.advance(800 + 119_999);
  expect(backoff.next()).toBe(1600);
  await clock.advance(1600 + 120_000);
  expect(backoff.next()).toBe(800);
});

test('what the server asks for is kept to, up to 30 s', () => {
  const backoff = new Backoff(new ManualClock());
  expect(backoff.next(5_000)).toBe(5_000);
  expect(backoff.next(999_000)).toBe(30_000);
});
