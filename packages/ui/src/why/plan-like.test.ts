import { expect, it } from 'vitest';
import { planNamed, plansLike } from './plan-like.ts';

const PLANS = [
  'a/ledger',
  'a/old-storefront',
  'a/storefront-2',
  'b/ledger',
  'b/storefront',
  'b/storefront-3',
];

it.each([
  ['the plan of a full name', 'b/storefront-3', 'b/storefront-3'],
  ['a name without its namespace', ' storefront ', 'b/storefront'],
  ['no plan of a name that two have', 'ledger', undefined],
  ['no plan by a part of its name', 'front-2', undefined],
  ['no plan for nothing', '  ', undefined],
])('names %s', (_, wanted, found) => {
  expect(planNamed(PLANS, wanted)).toBe(found);
});

it.each([
  ['a part of a name', 'Front-', ['a/storefront-2', 'b/storefront-3']],
  ['all words', 'b/ store', ['b/storefront', 'b/storefront-3']],
  ['nothing', ' ', []],
])('plans are like %s', (_, text, found) => {
  expect(plansLike(PLANS, text)).toEqual(found);
});
