import { expect, it } from 'vitest';
import { begin, fail, initialStatus, poll, recordFailure, retry, succeed } from '@hnotif/core/lifecycle';
import { parsePlan } from '@hnotif/core/resources';
import { timelineOf } from './timeline.ts';

const T0 = Date.parse('2026-01-05T20:00:00Z');
const TARGETS = [{ name: 'db', type: 'rds' }];
const told = (status: object): readonly string[] =>
  timelineOf(parsePlan({ metadata: { name: 'shop' }, status }), [], []).map(({ what }) => what);

const running = begin(initialStatus, 'shutdown', 'c1', TARGETS, T0);
const broken = poll(running, [{ target: 'db', state: 'Failed', message: 'no capacity' }], T0 + 60_000);
const failed = fail(recordFailure(broken, T0 + 61_000), 'target db: no capacity', T0 + 61_000);

it('each event of a plan is shown with the phase that it had then, not with that of today', () => {
  const done = poll(running, [{ target: 'db', state: 'Completed' }], T0 + 60_000);
  expect(told(succeed(done, T0 + 61_000))).toEqual([
    'Start: phase Hibernating, shutdown',
    'ExecutionProgress: phase Hibernating, shutdown',
    'Success: phase Hibernated, shutdown',
    'PhaseChange: phase Hibernated, shutdown',
  ]);
  expect(told(retry(failed, T0 + 120_000))).toEqual([
    'Start: phase Hibernating, shutdown',
    'ExecutionProgress: phase Hibernating, shutdown',
    'PhaseChange: phase Error, shutdown',
    'Recovery: phase Hibernating, shutdown: target db: no capacity',
  ]);
});

it('a failure says why: the error and the targets', () => {
  expect(told(failed).at(-1)).toBe(
    'Failure: phase Error, shutdown, after 1 s: target db: no capacity; failed: db',
  );
});
