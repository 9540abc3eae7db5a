import { expect, it } from 'vitest';
import { planLike } from './plan-like.ts';

const PLANS = ['a/old-storefront', 'a/storefront-2', 'b/storefront', 'b/storefront-3'];

it.each([
  ['the plan of that name', 'b/storefront-3', 'b/storefront-3'],
  ['a name without its namespace, before longer names', 'storefront', 'b/storefront'],
  ['a part of a name', ' front-2 ', 'a/storefront-2'],
  ['a plan that is gone, by its full name', 'b/gone', 'b/gone'],
  ['nothing if no plan matches', 'ledger', undefined],
  ['nothing for nothing', '  ', undefined],
  ['nothing for a text that is not a name', 'a/b/c', undefined],
])('finds %s', (_, wanted, found) => {
  expect(planLike(PLANS, wanted)).toBe(found);
});
