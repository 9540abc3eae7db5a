import { describe, expect, it } from 'vitest';
import { anEvent } from '../../testing/events.ts';
import { endOf, nightOf, type Night } from './night.ts';
import { hasEnded, rowAfter } from './row.ts';
import { comparisonText, countsText, failuresOf, viewOf } from './view.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const LIMITS = { quietMs: 15 * MINUTE_MS, maxMs: 12 * HOUR_MS };
const EVENING = Date.parse('2026-01-05T20:00:00.000Z');

const timeAfter = (ms: number): string => new Date(EVENING + ms).toISOString();

/** A night of some plans: what became of each, and after how long. */
function night(plans: Readonly<Record<string, readonly ['Start' | 'Success' | 'Failure', number]>>): Night {
  const rows = Object.entries(plans).map(
    ([uid, [kind, ms]]) =>
      [uid, rowAfter(undefined, anEvent(kind, 2, { plan: uid, timestamp: timeAfter(ms) }))] as const,
  );
  const unended = rows.filter(([, row]) => !hasEnded(row)).length;
  return { operation: 'shutdown', openedAt: EVENING, rows: new Map(rows), unended };
}

const start = (ms: number, more: object = {}) =>
  anEvent('Start', 3, { planUid: 'late', cycle: 'c9', timestamp: timeAfter(ms), ...more });

describe('a night', () => {
  it('is over a quarter of an hour after its last event, if all plans have ended; else after twelve hours', () => {
    const done = night({ a: ['Success', 5 * MINUTE_MS], b: ['Failure', 10 * MINUTE_MS] });
    expect(endOf(done, LIMITS) - EVENING).toBe(25 * MINUTE_MS);
    expect(endOf(night({ a: ['Success', 0], b: ['Start', 0] }), LIMITS) - EVENING).toBe(12 * HOUR_MS);
    expect(endOf(night({ a: ['Success', 12 * HOUR_MS - 1] }), LIMITS) - EVENING).toBe(12 * HOUR_MS);
  });

  it('takes each plan that starts before it is over; a later one opens another night', () => {
    const done = night({ a: ['Success', 0] });
    expect(nightOf([done], start(14 * MINUTE_MS), LIMITS)).toBe(done);
    expect(nightOf([done], start(15 * MINUTE_MS), LIMITS)).toBeUndefined();
    expect(nightOf([done], start(MINUTE_MS, { operation: 'wakeup' }), LIMITS)).toBeUndefined();
    expect(nightOf([], start(0), LIMITS)).toBeUndefined();
    // It happened before the first event that was delivered.
    expect(nightOf([done], start(-15 * MINUTE_MS), LIMITS)).toBe(done);
    expect(nightOf([done], start(-16 * MINUTE_MS), LIMITS)).toBeUndefined();
  });

  it('takes the late events of its own plans, also when it is over, but no new run', () => {
    const done = night({ a: ['Success', 0] });
    const late = { planUid: 'a', cycle: 'c1', timestamp: timeAfter(5 * HOUR_MS) };
    expect(nightOf([done], anEvent('Failure', 3, late), LIMITS)).toBe(done);
    expect(nightOf([done], anEvent('Failure', 3, { ...late, cycle: 'c2' }), LIMITS)).toBeUndefined();
    expect(nightOf([done], anEvent('Start', 3, late), LIMITS)).toBeUndefined();
  });

  it('takes the Start of its own run that a replay sends, however long it was before the first event', () => {
    const done = night({ a: ['Success', 0] });
    const lost = { planUid: 'a', cycle: 'c1', timestamp: timeAfter(-HOUR_MS), replayed: true } as const;
    expect(nightOf([done], anEvent('Start', 3, lost), LIMITS)).toBe(done);
    expect(nightOf([done], anEvent('Start', 3, { ...lost, replayed: undefined }), LIMITS)).toBeUndefined();
    expect(nightOf([done], anEvent('Start', 3, { ...lost, cycle: 'c2' }), LIMITS)).toBeUndefined();
  });
});

describe('what a board shows', () => {
  const context = { namespace: 'shop', isOver: false, failedBefore: undefined };

  it('is the counts of all plans, and the newest failure first', () => {
    const view = viewOf(
      night({ a: ['Failure', 1], b: ['Failure', 2], c: ['Success', 3], d: ['Start', 4], e: ['Success', 5] }),
      context,
    );
    expect(countsText(view)).toBe('2 of 5 asleep · 1 running · 2 failed');
    expect(view.rows.failed.map(({ plan }) => plan)).toEqual(['b', 'a']);
    expect(view.rows.done.map(({ plan }) => plan)).toEqual(['c', 'e']);
    expect(view.updatedAt - EVENING).toBe(5);
  });

  it('compares with the last time, if that is known', () => {
    const view = viewOf(night({ a: ['Failure', 1], b: ['Success', 2] }), context);
    expect(comparisonText(view)).toBe('');
    expect(comparisonText({ ...view, failedBefore: 0 })).toBe('1 more failed than last time');
    expect(comparisonText({ ...view, failedBefore: 3 })).toBe('2 fewer failed than last time');
    expect(comparisonText({ ...view, failedBefore: 1 })).toBe('');
    expect(failuresOf(night({ a: ['Failure', 1], b: ['Success', 2] }))).toBe(1);
    expect(failuresOf(night({ a: ['Failure', 1], b: ['Start', 2] }))).toBeUndefined();
  });
});
