import { expect, it } from 'vitest';
import { isOver, stillWaiting, warned } from './incident.ts';

const WAIT = { waiting: 3, since: 10 };

it('an incident is over when a message has arrived and nothing waits', () => {
  const begun = warned(undefined, WAIT);
  expect(begun).toEqual({ ...WAIT, isWaiting: true, hasArrived: false });
  expect(isOver(begun)).toBe(false);
  expect(isOver({ ...begun, hasArrived: true })).toBe(false);
  // What waited has expired.
  expect(isOver({ ...begun, isWaiting: false })).toBe(false);
  expect(isOver({ ...begun, isWaiting: false, hasArrived: true })).toBe(true);
});

it('Warnings that follow each other belong to one incident, with the largest number of waiting deliveries', () => {
  const again = warned({ ...warned(undefined, WAIT), hasArrived: true }, { waiting: 9, since: 20 });
  expect(again).toEqual({ waiting: 9, since: 10, isWaiting: true, hasArrived: false });
  const quiet = { ...again, isWaiting: false };
  expect(stillWaiting(quiet, { waiting: 5, since: 30 })).toEqual(again);
});
