import { describe, expect, it } from 'vitest';
import type { Settlement } from '../dispatch/delivery.ts';
import { aSettlement } from '../testing/settlements.ts';
import { afterSettlement, readBack, rowOf } from './row.ts';

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

  it('read back says why the last send failed and what was lost, and nothing of a wait', () => {
    const failed = {
      ...fresh,
      consecutiveFailures: 2,
      reason: 'NotFound',
      message: 'HTTP 404; look at url; 2 of it',
    };
    const since = Date.UTC(2026, 0, 5, 20);
    const stall = { reason: 'NotFound', message: '', since, nextAt: since + 30_000, waiting: 9 };
    const losses = new Map([
      ['expired', 9],
      ['overflow', 1],
    ]);
    for (const kind of ['held', 'paused', 'parked', 'quarantined'] as const)
      for (const waiting of [1, 9])
        for (const lost of [losses, undefined]) {
          const shown = rowOf(failed, undefined, { ...stall, kind, waiting }, lost);
          expect(shown.message).toContain(waiting === 1 ? '1 delivery waits' : '9 deliveries wait');
          expect(readBack(shown)).toEqual({ row: failed, losses: lost ?? new Map() });
        }
    expect(readBack(rowOf(fresh, undefined, undefined, losses))).toEqual({ row: fresh, losses });
    expect(readBack(failed)).toEqual({ row: failed, losses: new Map() });
    expect(readBack(fresh)).toEqual({ row: fresh, losses: new Map() });
  });

  it('does not change by a drop', () => {
    expect(afterSettlement(fresh, settled('dropped', 'overflow'), now)).toBe(fresh);
  });
});
