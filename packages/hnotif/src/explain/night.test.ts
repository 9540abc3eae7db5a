import { parsePlan } from '@hnotif/core/resources';
import { expect, it } from 'vitest';
import { begin, fail, formatTime, initialStatus, poll, recordFailure, succeed } from '@hnotif/core/lifecycle';
import { aNotification } from '../../../core/src/testing/notifications.ts';
import type { StoredPlan } from '../journal/entry.ts';
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

it('a plan that failed the night before, too, has failed, though only failures are in the journal', () => {
  const failedAt = (previous: object, at: number) => {
    const running = begin({ ...initialStatus, ...previous, errorMessage: '' }, 'shutdown', `c${at}`, DB, at);
    const broken = poll(running, [{ target: 'db', state: 'Failed', message: 'no' }], at + 300_000);
    return fail(recordFailure(broken, at + 300_000), 'no capacity', at + 300_000);
  };
  const line = (seq: number, at: number): string =>
    `${formatTime(at + 301_000)} #${seq} Failure oncall/pager delivered [aaaaaaaaaaaa] {"id":"bbbbbbbbbbbb","time":"${formatTime(at + 300_000)}","op":"shutdown","phase":"Error","took":300,"error":"no capacity"}`;
  const nights = { 0: line(3, T0), 1: line(9, T0 + 24 * HOUR_MS) };
  const journal = { nights, outcomes: {}, sinks: [], events: () => [] } as unknown as StoredPlan;
  const known = factsOf(failedAt(failedAt(initialStatus, T0), T0 + 24 * HOUR_MS));
  const notifications = [aNotification({ name: 'oncall', onEvents: ['Failure'] })];
  const shown = known.shown.map(({ plan }) => ({ plan, journal }));
  const facts: Facts = { ...known, notifications, shown };
  for (const date of ['2026-01-05', '2026-01-06']) {
    const found = nightOf([facts], nightOn(date, 'UTC')!, MORNING + 24 * HOUR_MS);
    expect(found.plans).toMatchObject([{ state: 'failed', runs: [{ seconds: 300 }] }]);
    expect(isWell(found)).toBe(false);
  }
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
