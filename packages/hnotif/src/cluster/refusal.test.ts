import { expect, it } from 'vitest';
import { PASSING_MS, Refusals } from './refusal.ts';

it('a refusal of what was permitted may pass, for some seconds; any other is a missing right', () => {
  const refusals = new Refusals();
  expect(refusals.mayPass('a', 0)).toBe(false);
  refusals.permitted('a');
  expect(refusals.mayPass('b', 1)).toBe(false);
  expect([5, 4 + PASSING_MS, 5 + PASSING_MS].map((now) => refusals.mayPass('a', now))).toEqual([
    true,
    true,
    false,
  ]);
  refusals.permitted('a');
  expect(refusals.mayPass('a', 3 * PASSING_MS)).toBe(true);
});

it('remembers only the newest names', () => {
  const refusals = new Refusals();
  for (let at = 0; at <= 10_000; at++) refusals.permitted(`name-${at}`);
  expect([refusals.mayPass('name-0', 0), refusals.mayPass('name-1', 0)]).toEqual([false, true]);
});
