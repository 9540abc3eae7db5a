import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { systemClock } from './clock.ts';

const DAY_MS = 86_400_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('a wait longer than the longest timer of the platform lasts as long as it was asked to', () => {
  const run = vi.fn();
  systemClock.after(60 * DAY_MS, run);
  vi.advanceTimersByTime(60 * DAY_MS - 1);
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(run).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});

it('a long wait can be called off in any of its steps', () => {
  const run = vi.fn();
  const cancel = systemClock.after(60 * DAY_MS, run);
  vi.advanceTimersByTime(30 * DAY_MS);
  cancel();
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(60 * DAY_MS);
  expect(run).not.toHaveBeenCalled();
});
