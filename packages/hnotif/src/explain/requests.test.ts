import { expect, it } from 'vitest';
import { MOST_REQUESTS } from '../dispatch/made-requests.ts';
import { requestsUntil } from './deliveries.ts';

const retry = { tookMs: 10, reason: 'TimedOut', wait: { why: 'retry', ms: 500 } } as const;

it('each request has its time, counted back from the end of the delivery', () => {
  const done = { tookMs: 20, status: 200 };
  expect(requestsUntil('2026-01-05T20:00:01.000Z', [retry, retry, done]).map(({ at }) => at)).toEqual([
    '2026-01-05T19:59:59.960Z',
    '2026-01-05T20:00:00.470Z',
    '2026-01-05T20:00:00.980Z',
  ]);
});

it.each(['no time at all', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z'])(
  'the longest waits before an end at %s are no error',
  (end) => {
    const longest = { tookMs: 999_999_999_999, wait: { why: 'parked', ms: 999_999_999_999 } } as const;
    const all = Array.from({ length: MOST_REQUESTS }, () => longest);
    expect(requestsUntil(end, all)).toHaveLength(MOST_REQUESTS);
  },
);
