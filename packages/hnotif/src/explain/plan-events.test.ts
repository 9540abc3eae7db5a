import { expect, it } from 'vitest';
import { begin, fail, initialStatus, poll, retry, succeed } from '@hnotif/core/lifecycle';
import { parsePlan } from '@hnotif/core/resources';
import { eventsShownBy } from './plan-events.ts';

const T0 = Date.parse('2026-01-05T20:00:00Z');
const shown = (status: object): readonly string[] => [
  ...eventsShownBy(parsePlan({ metadata: { name: 'p' }, status }).status).keys(),
];

it('a plan shows what it has been through since its run began', () => {
  expect(shown({ ...initialStatus, phase: 'Active' })).toEqual([]);
  const running = begin(initialStatus, 'shutdown', 'c1', [{ name: 'db', type: 'rds' }], T0);
  expect(shown(running)).toEqual(['Start', 'PhaseChange']);
  const done = poll(running, [{ target: 'db', state: 'Completed' }], T0 + 1_000);
  expect(shown(succeed(done, T0 + 2_000))).toEqual(['Start', 'ExecutionProgress', 'PhaseChange', 'Success']);
  const failed = fail(
    poll(running, [{ target: 'db', state: 'Failed' }], T0 + 1_000),
    'no rights',
    T0 + 2_000,
  );
  expect(shown(failed)).toContain('Failure');
  expect(shown(retry(failed, T0 + 3_000))).toContain('Recovery');
});
