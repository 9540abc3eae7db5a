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

it.each([
  [
    'Failure alone is asked for: each night is a run',
    [
      event('Failure', 5, { error: 'no capacity', took: 300 }),
      event('Failure', 1_445, { error: 'none left', took: 300 }),
    ],
    ['shutdown failed 0 5 0 no capacity', 'shutdown failed 1440 1445 0 none left'],
  ],
  [
    'a success does not end the failed run of the night before',
    [event('Failure', 5, { error: 'no capacity', took: 300 }), event('Success', 1_454, { took: 840 })],
    ['shutdown failed 0 5 0 no capacity', 'shutdown completed 1440 1454 0'],
  ],
  [
    'a retry in the same night continues the run',
    [
      event('Failure', 5, { error: 'no capacity', took: 300 }),
      event('Recovery', 120, { error: 'no capacity' }),
      event('Failure', 125, { error: 'none left', took: 7_500 }),
    ],
    ['shutdown failed 0 125 1 none left'],
  ],
  [
    'a long run is one: its end says when it began',
    [event('Start', 0), event('Success', 600, { took: 36_000 })],
    ['shutdown completed 0 600 0'],
  ],
] as const)('%s', (_, events, runs) => {
  expect(brief(runsOfEvents(events))).toEqual(runs);
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
  expect(brief(runsOfStatus(statusOf(best)))).toEqual(['shutdown incomplete 1 1 0']);
});

it('the tries of one run, each a row of the history, are that run', () => {
  const rows = [
    { operation: 'shutdown', state: 'failed', began: 0, ended: 2, error: 'no capacity', retries: 0 },
    { operation: 'shutdown', state: 'completed', began: 3, ended: 9, error: '', retries: 0 },
    { operation: 'shutdown', state: 'completed', began: 60, ended: 65, error: '', retries: 0 },
  ].map(
    (row) =>
      ({
        ...row,
        began: T0 + row.began * MINUTE_MS,
        ended: T0 + row.ended * MINUTE_MS,
        seen: T0 + row.ended * MINUTE_MS,
      }) as Run,
  );
  const events = [
    event('Start', 0),
    event('Failure', 2, { error: 'no capacity' }),
    event('Recovery', 3, { error: 'no capacity' }),
  ];
  expect(brief(merged(runsOfEvents(events), rows))).toEqual([
    'shutdown completed 0 9 1 no capacity',
    'shutdown completed 60 65 0',
  ]);
  const { ended: _, ...second } = { ...rows[1]!, state: 'running' as const, seen: T0 + 4 * MINUTE_MS };
  expect(brief(merged(runsOfEvents(events), [second]))).toEqual(['shutdown running 0 NaN 1 no capacity']);
  // A run that was begun anew right after is another one, with its own row.
  const twice = [event('Start', 0), event('Failure', 2, { error: 'no capacity' }), event('Start', 3)];
  expect(brief(merged(runsOfEvents(twice), rows.slice(0, 2)))).toEqual([
    'shutdown failed 0 2 0 no capacity',
    'shutdown completed 3 9 0',
  ]);
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
            seen: began + minutes * MINUTE_MS,
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
