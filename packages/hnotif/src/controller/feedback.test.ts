import { expect, it } from 'vitest';
import type { Routed } from '../dispatch/log-entry.ts';
import type { OutcomeLine } from '../journal/outcome-line.ts';
import { anEvent } from '../../../core/src/testing/events.ts';
import { aPlan } from '../../../core/src/testing/plans.ts';
import { aSettlement } from '../testing/settlements.ts';
import { Feedback } from './feedback.ts';
import type { Pipeline } from './parts.ts';

const TO = { namespace: 'team-a', notification: 'night', sink: 'ops' };
const ENDING: OutcomeLine = {
  ...{ stream: 'night/ops', event: 'Start', seq: 1, at: '2026-01-05T20:00:00Z' },
  ...{ result: 'failed', reason: 'TooLong', count: 1 },
};
const ENDED = { result: 'failed', reason: 'TooLong', message: '', count: 1 } as const;

/** Feedback to parts that record their calls. `answers`: what a call returns. */
function rig(answers: Readonly<Record<string, unknown>> = {}) {
  const calls: string[] = [];
  const part = (name: string): object =>
    new Proxy(
      {},
      {
        get: (_, method) => () => {
          calls.push(`${name}.${String(method)}`);
          return answers[String(method)];
        },
      },
    );
  const names = ['gracePeriods', 'intake', 'journals', 'dispatcher', 'sinks', 'statusTracker', 'reporter'];
  const parts = Object.fromEntries(
    [...names, 'repairs', 'replays', 'series'].map((name) => [name, part(name)]),
  );
  const watches = { lists: () => answers.lists, plans: { get: () => answers.plan } };
  const feedback = new Feedback(() => ({ ...parts, watches }) as unknown as Pipeline);
  return { feedback, calls };
}

it('the end of a delivery is kept first, then reported, then shown', () => {
  const { feedback, calls } = rig();
  feedback.settled(aSettlement());
  expect(calls).toEqual(['journals.settled', 'reporter.settled', 'statusTracker.settled']);
});

it('a refused configuration is read again soon', () => {
  const { feedback, calls } = rig();
  const refused = { kind: 'rejected-configuration', reason: 'InvalidToken', message: '' } as const;
  const times = { entry: { since: 0 }, began: 1, ready: 2, sent: 3, ended: 4 };
  feedback.attempted(aSettlement(), refused, times);
  feedback.attempted(aSettlement(), { kind: 'delivered', status: 200 }, times);
  expect(calls).toEqual(['sinks.rejected', 'journals.of', 'reporter.attempted', 'reporter.attempted']);
});

it('a sink of an earlier process that no notification lists has a grace period', () => {
  const live = { current: aPlan() };
  const to = [{ notification: 'night', sink: 'ops', type: 'webhook' as const }];
  const events: Routed[] = [1, 2].map((seq) => ({ event: anEvent('Start', seq), to }));
  const begun = (answers: object, restored: boolean): boolean => {
    const { feedback, calls } = rig({ ...answers });
    feedback.appended(live, events, restored);
    return calls.includes('gracePeriods.left');
  };
  expect(begun({ lists: false }, true)).toBe(true);
  expect(begun({ lists: true }, true)).toBe(false);
  expect(begun({ lists: false, has: true }, true)).toBe(false);
  expect(begun({ lists: false }, false)).toBe(false);
});

it('an end in an earlier process is reported when the status did not show it', () => {
  for (const endedBefore of [undefined, ENDED]) {
    const { feedback, calls } = rig({ endedBefore });
    feedback.endingFound(TO, ENDING);
    expect(calls.includes('reporter.endedBefore')).toBe(endedBefore !== undefined);
  }
});

it('a plan without a journal of a newer hnotif is served, if it exists', () => {
  for (const plan of [undefined, aPlan()]) {
    const { feedback, calls } = rig({ plan });
    feedback.planReleased({ namespace: 'team-a', name: 'night' });
    expect(calls).toEqual(plan === undefined ? [] : ['intake.changed']);
  }
});
