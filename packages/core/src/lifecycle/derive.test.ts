import { describe, expect, it } from 'vitest';
import { derive } from './derive.ts';
import type { DerivedEvent } from './event.ts';
import { silentBaseline } from './baseline.ts';
import {
  fail,
  initialStatus,
  manualRetry,
  recordFailure,
  reset,
  resume,
  retry,
  succeed,
  suspend,
  type OperatorStatus,
} from './operator.ts';
import { line } from './testing/expected.ts';
import { planOf } from './testing/history.ts';
import { clock, morningOf, moved, nightOf, OPTIONS, Watcher } from './testing/story.ts';

const kinds = (events: readonly DerivedEvent[]): string[] => events.map(({ kind }) => kind);

const begun = nightOf('c1', initialStatus, 10);
const halfDone = moved(begun, ['Completed', 'Failed'], 20);
const inError = fail(recordFailure(halfDone, clock(30)), 'web: no quota', clock(30));
const retried = retry(inError, clock(40));
const done = moved(retried, ['Completed', 'Completed'], 50);
const asleep = succeed(done, clock(60));

describe('a run', () => {
  it('starts with the cycle, and says so before anything else', () => {
    expect(Watcher.after([initialStatus]).lines(begun)).toEqual([
      'Start 1 shutdown/c1',
      'PhaseChange Active > Hibernating',
    ]);
  });

  it('starts with the wake-up, which keeps the cycle of its night', () => {
    expect(
      Watcher.after([begun, halfDone, inError, retried, done, asleep]).lines(morningOf('c1', asleep, 100)),
    ).toEqual(['Start 2 wakeup/c1', 'PhaseChange Hibernated > WakingUp']);
  });

  it('starts when a re-run enters the executing phase from rest under its old cycle', () => {
    expect(Watcher.after([begun, done, asleep]).lines(nightOf('c1', asleep, 100))).toContain(
      'Start 2 shutdown/c1',
    );
  });

  it('starts when Completed targets begin anew, though end and Start of the re-run went by unseen', () => {
    expect(Watcher.after([begun, done]).lines(nightOf('c1', asleep, 100))).toEqual([
      'Success 1 shutdown/c1',
      'Start 2 shutdown/c1',
    ]);
  });

  it('starts when Completed targets are Completed in other jobs', () => {
    const again = succeed(moved(nightOf('c1', asleep, 100), ['Completed', 'Completed'], 110), clock(120));
    expect(Watcher.after([begun, done, asleep]).lines(again)).toEqual([
      'Start 2 shutdown/c1',
      'ExecutionProgress 2 shutdown/c1 db=Completed',
      'ExecutionProgress 2 shutdown/c1 web=Completed',
      'Success 2 shutdown/c1',
    ]);
  });

  it('does not start anew where a target loses its job and waits for another', () => {
    const running = moved(begun, ['Running', 'Running'], 20);
    const waiting: OperatorStatus = {
      ...running,
      executions: running.executions.map((row) => ({ ...row, state: 'Pending' })),
    };
    expect(Watcher.after([begun, running]).lines(waiting)).toEqual([
      'ExecutionProgress 1 shutdown/c1 db=Pending',
      'ExecutionProgress 1 shutdown/c1 web=Pending',
    ]);
  });

  it('does not start anew where a Completed target stops naming its job, or begins to', () => {
    const nameless: OperatorStatus = {
      ...done,
      executions: done.executions.map((row) => ({ ...row, jobRef: '' })),
    };
    const watcher = Watcher.after([done]);
    expect(watcher.lines(nameless)).toEqual([]);
    expect(watcher.lines(done)).toEqual([]);
  });

  it('does not start on leaving Error or Suspended', () => {
    const watcher = Watcher.after([begun, halfDone, inError]);
    expect(watcher.lines(retried)).not.toContain('Start 1 shutdown/c1');
    const suspended = suspend(retried, clock(45));
    watcher.see(suspended);
    expect(watcher.lines(resume(suspended, 'Hibernating', clock(46)))).toEqual([
      'PhaseChange Suspended > Hibernating',
    ]);
  });

  it('that is found at its end tells of its Start with all targets Pending, then of the rest', () => {
    const { events } = Watcher.after([initialStatus]).see(asleep, 70);
    expect(events.map(line)).toEqual([
      'Start 1 shutdown/c1',
      'ExecutionProgress 1 shutdown/c1 db=Completed',
      'ExecutionProgress 1 shutdown/c1 web=Completed',
      'Success 1 shutdown/c1',
      'PhaseChange Active > Hibernated',
    ]);
    expect(events[0]).toMatchObject({ phase: 'Hibernating', previousPhase: '' });
    expect(events[0]?.targets.map(({ state }) => state)).toEqual(['Pending', 'Pending']);
    expect(events[3]).toMatchObject({ phase: 'Hibernated', previousPhase: 'Hibernating' });
    expect(events[3]?.targets.map(({ state }) => state)).toEqual(['Completed', 'Completed']);
  });

  it('has no Start where the plan names neither cycle nor operation', () => {
    const wiped = { ...initialStatus, phase: 'Pending' };
    expect(Watcher.after([begun, done, asleep]).lines(wiped)).toEqual(['PhaseChange Hibernated > Pending']);
  });
});

describe('an unseen Success', () => {
  it('comes before the Start of the morning, for the plan wakes up from that night', () => {
    const { events } = Watcher.after([begun, done]).see(
      morningOf('c1', { ...asleep, executionHistory: [] }, 100),
    );
    expect(events.map(line)).toEqual([
      'Success 1 shutdown/c1',
      'Start 2 wakeup/c1',
      'PhaseChange Hibernating > WakingUp',
    ]);
    expect(events[0]).toMatchObject({
      phase: 'Hibernated',
      previousPhase: 'Hibernating',
      operation: 'shutdown',
    });
  });

  it('comes before the next night of a plan whose history has it, at the time of its end, with its results', () => {
    const morning = morningOf('c1', asleep, 100);
    const awake = succeed(moved(morning, ['Completed', 'Completed'], 110), clock(120));
    const { events } = Watcher.after([begun, done, asleep, morning]).see(nightOf('c2', awake, 200), 205);
    expect(events.map(line)).toEqual([
      'Success 2 wakeup/c1',
      'Start 3 shutdown/c2',
      'PhaseChange WakingUp > Hibernating',
    ]);
    expect(events[0]?.timestamp).toBe('2026-03-01T20:01:50.000Z');
    expect(events[0]?.targets.map(({ state }) => state)).toEqual(['Completed', 'Completed']);
  });

  it('is not made up for a run that has only been part of a failure in the history', () => {
    // Nothing has failed yet, so the row says success; but web has not run.
    const blocked = recordFailure(moved(begun, ['Completed', 'Pending'], 20), clock(30));
    const error = fail(blocked, 'web is blocked', clock(30));
    expect(
      Watcher.after([begun, blocked]).lines(nightOf('c2', reset(suspend(error, clock(40)), clock(50)), 60)),
    ).toEqual(['Start 2 shutdown/c2']);
  });

  it('is not made up for a night that was suspended and then woken up from', () => {
    const suspended = suspend(halfDone, clock(25));
    expect(Watcher.after([begun, halfDone, suspended]).lines(morningOf('c1', suspended, 100))).toEqual([
      'Start 2 wakeup/c1',
      'PhaseChange Suspended > WakingUp',
    ]);
  });

  it('is that of the run before, where its re-run is next seen suspended', () => {
    const watcher = Watcher.after([begun, done]);
    const drained = moved(nightOf('c1', asleep, 100), ['Completed', 'Failed'], 110);
    expect(watcher.lines(suspend(drained, clock(120)))).toEqual([
      'Success 1 shutdown/c1',
      'Start 2 shutdown/c1',
      'ExecutionProgress 2 shutdown/c1 db=Completed',
      'ExecutionProgress 2 shutdown/c1 web=Failed',
      'PhaseChange Hibernating > Suspended',
    ]);
    expect(watcher.observed.open).toBe(true);
  });

  it('is not that of a run which is suspended with a failed target, whatever its row says', () => {
    const watcher = Watcher.after([begun]);
    const drained = moved(nightOf('c1', asleep, 100), ['Completed', 'Failed'], 110);
    expect(watcher.lines(suspend(drained, clock(120)))).not.toContain('Success 1 shutdown/c1');
    expect(watcher.observed.open).toBe(true);
  });

  it('comes out of Suspended, if the plan was suspended at once after its end', () => {
    const watcher = Watcher.after([begun, done]);
    const suspended = suspend(asleep, clock(70));
    expect(watcher.lines(suspended)).toEqual([
      'Success 1 shutdown/c1',
      'PhaseChange Hibernating > Suspended',
    ]);
    expect(watcher.lines(resume(suspended, 'Hibernated', clock(80)))).toEqual([
      'PhaseChange Suspended > Hibernated',
    ]);
  });
});

describe('Recovery', () => {
  it('tells the count, the error it recovers from, and that it came from Error', () => {
    const { events } = Watcher.after([begun, halfDone, inError]).see(retried, 41);
    expect(events.map(line)).toEqual([
      'Recovery 1 shutdown/c1 #1',
      'ExecutionProgress 1 shutdown/c1 web=Pending',
      'PhaseChange Error > Hibernating',
    ]);
    expect(events[0]).toMatchObject({
      phase: 'Hibernating',
      previousPhase: 'Error',
      errorMessage: 'web: no quota',
      timestamp: '2026-03-01T20:00:40.000Z',
    });
  });

  it('is made though Error was there for milliseconds and went by unseen', () => {
    const { events } = Watcher.after([begun, halfDone]).see(retried);
    expect(events.map(line)).toEqual([
      'Recovery 1 shutdown/c1 #1',
      'ExecutionProgress 1 shutdown/c1 web=Pending',
    ]);
    expect(events[0]?.previousPhase).toBe('Error');
  });

  it('is one with the newest count, however many retries went by unseen', () => {
    const second = retry(fail(retried, 'again', clock(50)), clock(60));
    expect(Watcher.after([begun, halfDone, inError]).lines(second)).toEqual([
      'Recovery 1 shutdown/c1 #2',
      'ExecutionProgress 1 shutdown/c1 web=Pending',
      'PhaseChange Error > Hibernating',
    ]);
  });

  it('is seen after a manual retry by its time, though the count begins anew', () => {
    const secondError = fail(retried, 'again', clock(50));
    expect(
      Watcher.after([begun, halfDone, inError, retried, secondError]).lines(
        retry(manualRetry(secondError), clock(60)),
      ),
    ).toContain('Recovery 1 shutdown/c1 #1');
  });

  it('is seen by its count alone, where the plan has no time of it or two came within one second', () => {
    const second = retry(fail(retried, 'again', clock(40)), clock(40));
    expect(second.lastRetryTime).toBe(retried.lastRetryTime);
    const watcher = Watcher.after([begun, halfDone, inError, retried]);
    expect(watcher.lines(second)).toEqual(['Recovery 1 shutdown/c1 #2']);
    expect(watcher.lines({ ...second, retryCount: 3, lastRetryTime: null })).toEqual([
      'Recovery 1 shutdown/c1 #3',
    ]);
  });

  it('is not made of a re-run that is found at its end, though the run before it was last seen in Error', () => {
    const again = succeed(moved(nightOf('c1', asleep, 100), ['Completed', 'Completed'], 110), clock(120));
    expect(Watcher.after([begun, halfDone, inError]).lines(again)).toEqual([
      'Start 2 shutdown/c1',
      'ExecutionProgress 2 shutdown/c1 db=Completed',
      'ExecutionProgress 2 shutdown/c1 web=Completed',
      'Success 2 shutdown/c1',
      'PhaseChange Error > Hibernated',
    ]);
  });

  it('is made before Success where a run in Error is next seen at its end, with the error it had', () => {
    const { events } = Watcher.after([begun, halfDone, inError]).see(asleep);
    expect(events.map(line)).toEqual([
      'Recovery 1 shutdown/c1 #1',
      'ExecutionProgress 1 shutdown/c1 web=Completed',
      'Success 1 shutdown/c1',
      'PhaseChange Error > Hibernated',
    ]);
    expect(events[0]?.errorMessage).toBe('web: no quota');
  });

  it('is not made up where a run in Error is put to rest by suspending it', () => {
    const morning = morningOf('c1', asleep, 100);
    const failed = fail(moved(morning, ['Completed', 'Failed'], 110), 'no', clock(120));
    const watcher = Watcher.after([begun, done, asleep, morning, failed]);
    // Some operators resume to Active whatever had been suspended; the Suspended write went by unseen.
    const active = resume(suspend(failed, clock(130)), 'Active', clock(140));
    expect(watcher.lines(active)).toEqual(['PhaseChange Error > Active']);
    expect(watcher.lines({ ...active, errorMessage: 'x' })).toEqual([]);
  });

  it('goes by the phase where the plan has neither count nor time of retries, and is counted by us', () => {
    const bare = (status: OperatorStatus, rv: number) => {
      const plan = planOf(status, { rv });
      return { ...plan, status: { ...plan.status, retryCount: undefined, lastRetryTime: undefined } };
    };
    let observed = silentBaseline(bare(begun, 1), 'epoch', clock(0), OPTIONS);
    const second = fail(retried, 'again', clock(50));
    const lines = [halfDone, inError, retried, second, retry(second, clock(60)), asleep].flatMap(
      (status, index) => {
        const derived = derive(observed, bare(status, index + 2), clock(60), OPTIONS);
        observed = derived.observed;
        return derived.events.map(line);
      },
    );
    expect(lines.filter((text) => /Recovery|Failure|Start|Success/.test(text))).toEqual([
      'Recovery 1 shutdown/c1 #1',
      'Recovery 1 shutdown/c1 #2',
      'Success 1 shutdown/c1',
    ]);
    expect(observed.retryCount).toBe(0);

    // Out of Error into another run is no retry.
    const blocked = fail(begun, 'web is blocked', clock(70));
    const lost = derive(observed, bare(blocked, 20), clock(70), OPTIONS).observed;
    const { events } = derive(lost, bare(morningOf('c1', blocked, 80), 21), clock(80), OPTIONS);
    expect(kinds(events)).not.toContain('Recovery');
  });

  it('is not read from the phase where a plan that leaves its zeros out begins its run anew', () => {
    const terse = (status: OperatorStatus, rv: number) => planOf(status, { rv, omitsZeros: true });
    const restart = (error: OperatorStatus): string[] => {
      const observed = silentBaseline(terse(error, 1), 'epoch', clock(40), OPTIONS);
      const again = nightOf('c1', reset(suspend(error, clock(50)), clock(60)), 70);
      return derive(observed, terse(again, 2), clock(70), OPTIONS).events.map(line);
    };
    expect(restart(inError)).toEqual(['Start 2 shutdown/c1', 'PhaseChange Error > Hibernating']);
    // It has been retried before, so it does count: what it leaves out is zero.
    expect(restart(fail(retry(fail(begun, 'no', clock(20)), clock(30)), 'no', clock(40)))).toEqual([
      'PhaseChange Error > Hibernating',
    ]);
  });

  it('of a run that is gone is not taken for one of the run that has begun since', () => {
    // Retried, suspended, resumed to rest and begun anew, all unseen: the old count still stands there.
    const rested = resume(suspend(retried, clock(45)), 'Active', clock(50));
    const next = nightOf('c2', rested, 60);
    expect(next.retryCount).toBe(1);
    expect(Watcher.after([begun, halfDone]).lines(next)).toEqual(['Start 2 shutdown/c2']);
  });
});

describe('ExecutionProgress', () => {
  it('skips what was not seen: Pending to Completed in one', () => {
    const { events } = Watcher.after([begun]).see(moved(begun, ['Completed', 'Running'], 20), 25);
    expect(events.map(line)).toEqual([
      'ExecutionProgress 1 shutdown/c1 db=Completed',
      'ExecutionProgress 1 shutdown/c1 web=Running',
    ]);
    expect(events[0]?.targetExecution).toEqual({
      name: 'db',
      executor: 'rds',
      state: 'Completed',
      message: '',
    });
    expect(events[0]?.timestamp).toBe('2026-03-01T20:00:20.000Z');
  });

  it('has the time observed where the plan has only a time of the attempt before', () => {
    const { events } = Watcher.after([begun, halfDone, inError, retried]).see(
      moved(retried, ['Completed', 'Running'], 50),
      55,
    );
    expect(events.map(({ timestamp }) => timestamp)).toEqual(['2026-03-01T20:00:55.000Z']);
  });

  it('follows targets by name where the plan lists them in another order or lists more', () => {
    const executions = [
      { target: 'new', executor: 'ec2', state: 'Running' },
      ...[...halfDone.executions].reverse(),
    ];
    expect(Watcher.after([begun, halfDone]).lines({ ...halfDone, executions })).toEqual([
      'ExecutionProgress 1 shutdown/c1 new=Running',
    ]);
  });

  it('passes states that it does not know through', () => {
    const executions = begun.executions.map((row) => ({ ...row, state: 'Draining' }));
    expect(Watcher.after([begun]).lines({ ...begun, executions })).toContain(
      'ExecutionProgress 1 shutdown/c1 db=Draining',
    );
  });
});

describe('Success', () => {
  it('is made of a best effort too, since nothing else ends that night', () => {
    const partly = moved(begun, ['Failed', 'Aborted'], 20);
    const { events } = Watcher.after([begun, partly]).see(succeed(partly, clock(30)));
    expect(events.map(line)).toEqual(['Success 1 shutdown/c1', 'PhaseChange Hibernating > Hibernated']);
    expect(events[0]?.targets.map(({ state }) => state)).toEqual(['Failed', 'Aborted']);
  });

  it('waits for targets that are not terminal, where the phase comes first', () => {
    const running = moved(begun, ['Completed', 'Running'], 20);
    const watcher = Watcher.after([begun, running]);
    const early = { ...running, phase: 'Hibernated' };
    expect(watcher.lines(early)).toEqual(['PhaseChange Hibernating > Hibernated']);
    expect(watcher.lines(moved(early, ['Completed', 'Completed'], 30))).toEqual([
      'ExecutionProgress 1 shutdown/c1 web=Completed',
      'Success 1 shutdown/c1',
    ]);
  });

  it('is not made twice: a plan suspended at rest and resumed has no second one', () => {
    const suspended = suspend(asleep, clock(70));
    const watcher = Watcher.after([begun, done, asleep]);
    expect(watcher.lines(suspended)).toEqual(['PhaseChange Hibernated > Suspended']);
    expect(watcher.lines(resume(suspended, 'Hibernated', clock(80)))).toEqual([
      'PhaseChange Suspended > Hibernated',
    ]);
  });

  it('is not made, then or later, of a run that was suspended in its middle and resumed to rest', () => {
    const morning = morningOf('c1', asleep, 100);
    const drained = suspend(moved(morning, ['Completed', 'Failed'], 110), clock(120));
    const watcher = Watcher.after([begun, done, asleep, morning, drained]);
    const active = resume(drained, 'Active', clock(130));
    expect(watcher.lines(active)).toEqual(['PhaseChange Suspended > Active']);
    expect(watcher.lines({ ...active, errorMessage: 'touched' })).toEqual([]);
  });

  it('is not made up for a run that is found at rest, but not in the history that has the one before it', () => {
    const watcher = Watcher.after([begun, done, asleep]);
    const drained = moved(morningOf('c1', asleep, 100), ['Completed', 'Failed'], 110);
    const active = resume(suspend(drained, clock(120)), 'Active', clock(130));
    expect(watcher.lines(active)).toEqual([
      'Start 2 wakeup/c1',
      'ExecutionProgress 2 wakeup/c1 db=Completed',
      'ExecutionProgress 2 wakeup/c1 web=Failed',
      'PhaseChange Hibernated > Active',
    ]);
    expect(watcher.lines({ ...active, errorMessage: 'touched' })).toEqual([]);
  });

  it('comes again for a run that failed after its end and was retried', () => {
    const late = fail(asleep, 'lost its restore point', clock(70));
    const again = retry(late, clock(80));
    const watcher = Watcher.after([begun, done, asleep, late]);
    expect(watcher.lines(again)).toContain('Recovery 1 shutdown/c1 #1');
    expect(watcher.lines(succeed(again, clock(90)))).toContain('Success 1 shutdown/c1');
  });

  it('has no meaning for an operation that we do not know; all else passes through', () => {
    const watcher = new Watcher();
    const other: OperatorStatus = { ...begun, currentOperation: 'hibernate-deeply', phase: 'Cooling' };
    expect(watcher.lines(other)).toEqual(['Start 1 hibernate-deeply/c1', 'PhaseChange  > Cooling']);
    const cold = { ...moved(other, ['Completed', 'Completed'], 20), phase: 'Cold' };
    expect(watcher.lines(cold)).toEqual([
      'ExecutionProgress 1 hibernate-deeply/c1 db=Completed',
      'ExecutionProgress 1 hibernate-deeply/c1 web=Completed',
      'PhaseChange Cooling > Cold',
    ]);
  });
});

describe('Failure', () => {
  const exhausted = { ...inError, retryCount: 3 };

  it('is made on entering Error with no retry left, with the error', () => {
    const { events, recheckAt } = Watcher.after([begun, { ...halfDone, retryCount: 3 }]).see(exhausted, 35);
    expect(events.map(line)).toEqual(['Failure 1 shutdown/c1 #3', 'PhaseChange Hibernating > Error']);
    expect(events[0]).toMatchObject({
      errorMessage: 'web: no quota',
      phase: 'Error',
      previousPhase: 'Hibernating',
      timestamp: '2026-03-01T20:00:30.000Z',
    });
    expect(recheckAt).toBeUndefined();
  });

  it('is made at the first Error of a plan without retries', () => {
    expect(Watcher.after([begun, halfDone], { retries: 0 }).lines(inError)).toContain(
      'Failure 1 shutdown/c1 #0',
    );
  });

  it('is made once in a visit of Error, whatever else changes in it', () => {
    const watcher = Watcher.after([begun, { ...halfDone, retryCount: 3 }, exhausted]);
    expect(watcher.lines({ ...exhausted, errorMessage: 'reworded' })).toEqual([]);
    expect(watcher.lines(manualRetry(exhausted))).toEqual([]);
  });

  it('is made again in the next visit, which a changed transition time tells of', () => {
    const again = fail(retry(inError, clock(40)), 'again', clock(50));
    expect(Watcher.after([begun, halfDone, inError], { retries: 0 }).lines(again)).toEqual([
      'Recovery 1 shutdown/c1 #1',
      'ExecutionProgress 1 shutdown/c1 web=Pending',
      'Failure 1 shutdown/c1 #1',
    ]);
  });

  it('is made again in the next visit, which a retry tells of though both began in one second', () => {
    const again = fail(retry(inError, clock(30)), 'again', clock(30));
    expect(again.lastTransitionTime).toBe(inError.lastTransitionTime);
    expect(Watcher.after([begun, halfDone, inError], { retries: 0 }).lines(again)).toContain(
      'Failure 1 shutdown/c1 #1',
    );
  });

  it('is made again in the next visit, though its retry was forgotten for another one by hand', () => {
    const again = fail(retry(manualRetry(inError), clock(40)), 'again', clock(50));
    expect(Watcher.after([begun, halfDone, inError], { retries: 0 }).lines(manualRetry(again))).toEqual([
      'ExecutionProgress 1 shutdown/c1 web=Pending',
      'Failure 1 shutdown/c1 #0',
    ]);
  });

  it('is made of another run that is found in Error, in a plan that keeps no times', () => {
    const timeless = (status: OperatorStatus): OperatorStatus => ({ ...status, lastTransitionTime: null });
    expect(
      Watcher.after([timeless(inError)], { retries: 0 }).lines(
        timeless({ ...inError, currentCycleID: 'c2' }),
      ),
    ).toContain('Failure 2 shutdown/c2 #0');
  });

  it('is judged anew when the spec takes the retries away', () => {
    expect(Watcher.after([begun, halfDone, inError]).lines(inError, 60, 0)).toEqual([
      'Failure 1 shutdown/c1 #0',
    ]);
  });

  it('comes after its time where there is no retry, once, and not a moment before', () => {
    const watcher = Watcher.after([begun, halfDone]);
    const { events, recheckAt } = watcher.see(inError, 35);
    expect(kinds(events)).toEqual(['PhaseChange']);
    const due = 30 + OPTIONS.failureAfterMs / 1000;
    expect(recheckAt).toBe(clock(due));
    expect(watcher.lookAgain(inError, due - 1)).toMatchObject({ events: [], recheckAt: clock(due) });
    const late = watcher.lookAgain(inError, due);
    expect(late.events.map(line)).toEqual(['Failure 1 shutdown/c1 #0']);
    expect(late.events[0]).toMatchObject({ seq: 6, timestamp: new Date(clock(due)).toISOString() });
    expect(late.recheckAt).toBeUndefined();
    expect(watcher.lookAgain(inError, due + 1).events).toEqual([]);
  });

  it('counts its time anew after every retry', () => {
    const second = fail(retried, 'again', clock(50));
    const watcher = Watcher.after([begun, halfDone, inError, retried]);
    expect(watcher.see(second, 51).recheckAt).toBe(clock(50) + OPTIONS.failureAfterMs);
    expect(watcher.see(retry(second, clock(60)), 61).recheckAt).toBeUndefined();
  });

  it('counts its time from when Error was observed, where the plan does not say', () => {
    const watcher = new Watcher();
    watcher.see({ ...halfDone, lastTransitionTime: 'yesterday' });
    const { recheckAt } = watcher.see({ ...inError, lastTransitionTime: 'yesterday' }, 35);
    expect(recheckAt).toBe(clock(35) + OPTIONS.failureAfterMs);
  });

  it('counts its time from when Error was observed, where the plan has a time that is still to come', () => {
    expect(Watcher.after([halfDone]).see(inError, 20).recheckAt).toBe(clock(20) + OPTIONS.failureAfterMs);
  });
});

describe('PhaseChange', () => {
  it('is one and net: what lies between is not told', () => {
    const { events } = Watcher.after([initialStatus]).see(suspend(retried, clock(45)), 45);
    expect(events.filter(({ kind }) => kind === 'PhaseChange').map(line)).toEqual([
      'PhaseChange Active > Suspended',
    ]);
  });

  it('passes phases that it does not know through', () => {
    expect(Watcher.after([initialStatus]).lines({ ...initialStatus, phase: 'Moonlit' })).toEqual([
      'PhaseChange Active > Moonlit',
    ]);
  });

  it('is not made for a plan whose status is still to be written', () => {
    expect(new Watcher().lines({ ...initialStatus, phase: '' })).toEqual([]);
  });
});

describe('the number of an object', () => {
  it('is compared as an integer: an older one changes nothing, the next one is seen', () => {
    const { observed } = derive(new Watcher().observed, planOf(begun, { rv: 1000 }), clock(0), OPTIONS);
    expect(derive(observed, planOf(asleep, { rv: 999 }), clock(0), OPTIONS)).toMatchObject({
      events: [],
      observed,
    });
    expect(derive(observed, planOf(asleep, { rv: 1001 }), clock(0), OPTIONS).events).not.toEqual([]);
  });
});

describe('a silent baseline', () => {
  const baseline = (status: OperatorStatus, at: number) =>
    silentBaseline(planOf(status, { rv: 50 }), 'epoch', clock(at), OPTIONS);

  it('leaves a run in progress open: its end is told', () => {
    expect(new Watcher({ from: baseline(done, 55) }).lines(asleep)).toEqual([
      'Success 1 shutdown/c1',
      'PhaseChange Hibernating > Hibernated',
    ]);
  });

  it('leaves a run in Error open: its retry is told though the plan has forgotten it, and its end', () => {
    expect(new Watcher({ from: baseline(inError, 35) }).lines(asleep)).toEqual([
      'Recovery 1 shutdown/c1 #1',
      'ExecutionProgress 1 shutdown/c1 web=Completed',
      'Success 1 shutdown/c1',
      'PhaseChange Error > Hibernated',
    ]);
  });

  it('takes a run at rest as told of', () => {
    expect(new Watcher({ from: baseline(asleep, 65) }).lines({ ...asleep, errorMessage: 'touched' })).toEqual(
      [],
    );
  });

  it('takes a failure of before as told of, and waits for one that is still to come', () => {
    const told = baseline({ ...inError, retryCount: 3 }, 35);
    expect(told.failed).toBe(true);
    const overdue = baseline(inError, 30 + OPTIONS.failureAfterMs / 1000);
    expect(overdue.failed).toBe(true);
    const waiting = new Watcher({ from: baseline(inError, 35) });
    const due = 30 + OPTIONS.failureAfterMs / 1000;
    expect(waiting.lines({ ...inError, errorMessage: 'touched' }, due)).toEqual(['Failure 1 shutdown/c1 #0']);
  });
});

describe('when a run began', () => {
  const ends = (...statuses: readonly OperatorStatus[]): (string | undefined)[] => {
    const watcher = new Watcher();
    return statuses
      .flatMap((status) => watcher.see(status).events)
      .filter(({ kind }) => kind === 'Success' || kind === 'Failure')
      .map(({ kind, startedAt }) => `${kind} ${startedAt}`);
  };
  const at = (minute: number): string => new Date(clock(minute)).toISOString();

  it('is told by its end, through retries', () => {
    expect(ends(initialStatus, begun, halfDone, inError, retried, done, asleep)).toEqual([
      `Success ${at(10)}`,
    ]);
  });

  it('is that of the run that ended, and not of the next one', () => {
    const morning = morningOf('c1', asleep, 100);
    expect(ends(initialStatus, begun, done, morning)).toEqual([`Success ${at(10)}`]);
    const awake = succeed(moved(morning, ['Completed', 'Completed'], 110), clock(120));
    expect(ends(initialStatus, begun, asleep, morning, awake)).toEqual([
      `Success ${at(10)}`,
      `Success ${at(100)}`,
    ]);
  });

  it('is the start of its first target where the Start was seen late', () => {
    expect(ends(initialStatus, asleep)).toEqual([`Success ${at(20)}`]);
  });

  it('is not known where the run was there before us', () => {
    const seen = silentBaseline(planOf(begun, { rv: 1 }), 'e', clock(11), OPTIONS);
    const { events } = derive(seen, planOf(asleep, { rv: 2 }), clock(61), OPTIONS);
    expect(events.find(({ kind }) => kind === 'Success')).not.toHaveProperty('startedAt');
  });
});
