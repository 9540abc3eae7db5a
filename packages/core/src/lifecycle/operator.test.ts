import { describe, expect, it } from 'vitest';
import { planOf } from './testing/history.ts';
import { fail, initialStatus, manualRetry, poll, recordFailure, retry, succeed } from './operator.ts';
import { formatSeconds } from './time.ts';
import { clock, morningOf, moved, nightOf } from './testing/story.ts';

const begun = nightOf('c1', initialStatus, 1);

describe('the model of the operator', () => {
  it('writes times as Kubernetes does, in whole seconds of UTC', () => {
    expect(formatSeconds(clock(1) + 999)).toBe('2026-03-01T20:00:01Z');
  });

  it('writes what hnotif reads without a problem', () => {
    const failed = fail(recordFailure(moved(begun, ['Running', 'Failed'], 2), clock(3)), 'no', clock(4));
    const night = succeed(moved(retry(failed, clock(5)), ['Completed', 'Completed'], 6), clock(7));
    const morning = succeed(moved(morningOf('c1', night, 8), ['Completed', 'Completed'], 9), clock(10));
    for (const status of [initialStatus, begun, failed, night, morning])
      expect(planOf(status, { rv: 1 }).problems).toEqual([]);
    expect(planOf(morning, { rv: 1 }).status.history).toMatchObject([
      {
        cycleId: 'c1',
        operations: [
          {
            operation: 'shutdown',
            startTime: '2026-03-01T20:00:02Z',
            endTime: '2026-03-01T20:00:06Z',
            success: true,
          },
          { operation: 'wakeup', success: true },
        ],
      },
    ]);
  });

  it('counts a retry on leaving Error, and leaves the transition time alone', () => {
    const failed = fail(moved(begun, ['Completed', 'Failed'], 2), 'no', clock(4));
    const retried = retry(failed, clock(5));
    expect(failed.retryCount).toBe(0);
    expect(retried).toMatchObject({
      phase: 'Hibernating',
      retryCount: 1,
      lastRetryTime: '2026-03-01T20:00:05Z',
      lastTransitionTime: '2026-03-01T20:00:04Z',
      errorMessage: 'no',
    });
    expect(retried.executions.map(({ state }) => state)).toEqual(['Completed', 'Pending']);
    expect(manualRetry(retried)).toMatchObject({ retryCount: 0, lastRetryTime: null });
  });

  it('keeps the start of the first attempt and counts them', () => {
    const failed = moved(moved(begun, ['Running', 'Failed'], 2), ['Failed', 'Failed'], 3);
    const again = moved(retry(failed, clock(4)), ['Completed', 'Completed'], 5);
    expect(again.executions).toMatchObject([
      { attempts: 2, startedAt: '2026-03-01T20:00:02Z', finishedAt: '2026-03-01T20:00:05Z' },
      { attempts: 2, startedAt: '2026-03-01T20:00:02Z', finishedAt: '2026-03-01T20:00:05Z' },
    ]);
  });

  it('changes in one poll what it names, and nothing else', () => {
    const polled = poll(begun, [{ target: 'web', state: 'Aborted', message: 'db failed' }], clock(2));
    expect(polled.executions).toEqual([
      { target: 'db', executor: 'rds', state: 'Pending' },
      { target: 'web', executor: 'eks', state: 'Aborted', message: 'db failed' },
    ]);
  });

  it("keeps the last five cycles, and a night's row over that of its re-run", () => {
    let status = initialStatus;
    for (let cycle = 1; cycle <= 7; cycle++)
      status = succeed(nightOf(`c${cycle}`, status, cycle), clock(cycle));
    expect(status.executionHistory.map(({ cycleId }) => cycleId)).toEqual(['c3', 'c4', 'c5', 'c6', 'c7']);
    const again = succeed(nightOf('c7', status, 20), clock(21));
    expect(again.executionHistory.at(-1)).toEqual(status.executionHistory.at(-1));
  });
});
