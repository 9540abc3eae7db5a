import { expect, test } from 'vitest';
import type { PlanView } from '../resources/plan-view.ts';
import { durationOf, targetDurations } from './duration.ts';
import { aSource, aTarget } from '../sinks/teamchat/presets/testing/sources.ts';

const START = '2026-03-02T20:00:00Z';
const after = (seconds: number): string => new Date(Date.parse(START) + seconds * 1000).toISOString();

test.each([
  [0, ''],
  [-5, ''],
  [0.9, ''],
  [41, '41 s'],
  [60, '1 min'],
  [835, '13 min 55 s'],
  [3600, '1 h'],
  [7505, '2 h 5 min'],
  [100 * 3600, '100 h'],
])('%d seconds are %s', (seconds, text) => {
  expect(durationOf(START, after(seconds))).toBe(text);
});

test('an invalid time has no duration', () => {
  expect(durationOf('', after(1))).toBe('');
  expect(durationOf(START, 'soon')).toBe('');
});

test('the time that a target took is shown if the plan still shows the run and the state of the event', () => {
  const { event, plan } = aSource('Failure');
  const view: PlanView = {
    ...plan,
    work: (name, { cycle }) =>
      cycle === event.cycle && name === 'db'
        ? { executor: 'rds', state: 'Failed', startedAt: START, finishedAt: after(125) }
        : undefined,
  };
  const took = targetDurations(event, view);
  expect(took(aTarget('db', 'Failed'))).toBe('after 2 min 5 s');
  expect(took(aTarget('db', 'Completed'))).toBe('');
  expect(took(aTarget('db', 'Failed', '', 'eks'))).toBe('');
  expect(took(aTarget('web', 'Failed'))).toBe('');
  expect(targetDurations({ ...event, cycle: 'other' }, view)(aTarget('db', 'Failed'))).toBe('');
  expect(targetDurations(event, plan)(aTarget('db', 'Failed'))).toBe('');
});
