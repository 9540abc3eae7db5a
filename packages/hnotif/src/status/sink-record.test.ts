import { describe, expect, it } from 'vitest';
import { WAIT_KINDS, type SinkWait } from '../dispatch/delivery.ts';
import { SinkRecord } from './sink-record.ts';

const now = Date.UTC(2026, 0, 5, 20, 0, 0, 123);
const at = '2026-01-05T20:00:00Z';
const refused = { reason: 'NotFound', message: 'HTTP 404; look at url; 2 of it' };
const wait: SinkWait = {
  ...{ kind: 'behind', reason: 'RateLimited', message: 'raise it', since: now, nextAt: 0 },
  ...{ waiting: 9, lasting: false },
};
const fresh = (): SinkRecord => new SinkRecord(undefined, false, now);

describe('the row of a sink', () => {
  it('counts failures in a row, and forgets the reason with a success', () => {
    const sink = fresh();
    sink.failed(refused, now);
    sink.failed(refused, now);
    expect(sink.row('ops', undefined)).toEqual({
      ...{ name: 'ops', consecutiveFailures: 2, lastFailure: at, ...refused },
    });
    sink.arrived('Start', true, now);
    expect(sink.row('ops', undefined)).toEqual({
      ...{ name: 'ops', consecutiveFailures: 0, lastSuccess: at, lastFailure: at },
    });
  });

  it('shows waiting and lost deliveries as data, and why the last send failed, or the next one would', () => {
    const sink = fresh();
    sink.lost('expired', 2, now);
    expect(sink.row('ops', wait)).toEqual({
      ...{ name: 'ops', consecutiveFailures: 0, reason: 'RateLimited', message: 'raise it' },
      ...{ state: 'Behind', waiting: 9, waitingSince: at },
      dropped: [{ reason: 'expired', count: 2, last: at }],
    });
    sink.failed(refused, now);
    const nextAt = Date.UTC(2026, 0, 5, 20, 0, 30);
    expect(sink.row('ops', { ...wait, kind: 'parked', nextAt })).toMatchObject({
      ...{ ...refused, state: 'Parked', nextTry: '2026-01-05T20:00:30Z' },
    });
    const missing = { reason: 'SecretMissing', message: 'create it' };
    sink.checked({ ok: false, ...missing });
    expect(sink.row('ops', undefined)).toMatchObject(missing);
  });

  it('of an earlier process keeps the last failure and the losses, but no wait', () => {
    const sink = fresh();
    sink.failed(refused, now);
    for (const kind of WAIT_KINDS)
      for (const reason of ['expired', 'overflow']) {
        sink.lost(reason, 1, now);
        const next = new SinkRecord(sink.row('ops', { ...wait, kind }), true, now);
        expect(next.row('ops', undefined)).toEqual(sink.row('ops', undefined));
      }
  });
});
