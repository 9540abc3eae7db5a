import { expect, it } from 'vitest';
import { ManualClock } from '../testing/clock.ts';
import { anEvent, progress } from '../testing/events.ts';
import { aPlan } from '../testing/plans.ts';
import type { Pending, Settlement } from './delivery.ts';
import { Ledger } from './ledger.ts';

const pendingOf = (event: Pending['event']): Pending => ({
  to: { namespace: 'team-a', notification: 'n', sink: 's' },
  sinkType: 'webhook',
  event,
  plan: { current: aPlan() },
  acceptedAt: 0,
  since: 0,
  bytes: 100,
  attempts: 0,
  arrivedBefore: 0,
  refusedAfter: undefined,
  parks: 0,
  failedSends: 0,
  requests: 1,
  progress: { rung: 0, unclearSince: undefined },
  noticed: false,
});

it('forgets what has settled: nothing waits, nothing is expendable, no byte is kept', () => {
  const ledger = new Ledger(new ManualClock(), {
    settled() {},
    attempted() {},
    paused() {},
    noticed() {},
    putOff() {},
    released() {},
    fault() {},
  });
  const waiting = [
    pendingOf(progress(1, 'db')),
    pendingOf(anEvent('PhaseChange', 2)),
    pendingOf(anEvent('Success', 3)),
  ];
  for (const pending of waiting) ledger.enter(pending);
  expect([ledger.deliveries, ledger.bytes, [...ledger.expendables()].length]).toEqual([3, 300, 2]);
  for (const pending of waiting) ledger.settle(pending, { result: 'delivered' });
  expect([ledger.deliveries, ledger.bytes, [...ledger.expendables()]]).toEqual([0, 0, []]);
});

it('tells how a delivery ended, with the words of the table for a drop', async () => {
  const clock = new ManualClock();
  const told: Settlement[] = [];
  const ledger = new Ledger(clock, {
    settled: (settlement) => told.push(settlement),
    attempted() {},
    paused() {},
    noticed() {},
    putOff() {},
    released() {},
    fault() {},
  });
  const pending = pendingOf(anEvent('Start', 1));
  ledger.enter(pending);
  await clock.advance(40);
  ledger.settle(pending, { result: 'dropped', reason: 'expired' });
  expect(told).toMatchObject([
    {
      result: 'dropped',
      reason: 'expired',
      message: 'It waited longer than its kind may.',
      requests: 1,
      latencyMs: 40,
    },
  ]);
});

it('tells of a listener that throws, and goes on', () => {
  const faults: unknown[] = [];
  const ledger = new Ledger(new ManualClock(), {
    settled() {
      throw new Error('boom');
    },
    attempted() {},
    paused() {},
    noticed() {},
    putOff() {},
    released() {},
    fault: (error) => faults.push(error),
  });
  const pending = pendingOf(anEvent('Start', 1));
  ledger.enter(pending);
  ledger.settle(pending, { result: 'delivered' });
  expect(faults).toEqual([new Error('boom')]);
  expect(ledger.deliveries).toBe(0);
});
