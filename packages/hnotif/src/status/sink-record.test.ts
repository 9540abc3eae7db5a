import { describe, expect, it } from 'vitest';
import { WAIT_KINDS, type SinkWait } from '../dispatch/delivery.ts';
import { SinkRecord } from './sink-record.ts';

const now = Date.UTC(2026, 0, 5, 20, 0, 0, 123);
const at = '2026-01-05T20:00:00Z';
const exactly = '2026-01-05T20:00:00.123Z';
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
      ...{ name: 'ops', consecutiveFailures: 2, lastFailure: exactly, ...refused },
    });
    sink.arrived('Start', true, now);
    expect(sink.row('ops', undefined)).toEqual({
      ...{ name: 'ops', consecutiveFailures: 0, lastSuccess: at, lastFailure: exactly },
    });
  });

  it('shows waiting and lost deliveries as data, and why the last send failed, or the next one would', () => {
    const sink = fresh();
    sink.lost('expired', 2, now);
    expect(sink.row('ops', wait)).toEqual({
      ...{ name: 'ops', consecutiveFailures: 0, reason: 'RateLimited', message: 'raise it' },
      ...{ state: 'Behind', waiting: 9, waitingSince: at },
      dropped: [{ reason: 'expired', count: 2, last: exactly }],
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

  it('of an earlier process shows the losses up to its last one, whatever this process adds', () => {
    const before = fresh();
    before.lost('overflow', 2, now);
    before.failed(refused, now + 5);
    const sink = new SinkRecord(before.row('ops', undefined), false, now);
    for (let twice = 0; twice < 2; twice++) {
      expect([-1, 0, 1].map((ms) => sink.shows(now + ms, 'overflow'))).toEqual([true, true, false]);
      expect([4, 5, 6].map((ms) => sink.shows(now + ms))).toEqual([true, true, false]);
      expect(sink.shows(now, 'expired')).toBe(false);
      sink.lost('overflow', 3, now + 60_000);
      sink.lost('expired', 1, now + 60_000);
      sink.failed({ ...refused, at: now - 60_000 }, now);
    }
    expect(sink.row('ops', undefined)).toMatchObject({
      lastFailure: '2026-01-05T20:00:00.128Z',
      dropped: [
        { reason: 'overflow', count: 8 },
        { reason: 'expired', count: 2 },
      ],
    });
    const older = new SinkRecord(
      { consecutiveFailures: 0, dropped: [{ reason: 'overflow', count: 1, last: at }] },
      ...([false, now] as const),
    );
    expect([0, 999, 1_000].map((ms) => older.shows(Date.parse(at) + ms, 'overflow'))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('of an earlier process shows nothing of losses before a later success', () => {
    const before = fresh();
    before.arrived('Start', true, now);
    const sink = new SinkRecord(before.row('ops', undefined), false, now);
    sink.arrived('Start', true, now + 60_000);
    expect([0, 1].map((ms) => sink.shows(Date.parse(at) + ms, 'overflow'))).toEqual([true, false]);
  });
});
