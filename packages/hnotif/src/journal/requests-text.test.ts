import { REQUEST_WAITS } from '@hnotif/core/page';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AnsweredRequest, MOST_REQUESTS, madeRequests, withRequest } from '../dispatch/made-requests.ts';
import { parseRequests, requestsText } from './requests-text.ts';

const request = fc.record({
  gapMs: fc.nat(100_000_000),
  tookMs: fc.nat(60_000),
  status: fc.option(fc.constantFrom(200, 204, 302, 429, 503), { nil: undefined }),
  reason: fc.constantFrom('', 'TooManyRequests', 'ConnectionRefused', 'A'.repeat(64)),
  why: fc.constantFrom(...REQUEST_WAITS),
});

describe('the requests of a delivery', () => {
  it('are the same after they were written and read, and bounded, however many they were', () => {
    fc.assert(
      fc.property(fc.array(request, { minLength: 1, maxLength: 40 }), fc.nat(1_000), (all, lastMs) => {
        let made: readonly AnsweredRequest[] = [];
        let now = 0.3;
        for (const { gapMs, tookMs, status, reason, why } of all) {
          now += gapMs;
          made = withRequest(made, { sent: now, ended: now + tookMs, status, reason, why });
          now += tookMs;
        }
        const kept = madeRequests(now + lastMs, made);
        const text = requestsText(kept);
        expect(parseRequests(text)).toEqual(kept);
        expect(kept.length).toBe(Math.min(all.length, MOST_REQUESTS));
        expect(text.length).toBeLessThanOrEqual(1_024);
        const left = kept.reduce((sum, { omitted = 0 }) => sum + omitted, 0);
        expect(kept.length + left).toBe(all.length);
        // From the first request to the end, whatever was left out.
        const whole = kept.reduce((sum, { tookMs, wait }) => sum + tookMs + (wait?.ms ?? 0), 0);
        if (left === 0) {
          const [first = { gapMs: 0 }] = all;
          expect(Math.abs(whole - (now + lastMs - first.gapMs - 0.3))).toBeLessThan(all.length + 1);
        }
      }),
    );
  });

  it.each([
    [[{ tookMs: 12, status: 200 }], '12'],
    [[{ tookMs: 12, status: 204 }], '12 204'],
    [[{ tookMs: 3, reason: 'TimedOut' }], '3 - TimedOut'],
    [
      [
        { tookMs: 12, status: 503, reason: 'ServerError', wait: { why: 'retry', ms: 800 } },
        {
          tookMs: 9,
          status: 503,
          reason: 'ServerError',
          wait: { why: 'parked', ms: 86_400_000 },
          omitted: 140,
        },
        { tookMs: 8, status: 200 },
      ],
      '12 503 ServerError retry 800, 9 = parked 86400000 +140, 8',
    ],
  ] as const)('%j are the text %s', (requests, text) => {
    expect(requestsText(requests)).toBe(text);
    expect(parseRequests(text)).toEqual(requests);
  });

  it('are not read from a text that hnotif did not write', () => {
    for (const text of [
      '',
      'x',
      '12 503 <b>',
      '12 rested 5',
      '1, '.repeat(6) + '1',
      '1'.repeat(2_000),
      '1,2',
    ])
      expect(parseRequests(text)).toBeUndefined();
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(parseRequests(text)?.length ?? 0).toBeLessThanOrEqual(MOST_REQUESTS);
      }),
    );
  });
});
