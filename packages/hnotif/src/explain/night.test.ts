import { parsePlan } from '@hnotif/core/resources';
import { expect, it } from 'vitest';
import { begin, fail, initialStatus, poll, succeed } from '@hnotif/core/lifecycle';
import type { Facts } from './facts.ts';
import { askedNight, isWell, nightOf } from './night.ts';
import { nightOn } from './night-window.ts';

const T0 = Date.parse('2026-01-05T20:00:00Z');
const HOUR_MS = 3_600_000;
const MORNING = Date.parse('2026-01-06T08:00:00Z');
const DB = [{ name: 'db', type: 'rds' }];

const factsOf = (status: object): Facts => {
  const plan = parsePlan({ metadata: { namespace: 'a', name: 'shop' }, status });
  return {
    ...{ namespace: 'a', now: MORNING, leader: { state: 'unknown', message: '' }, asked: undefined },
    ...{ notifications: [], plans: [plan], shown: [{ plan, journal: 'no right to read journals' }] },
  };
};

const night = (status: object) => nightOf([factsOf(status)], nightOn('2026-01-05', 'UTC')!, MORNING);

it('without a journal the status of a plan tells its night, and that nobody was told', () => {
  const running = begin(initialStatus, 'shutdown', 'c1', DB, T0);
  const done = succeed(poll(running, [{ target: 'db', state: 'Completed' }], T0 + 60_000), T0 + 60_000);
  const found = night(done);
  expect(found.plans).toMatchObject([
    { plan: 'shop', state: 'asleep', notifications: [], deliveries: [], runs: [{ state: 'completed' }] },
  ]);
  expect(isWell(found)).toBe(true);
});

it('a run that failed and was started again counts by its last end', () => {
  const running = begin(initialStatus, 'shutdown', 'c1', DB, T0);
  const failed = fail(
    poll(running, [{ target: 'db', state: 'Failed' }], T0 + 60_000),
    'no capacity',
    T0 + 60_000,
  );
  expect(night(failed)).toMatchObject({ plans: [{ state: 'failed', runs: [{ error: 'no capacity' }] }] });
  expect(isWell(night(failed))).toBe(false);
  const again = begin({ ...failed, errorMessage: '' }, 'shutdown', 'c2', DB, T0 + HOUR_MS);
  const done = succeed(
    poll(again, [{ target: 'db', state: 'Completed' }], T0 + HOUR_MS + 60_000),
    T0 + HOUR_MS + 60_000,
  );
  expect(night(done)).toMatchObject({ plans: [{ state: 'asleep' }] });
});

it('a night in which nothing happened has no plans, and is well', () => {
  const found = night(initialStatus);
  expect(found).toMatchObject({ plans: [], notTold: [], isOver: false });
  expect(isWell(found)).toBe(true);
});

it('without a date it is the last night, or the time since noon if the last night is empty', () => {
  const running = begin(initialStatus, 'shutdown', 'c1', DB, T0);
  const done = succeed(poll(running, [{ target: 'db', state: 'Completed' }], T0 + 60_000), T0 + 60_000);
  const latest = (status: object, now: string) =>
    askedNight([factsOf(status)], undefined, 'UTC', Date.parse(now));
  const date = '2026-01-05';
  expect(latest(done, '2026-01-05T20:02:00Z')).toMatchObject({
    date,
    isOver: false,
    plans: [{ plan: 'shop' }],
  });
  expect(latest(done, '2026-01-06T08:00:00Z')).toMatchObject({ date, isOver: false });
  expect(latest(done, '2026-01-06T15:00:00Z')).toMatchObject({
    date,
    isOver: true,
    plans: [{ plan: 'shop' }],
  });
  expect(latest(initialStatus, '2026-01-06T15:00:00Z')).toMatchObject({ date, isOver: true, plans: [] });
  // A new run since noon does not take the place of last night.
  const woken = begin(done, 'wakeup', 'c2', DB, Date.parse('2026-01-06T14:00:00Z'));
  expect(latest(woken, '2026-01-06T15:00:00Z')).toMatchObject({ date, plans: [{ plan: 'shop' }] });
});
