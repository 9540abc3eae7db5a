import { expect, it } from 'vitest';
import { eventOfLink } from './work.ts';

it.each([
  [
    { plan: 'shop/checkout', kind: 'Success' },
    { from: 'plan', namespace: 'shop', name: 'checkout', kind: 'Success' },
  ],
  [
    { plan: 'shop/checkout', kind: '<b>' },
    { from: 'plan', namespace: 'shop', name: 'checkout', kind: 'Failure' },
  ],
  [{ plan: 'checkout', kind: 'Success' }, undefined],
  [{ plan: 'a/b/c' }, undefined],
  [{ kind: 'Success', zone: 'UTC' }, undefined],
])('a link with %j asks for the event %j', (query, event) => {
  expect(eventOfLink(query as Readonly<Record<string, string>>)).toEqual(event);
});
