import type { DeliveryRow } from '@hnotif/core/page';
import { describe, expect, it } from 'vitest';
import { begin, initialStatus, poll } from '@hnotif/core/lifecycle';
import { parsePlan, type Plan, type PlanStatus } from '@hnotif/core/resources';
import { aPlan } from '../../../../core/src/testing/plans.ts';
import { hasOpenDots, seeDeliveries, seePlan, type SeenPlan } from './plan-row.ts';

const at = (time: string): number => Date.parse(`2026-01-05T${time}Z`);
const NOW = at('20:30:00');

const inPhase = (phase: string, more: Partial<PlanStatus> = {}): Plan => {
  const plan = aPlan();
  return { ...plan, status: { ...plan.status, phase, lastTransitionTime: '2026-01-05T20:00:00Z', ...more } };
};

const RAW = { metadata: { namespace: 'team-a', name: 'night', uid: 'uid-1' } };

const delivery = (state: DeliveryRow['state'], more: Partial<DeliveryRow> = {}): DeliveryRow => ({
  ...{ plan: 'night', seq: 7, event: 'Start', notification: 'n', sink: 's', state, count: 1, why: '' },
  at: '2026-01-05T20:30:01.000Z',
  ...more,
});

const dotOf = ({ row }: SeenPlan) => row.dots.get('n/s#7');

describe('a plan that is seen for the first time', () => {
  it('has the phases of its history, and its present one', () => {
    const operation = { operation: 'shutdown', errorMessage: '', targetResults: [] };
    const history = [
      {
        cycleId: 'c',
        operations: [
          { ...operation, startTime: '2026-01-05T18:00:00Z', endTime: '2026-01-05T18:01:00Z', success: true },
          {
            ...operation,
            operation: 'wakeup',
            startTime: '2026-01-05T19:00:00Z',
            endTime: '2026-01-05T19:02:00Z',
            success: false,
          },
        ],
      },
    ];
    const { row } = seePlan(undefined, inPhase('Hibernating', { history }), NOW);
    expect(row.spans.map(({ phase, from }) => [phase, new Date(from).toISOString().slice(11, 19)])).toEqual([
      ['Hibernating', '18:00:00'],
      ['Hibernated', '18:01:00'],
      ['WakingUp', '19:00:00'],
      ['Error', '19:02:00'],
      ['Hibernating', '20:00:00'],
    ]);
  });

  it('has its events at the times of its status, however old they are', () => {
    const { row } = seePlan(undefined, inPhase('Hibernating'), NOW);
    expect(row.marks).toContainEqual({ kind: 'Start', at: at('20:00:00') });
  });
});

describe('a plan that changes', () => {
  const before = seePlan(undefined, inPhase('Active'), NOW);

  it('has its new phase and its new events from the moment when they were seen', () => {
    const { row } = seePlan(
      before,
      inPhase('Error', { lastTransitionTime: '2026-01-05T20:29:59Z' }),
      NOW + 5,
    );
    expect(row.spans.at(-1)).toEqual({ phase: 'Error', from: NOW + 5 });
    expect(row.marks.at(-1)).toEqual({ kind: 'Failure', at: NOW + 5 });
  });

  it('keeps its phases and marks as they are when only something else has changed', () => {
    const { row } = seePlan(before, { ...inPhase('Active'), resourceVersion: '2' }, NOW + 5);
    expect(row.spans).toBe(before.row.spans);
    expect(row.marks).toBe(before.row.marks);
  });
});

it('a row keeps the Start of a run with the progress of many targets', () => {
  const targets = Array.from({ length: 200 }, (_, at) => ({ name: `t${at}`, type: 'rds' }));
  let status = begin(initialStatus, 'shutdown', 'c', targets, NOW);
  let seen = seePlan(undefined, parsePlan({ ...RAW, status: initialStatus }), NOW - 1_000);
  seen = seePlan(seen, parsePlan({ ...RAW, status }), NOW);
  targets.forEach(({ name }, at) => {
    const later = NOW + (at + 1) * 2_000;
    status = poll(status, [{ target: name, state: 'Completed' }], later);
    seen = seePlan(seen, parsePlan({ ...RAW, status }), later);
  });
  expect(seen.row.marks.map(({ kind }) => kind)).toEqual(['Start']);
});

describe('a delivery', () => {
  const seen = seePlan(seePlan(undefined, inPhase('Active'), NOW), inPhase('Hibernating'), NOW + 900);

  it.each([
    ['Late', 'retried'],
    ['Behind', 'waiting'],
    ['Parked', 'parked'],
    ['Quarantined', 'parked'],
    [undefined, 'waiting'],
  ] as const)('that waits for a sink in state %s is %s', (sink, state) => {
    const found = seeDeliveries(seen, [delivery('waiting')], new Map([['n/s', sink]]));
    expect(dotOf(found)?.state).toBe(state);
    expect(hasOpenDots(found.row)).toBe(true);
  });

  it('that arrived before it was seen waiting took the time since the change of the plan', () => {
    expect(dotOf(seeDeliveries(seen, [delivery('delivered')], new Map()))?.latencyMs).toBe(100);
  });

  it('that was seen waiting took the time since it was accepted', () => {
    const waits = seeDeliveries(seen, [delivery('waiting', { at: '2026-01-05T20:29:00.000Z' })], new Map());
    const arrived = seeDeliveries(waits, [delivery('delivered')], new Map());
    expect(dotOf(arrived)?.latencyMs).toBe(61_000);
    expect(dotOf(seeDeliveries(arrived, [delivery('delivered')], new Map()))?.latencyMs).toBe(61_000);
  });

  it('of which no change of the plan was seen has no latency', () => {
    const first = seePlan(undefined, inPhase('Active'), NOW);
    expect(dotOf(seeDeliveries(first, [delivery('delivered')], new Map()))?.latencyMs).toBeUndefined();
  });

  it('stays when the journal has forgotten how it ended', () => {
    const arrived = seeDeliveries(seen, [delivery('delivered')], new Map());
    expect(dotOf(seeDeliveries(arrived, [], new Map()))?.state).toBe('delivered');
  });

  it('that waited, and of which the journal tells nothing more, has ended', () => {
    const waits = seeDeliveries(seen, [delivery('waiting')], new Map());
    const later = seeDeliveries(waits, [], new Map());
    expect(dotOf(later)).toMatchObject({
      state: 'ended',
      why: expect.stringContaining('last twenty') as string,
    });
    expect(hasOpenDots(later.row)).toBe(false);
  });

  it('that is sent again waits again, though the line of its loss is still there', () => {
    const found = [delivery('failed'), delivery('waiting')];
    expect(dotOf(seeDeliveries(seen, found, new Map()))?.state).toBe('waiting');
  });
});

it('a row keeps its newest 300 deliveries', () => {
  const seen = seePlan(undefined, inPhase('Active'), NOW);
  const many = Array.from({ length: 310 }, (_, seq) =>
    delivery('delivered', { seq, at: new Date(NOW + seq).toISOString() }),
  );
  const { row } = seeDeliveries(seen, many, new Map());
  expect(row.dots.size).toBe(300);
  expect(row.dots.has('n/s#9')).toBe(false);
  expect(row.dots.has('n/s#10')).toBe(true);
});
