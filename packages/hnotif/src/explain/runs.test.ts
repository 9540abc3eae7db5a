import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  begin,
  fail,
  formatTime,
  initialStatus,
  poll,
  recordFailure,
  retry,
  succeed,
} from '@hnotif/core/lifecycle';
import { parsePlan } from '@hnotif/core/resources';
import { merged, runsOf, runsOfEvents, runsOfStatus, type Run, type RunEvent } from './runs.ts';

const T0 = Date.parse('2026-01-05T20:00:00Z');
const MINUTE_MS = 60_000;
const TARGETS = [{ name: 'db', type: 'rds' }];

const event = (kind: string, minutes: number, more: Partial<RunEvent['facts']> = {}): RunEvent => ({
  kind,
  facts: { time: formatTime(T0 + minutes * MINUTE_MS), operation: 'shutdown', phase: '', ...more },
});
const statusOf = (status: object) => parsePlan({ metadata: { name: 'p' }, status }).status;
const brief = (runs: readonly Run[]): readonly string[] =>
  runs.map(({ began, ended = NaN, error, operation, retries, state }) =>
    [operation, state, (began - T0) / MINUTE_MS, (ended - T0) / MINUTE_MS, retries, error].join(' ').trim(),
  );

it('the events of a night are its runs: a retry continues one, and the end of another operation begins one', () => {
  const events = [
    event('Start', 0),
    event('Failure', 5, { error: 'no capacity', took: 300 }),
    event('Recovery', 6, { error: 'no capacity' }),
    event('Success', 9, { took: 540 }),
    event('Success', 600, { took: 120, operation: 'wakeup' }),
    event('Start', 1_440),
  ];
  expect(brief(runsOfEvents(events))).toEqual([
    'shutdown completed 0 9 1 no capacity',
    'wakeup completed 598 600 0',
    'shutdown running 1440 NaN 0',
  ]);
});

it('the status of a plan tells the runs of its history, and the present one', () => {
  const running = begin(initialStatus, 'shutdown', 'c1', TARGETS, T0);
  const broken = poll(running, [{ target: 'db', state: 'Failed', message: 'no' }], T0 + MINUTE_MS);
  const failed = fail(recordFailure(broken, T0 + MINUTE_MS), 'no capacity', T0 + MINUTE_MS);
  expect(brief(runsOfStatus(statusOf(failed)))).toEqual(['shutdown failed 1 1 0 no capacity']);
  const again = retry(failed, T0 + 2 * MINUTE_MS);
  expect(brief(runsOfStatus(statusOf(again))).at(-1)).toMatch(/^shutdown running 1 NaN 1/);
  const done = succeed(
    poll(again, [{ target: 'db', state: 'Completed' }], T0 + 3 * MINUTE_MS),
    T0 + 3 * MINUTE_MS,
  );
  expect(brief(runsOfStatus(statusOf(done)))).toEqual(['shutdown completed 1 3 0']);
  // Nobody had asked for Success: the journal knows only the failure.
  const known = [event('Start', 0), event('Failure', 1, { error: 'no capacity' })];
  expect(brief(runsOf({ status: statusOf(done) }, known))).toEqual(['shutdown completed 0 3 0 no capacity']);
  const best = succeed(broken, T0 + MINUTE_MS);
  expect(brief(runsOfStatus(statusOf(best)))).toEqual(['shutdown partly 1 1 0']);
});

it('each run of two sources is there once, whichever is asked first', () => {
  const run = fc.record({
    operation: fc.constantFrom('shutdown', 'wakeup'),
    hour: fc.nat(200),
    minutes: fc.nat(30),
  });
  fc.assert(
    fc.property(
      fc.uniqueArray(run, { selector: ({ hour }) => hour, maxLength: 12 }),
      fc.array(fc.boolean()),
      (all, known) => {
        const runs = all.map(({ operation, hour, minutes }): Run => {
          const began = T0 + hour * 60 * MINUTE_MS;
          return {
            operation,
            state: 'completed',
            began,
            ended: began + minutes * MINUTE_MS,
            error: '',
            retries: 0,
          };
        });
        const some = runs.filter((_, at) => known[at]);
        const sorted = runs.toSorted((a, b) => a.began - b.began);
        expect(merged(runs, some)).toEqual(sorted);
        expect(merged(some, runs)).toEqual(sorted);
      },
    ),
  );
});
