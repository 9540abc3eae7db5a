import { describe, expect, it } from 'vitest';
import { WAIT_KINDS, type SinkWait } from '../dispatch/delivery.ts';
import {
  arrived,
  checked,
  earlierSink,
  failed,
  lost,
  NEW_SINK,
  rowOf,
  showedEarlier,
} from './sink-record.ts';

const now = Date.UTC(2026, 0, 5, 20, 0, 0, 123);
const at = '2026-01-05T20:00:00Z';
const exactly = '2026-01-05T20:00:00.123Z';
const refused = { reason: 'NotFound', message: 'HTTP 404; look at url; 2 of it' };
const wait: SinkWait = {
  ...{ kind: 'behind', reason: 'RateLimited', message: 'raise it', since: now, nextAt: 0 },
  ...{ waiting: 9, lasting: false },
};

describe('the row of a sink', () => {
  it('counts failures in a row, and forgets the reason with a success', () => {
    let sink = NEW_SINK;
    sink = failed(sink, refused, now);
    sink = failed(sink, refused, now);
    expect(rowOf('ops', sink, undefined)).toEqual({
      ...{ name: 'ops', consecutiveFailures: 2, lastFailure: exactly, ...refused },
    });
    sink = arrived(sink, 'Start', true, now);
    expect(rowOf('ops', sink, undefined)).toEqual({
      ...{ name: 'ops', consecutiveFailures: 0, lastSuccess: at, lastFailure: exactly },
    });
  });

  it('shows waiting and lost deliveries as data, and why the last send failed, or the next one would', () => {
    let sink = NEW_SINK;
    sink = lost(sink, 'expired', 2, now);
    expect(rowOf('ops', sink, wait)).toEqual({
      ...{ name: 'ops', consecutiveFailures: 0, reason: 'RateLimited', message: 'raise it' },
      ...{ state: 'Behind', waiting: 9, waitingSince: at },
      dropped: [{ reason: 'expired', count: 2, last: exactly }],
    });
    sink = failed(sink, refused, now);
    const nextAt = Date.UTC(2026, 0, 5, 20, 0, 30);
    expect(rowOf('ops', sink, { ...wait, kind: 'parked', nextAt })).toMatchObject({
      ...{ ...refused, state: 'Parked', nextTry: '2026-01-05T20:00:30Z' },
    });
    const missing = { reason: 'SecretMissing', message: 'create it' };
    sink = checked(sink, { ok: false, ...missing });
    expect(rowOf('ops', sink, undefined)).toMatchObject(missing);
  });

  it('of an earlier process keeps the last failure and the losses, but no wait', () => {
    let sink = NEW_SINK;
    sink = failed(sink, refused, now);
    for (const kind of WAIT_KINDS)
      for (const reason of ['expired', 'overflow']) {
        sink = lost(sink, reason, 1, now);
        const next = earlierSink(rowOf('ops', sink, { ...wait, kind }), true, now);
        expect(rowOf('ops', next, undefined)).toEqual(rowOf('ops', sink, undefined));
      }
  });

  it('of an earlier process shows the losses up to its last one, whatever this process adds', () => {
    let before = NEW_SINK;
    before = lost(before, 'overflow', 2, now);
    before = failed(before, refused, now + 5);
    let sink = earlierSink(rowOf('ops', before, undefined), false, now);
    for (let twice = 0; twice < 2; twice++) {
      expect([-1, 0, 1].map((ms) => showedEarlier(sink, now + ms, 'overflow'))).toEqual([true, true, false]);
      expect([4, 5, 6].map((ms) => showedEarlier(sink, now + ms))).toEqual([true, true, false]);
      expect(showedEarlier(sink, now, 'expired')).toBe(false);
      sink = lost(sink, 'overflow', 3, now + 60_000);
      sink = lost(sink, 'expired', 1, now + 60_000);
      sink = failed(sink, { ...refused, at: now - 60_000 }, now);
    }
    expect(rowOf('ops', sink, undefined)).toMatchObject({
      lastFailure: '2026-01-05T20:00:00.128Z',
      dropped: [
        { reason: 'overflow', count: 8 },
        { reason: 'expired', count: 2 },
      ],
    });
    const older = earlierSink(
      { name: 'ops', consecutiveFailures: 0, dropped: [{ reason: 'overflow', count: 1, last: at }] },
      ...([false, now] as const),
    );
    expect([0, 999, 1_000].map((ms) => showedEarlier(older, Date.parse(at) + ms, 'overflow'))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('of an earlier process shows nothing of losses before a later success', () => {
    let before = NEW_SINK;
    before = arrived(before, 'Start', true, now);
    let sink = earlierSink(rowOf('ops', before, undefined), false, now);
    sink = arrived(sink, 'Start', true, now + 60_000);
    expect([0, 1].map((ms) => showedEarlier(sink, Date.parse(at) + ms, 'overflow'))).toEqual([true, false]);
  });
});
