import { describe, expect, it, vi } from 'vitest';
import {
  fail,
  initialStatus,
  recordFailure,
  reset,
  succeed,
  suspend,
  type OperatorStatus,
} from './operator.ts';
import { line } from './testing/expected.ts';
import { clock, morningOf, moved, nightOf, Watcher } from './testing/story.ts';

const finished = (begun: OperatorStatus, seconds: number): OperatorStatus =>
  succeed(moved(begun, ['Completed', 'Completed'], seconds), clock(seconds + 5));

const night1 = finished(nightOf('c1', initialStatus, 0), 10);
const morning1 = finished(morningOf('c1', night1, 100), 110);
const night2 = finished(nightOf('c2', morning1, 200), 210);
const morning2 = morningOf('c2', night2, 300);

describe('runs that began and ended in a gap of the watch', () => {
  it('are told from the history: Start and Success of each, in order, at their own times', () => {
    const { events, missedRuns } = Watcher.after([night1]).see(morning2, 305);
    expect(events.map(line)).toEqual([
      'Start 2 wakeup/c1',
      'Success 2 wakeup/c1',
      'Start 3 shutdown/c2',
      'Success 3 shutdown/c2',
      'Start 4 wakeup/c2',
      'PhaseChange Hibernated > WakingUp',
    ]);
    expect(events.map(({ timestamp }) => timestamp.slice(14, 19))).toEqual([
      '01:50',
      '01:50',
      '03:30',
      '03:30',
      '05:00',
      '05:00',
    ]);
    expect(events[0]).toMatchObject({ phase: 'WakingUp', previousPhase: '' });
    expect(events[0]?.targets.map(({ name, state }) => [name, state])).toEqual([
      ['db', 'Pending'],
      ['web', 'Pending'],
    ]);
    expect(events[1]).toMatchObject({ phase: 'Active', previousPhase: 'WakingUp' });
    expect(events[1]?.targets.map(({ state }) => state)).toEqual(['Completed', 'Completed']);
    expect(missedRuns).toBe(0);
  });

  it('are told if they began in the second of the last transition that was seen, by the order of the rows', () => {
    const quick = finished(nightOf('c2', morning1, 115), 115);
    const { events, missedRuns } = Watcher.after([morning1]).see(morningOf('c2', quick, 200));
    expect(morning1.lastTransitionTime).toBe(quick.executionHistory.at(-1)?.shutdownExecution?.startTime);
    expect(events.map(line)).toEqual([
      'Start 3 shutdown/c2',
      'Success 3 shutdown/c2',
      'Start 4 wakeup/c2',
      'PhaseChange Active > WakingUp',
    ]);
    expect(missedRuns).toBe(0);
  });

  it('are not told again if they began in that second and were seen', () => {
    const quick = finished(nightOf('c1', initialStatus, 0), 0);
    const next = morningOf('c1', quick, 5);
    expect(quick.lastTransitionTime).toBe(next.lastTransitionTime);
    const { events, missedRuns } = Watcher.after([next]).see(nightOf('c2', finished(next, 10), 20));
    expect(events.map(line)).toEqual([
      'Success 2 wakeup/c1',
      'Start 3 shutdown/c2',
      'PhaseChange WakingUp > Hibernating',
    ]);
    expect(missedRuns).toBe(0);
  });

  it('are counted where the history has lost them', () => {
    const { events, missedRuns } = Watcher.after([night1]).see({ ...morning2, executionHistory: [] });
    expect(events.map(line)).toEqual(['Start 2 wakeup/c2', 'PhaseChange Hibernated > WakingUp']);
    expect(missedRuns).toBe(2);
  });

  it('are counted, not told, where they failed and were given up', () => {
    const failing = moved(nightOf('c2', morning1, 200), ['Completed', 'Failed'], 210);
    const error = fail(recordFailure(failing, clock(220)), 'no', clock(221));
    const given = reset(suspend(error, clock(230)), clock(240));
    const { events, missedRuns } = Watcher.after([morning1]).see(nightOf('c3', given, 300));
    expect(events.map(line)).toEqual(['Start 3 shutdown/c3', 'PhaseChange Active > Hibernating']);
    expect(missedRuns).toBe(1);
  });

  it('are told of a new plan too, whose first object shows that it has run already', () => {
    expect(new Watcher().lines(morning1)).toEqual([
      'Start 1 shutdown/c1',
      'Success 1 shutdown/c1',
      'Start 2 wakeup/c1',
      'ExecutionProgress 2 wakeup/c1 db=Completed',
      'ExecutionProgress 2 wakeup/c1 web=Completed',
      'Success 2 wakeup/c1',
      'PhaseChange  > Active',
    ]);
  });

  it('are told once of a plan that keeps no time of its transitions', () => {
    const timeless = (status: OperatorStatus): OperatorStatus => ({ ...status, lastTransitionTime: null });
    const watcher = new Watcher();
    const night3 = nightOf('c3', finished(morning2, 310), 400);
    expect(watcher.lines(timeless(morning2))).toContain('Success 1 shutdown/c1');
    expect(watcher.lines(timeless(night3))).toEqual([
      'Success 4 wakeup/c2',
      'Start 5 shutdown/c3',
      'PhaseChange WakingUp > Hibernating',
    ]);
  });

  it('are told in a time that rises with their number', () => {
    const [row] = night2.executionHistory;
    const time = (second: number): string => new Date(clock(second)).toISOString();
    const executionHistory = Array.from({ length: 300 }, (_, at) => ({
      cycleId: `gap-${at}`,
      shutdownExecution: { ...row!.shutdownExecution!, startTime: time(300 + at), endTime: time(700 + at) },
    }));
    const watcher = Watcher.after([night1]);
    const parse = vi.spyOn(Date, 'parse');
    const { events } = watcher.see({ ...nightOf('c3', morning1, 2_000), executionHistory }, 2_000);
    expect(events.filter(({ kind }) => kind === 'Success')).toHaveLength(300);
    expect(parse.mock.calls.length).toBeLessThan(300 * 50);
    parse.mockRestore();
  });

  it('are not told again: what was seen, or is older than what was seen, stays told', () => {
    const { events, missedRuns } = Watcher.after([night1, morning1, night2]).see(morning2);
    expect(events.map(line)).toEqual(['Start 4 wakeup/c2', 'PhaseChange Hibernated > WakingUp']);
    expect(missedRuns).toBe(0);
  });
});
