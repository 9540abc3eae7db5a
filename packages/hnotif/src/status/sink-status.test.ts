import { describe, expect, it } from 'vitest';
import { WAIT_KINDS, type Settlement } from '../dispatch/delivery.ts';
import { aSettlement } from '../testing/settlements.ts';
import { afterSettlement, readBack, sinkStatusOf } from './sink-status.ts';

const now = Date.UTC(2026, 0, 5, 20, 0, 0, 123);

describe('the status of a sink', () => {
  const settled = (result: Settlement['result'], reason = ''): Settlement =>
    aSettlement({ result, reason, message: reason && 'look at the receiver' });
  const fresh = { name: 'ops', consecutiveFailures: 0 };

  it('counts failures in a row, and forgets the reason with a success', () => {
    const once = afterSettlement(fresh, settled('failed', 'ServerError'), now);
    const twice = afterSettlement(once, settled('failed', 'ServerError'), now);
    expect(twice).toEqual({
      name: 'ops',
      consecutiveFailures: 2,
      lastFailure: '2026-01-05T20:00:00Z',
      reason: 'ServerError',
      message: 'look at the receiver',
    });
    expect(afterSettlement(twice, settled('delivered'), now)).toEqual({
      name: 'ops',
      consecutiveFailures: 0,
      lastSuccess: '2026-01-05T20:00:00Z',
      lastFailure: '2026-01-05T20:00:00Z',
    });
  });

  it('shows waiting and lost deliveries as data, and why the last send failed', () => {
    const since = Date.UTC(2026, 0, 5, 20);
    const wait = {
      kind: 'behind',
      reason: 'RateLimited',
      message: 'raise it',
      since,
      nextAt: 0,
      waiting: 9,
      lasting: false,
    } as const;
    expect(
      sinkStatusOf(
        fresh,
        undefined,
        wait,
        new Map([['expired', { count: 2, last: '2026-01-05T20:00:00Z' }]]),
      ),
    ).toEqual({
      ...{ name: 'ops', consecutiveFailures: 0, reason: 'RateLimited', message: 'raise it' },
      ...{ state: 'Behind', waiting: 9, waitingSince: '2026-01-05T20:00:00Z' },
      dropped: [{ reason: 'expired', count: 2, last: '2026-01-05T20:00:00Z' }],
    });
    const failed = { ...fresh, reason: 'NotFound', message: 'look at url' };
    const parked = { ...wait, kind: 'parked', nextAt: since + 30_000 } as const;
    expect(sinkStatusOf(failed, undefined, parked)).toMatchObject({
      ...{ reason: 'NotFound', message: 'look at url', state: 'Parked', nextTry: '2026-01-05T20:00:30Z' },
    });
  });

  it('of an earlier process keeps the last failure and the losses, but no wait', () => {
    const failed = {
      ...fresh,
      consecutiveFailures: 2,
      reason: 'NotFound',
      message: 'HTTP 404; look at url; 2 of it',
    };
    const since = Date.UTC(2026, 0, 5, 20);
    const wait = {
      reason: 'NotFound',
      message: '',
      since,
      nextAt: since + 30_000,
      waiting: 9,
      lasting: false,
    };
    const losses = new Map([
      ['expired', { count: 9, last: '2026-01-05T20:00:00Z' }],
      ['overflow', { count: 1, last: '2026-01-05T20:00:00Z' }],
    ]);
    for (const kind of WAIT_KINDS)
      for (const lost of [losses, undefined]) {
        const shown = sinkStatusOf(failed, undefined, { ...wait, kind }, lost);
        expect(shown.waiting).toBe(9);
        expect(readBack(shown)).toEqual({ row: failed, losses: lost ?? new Map() });
      }
    expect(readBack(sinkStatusOf(fresh, undefined, undefined, losses)).losses).toEqual(losses);
    expect(readBack(failed)).toEqual({ row: failed, losses: new Map() });
    expect(readBack(fresh)).toEqual({ row: fresh, losses: new Map() });
  });

  it('does not change after a drop', () => {
    expect(afterSettlement(fresh, settled('dropped', 'overflow'), now)).toBe(fresh);
  });
});
