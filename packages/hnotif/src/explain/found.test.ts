import { expect, it } from 'vitest';
import { aPlan } from '../../../core/src/testing/plans.ts';
import type { StoredPlan } from '../journal/entry.ts';
import type { Facts } from './facts.ts';
import { findDeliveries } from './found.ts';

const FACTS =
  '{"id":"bbbbbbbbbbbb","time":"2026-01-05T20:05:00Z","op":"shutdown","phase":"Error","error":"no Capacity"}';

/** The facts about a plan with these outcomes. */
function factsOf(lines: readonly string[]): readonly Facts[] {
  const nights = Object.fromEntries(lines.map((line, at) => [String(at), line]));
  const journal = { nights, outcomes: {}, sinks: [], events: () => [] } as unknown as StoredPlan;
  const notifications = [{ name: 'oncall', status: {} }] as unknown as Facts['notifications'];
  const plan = aPlan({ namespace: 'shop', name: 'checkout' });
  return [{ namespace: 'shop', notifications, shown: [{ plan, journal }] } as unknown as Facts];
}

const FAILURE = `2026-01-05T20:05:01.000Z #7 Failure oncall/pager failed BadRequest [aaaaaaaaaaaa] ${FACTS}`;
const SUCCESS = '2026-01-06T20:05:01.000Z #9 Success oncall/pager delivered [cccccccccccc]';

it.each([
  ['capacity', 1],
  ['no capacity', 1],
  ['PAGER', 2],
  ['oncall/pager badrequest', 1],
  ['shop/checkout', 2],
  ['pager teapot', 0],
  ['   ', 0],
  ['x'.repeat(10_000), 0],
])('the words %j are in %i deliveries', (text, count) => {
  expect(findDeliveries(text, factsOf([FAILURE, SUCCESS])).count).toBe(count);
});

it('the newest come first, with their namespace, and a list is bounded', () => {
  const many = Array.from(
    { length: 60 },
    (_, seq) => `2026-01-05T20:00:${10 + seq}Z #${seq} Start oncall/pager delivered`,
  );
  const { count, deliveries } = findDeliveries('pager', factsOf([...many, SUCCESS]));
  expect(count).toBe(61);
  expect(deliveries).toHaveLength(50);
  expect(deliveries[0]).toMatchObject({ event: 'Success', namespace: 'shop', plan: 'checkout' });
});
