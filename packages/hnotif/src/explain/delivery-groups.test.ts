import type { DeliveryRow } from '@hnotif/core/page';
import { expect, it } from 'vitest';
import { deliveryGroups } from './delivery-groups.ts';

const row = (more: Partial<DeliveryRow>): DeliveryRow => ({
  ...{
    plan: 'orders',
    seq: 1,
    event: 'Start',
    notification: 'ops',
    sink: 'down',
    state: 'waiting',
    count: 1,
  },
  ...{ at: '2026-01-05T20:00:00Z', why: 'Parked' },
  ...more,
});

it('deliveries that wait or were lost at a sink for the same reason are one group, with the oldest of them', () => {
  const oldest = row({ plan: 'shop', at: '2026-01-05T19:00:00Z' });
  expect(deliveryGroups([row({}), row({ seq: 2, event: 'Success' }), oldest])).toEqual([
    { oldest, plans: ['orders', 'shop'], count: 3 },
  ]);
  const lost = row({ state: 'dropped', why: 'overflow', count: 5 });
  expect(deliveryGroups([lost, { ...lost, seq: 9, count: 2 }])).toEqual([
    { oldest: lost, plans: ['orders'], count: 7 },
  ]);
});

it('other sinks, states and reasons are groups of their own, in the order of the rows', () => {
  const rows = [
    row({}),
    row({ sink: 'other' }),
    row({ notification: 'night' }),
    row({ state: 'failed' }),
    row({ why: 'Behind' }),
  ];
  expect(deliveryGroups(rows)).toEqual(rows.map((oldest) => ({ oldest, plans: ['orders'], count: 1 })));
});

it.each(['delivered', 'suppressed'] as const)('each delivery that is %s is alone', (state) => {
  expect(deliveryGroups([row({ state }), row({ state, seq: 2 })])).toHaveLength(2);
});
