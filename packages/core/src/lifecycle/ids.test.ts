import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deliveryId, eventId, idOf, type EventIdentity } from './ids.ts';
import { emptyBaseline, silentBaseline } from './baseline.ts';
import {
  fail,
  initialStatus,
  recordFailure,
  resume,
  retry,
  succeed,
  suspend,
  type OperatorStatus,
} from './operator.ts';
import { line } from './testing/expected.ts';
import { planOf } from './testing/history.ts';
import { clock, morningOf, moved, nightOf, OPTIONS, Watcher } from './testing/story.ts';

const IDENTITY: EventIdentity = {
  planUid: 'uid-1',
  kind: 'ExecutionProgress',
  cycle: 'c1',
  operation: 'shutdown',
  target: 'db',
  executor: 'rds',
  state: 'Running',
  previousPhase: '',
  phase: '',
  fact: '2026-03-01T20:00:20Z',
  epoch: '',
  seq: 0,
};

/** RFC 4648 base32 by its definition: five bits a character, from the left, zeros at the end. */
function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups
    .map((group) => 'abcdefghijklmnopqrstuvwxyz234567'.charAt(parseInt(group.padEnd(5, '0'), 2)))
    .join('');
}

describe('an event id', () => {
  it('is the SHA-256 of the listed fields in base32, lower case, without padding', () => {
    const fields = JSON.stringify(Object.values(IDENTITY));
    expect(eventId(IDENTITY)).toBe(base32(createHash('sha256').update(fields).digest()));
    expect(eventId(IDENTITY)).toMatch(/^[a-z2-7]{52}$/);
  });

  it('is another one when any one field is another', () => {
    const texts = Object.entries(IDENTITY).map(([field, value]) =>
      eventId({ ...IDENTITY, [field]: typeof value === 'number' ? value + 1 : `${value}x` }),
    );
    expect(new Set([...texts, eventId(IDENTITY)]).size).toBe(Object.keys(IDENTITY).length + 1);
  });

  it('never mixes up two neighbouring fields', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (a, b, c) => {
        fc.pre(c !== '');
        expect(eventId({ ...IDENTITY, cycle: a + c, operation: b })).not.toBe(
          eventId({ ...IDENTITY, cycle: a, operation: c + b }),
        );
      }),
      { seed: 7, numRuns: 300 },
    );
  });
});

describe('the id of each kind', () => {
  const begun = nightOf('c1', initialStatus, 10);
  const halfDone = moved(moved(begun, ['Running', 'Pending'], 15), ['Completed', 'Failed'], 20);
  const inError = fail(recordFailure(halfDone, clock(30)), 'web: no quota', clock(30));
  const retried = retry(inError, clock(40));
  const again = moved(retried, ['Completed', 'Running'], 45);
  const aborted: OperatorStatus = {
    ...again,
    executions: [...again.executions, { target: 'batch', executor: 'ec2', state: 'Aborted' }],
  };
  const asleep = succeed(moved(again, ['Completed', 'Completed'], 50), clock(60));

  /** Of the events of these writes, the last one that begins with `start`, as a line. */
  function idIn(
    writes: readonly OperatorStatus[],
    start: string,
    from = emptyBaseline('epoch'),
    retries = 3,
  ): string {
    const watcher = new Watcher({ from, retries });
    const told = writes.flatMap((status, index) => watcher.see(status, 100 + index).events);
    const found = told.findLast((event) => line(event).startsWith(start));
    return found === undefined ? '' : idOf(found);
  }
  const idOfFact = (kind: string, fact: string, more: Partial<EventIdentity> = {}): string =>
    eventId({ ...IDENTITY, kind, target: '', executor: '', state: '', fact, ...more });
  const second = (seconds: number): string => `2026-03-01T20:00:${seconds}Z`;
  const web = (state: string): Partial<EventIdentity> => ({ target: 'web', executor: 'eks', state });

  it.each([
    ['Start', 'by when its run began', [initialStatus, begun], idOfFact('Start', second(10))],
    [
      'Start',
      'by the start of its first target where that is not known any more',
      [initialStatus, asleep],
      idOfFact('Start', second(15)),
    ],
    ['Success', 'by when its last target ended', [begun, asleep], idOfFact('Success', second(50))],
    [
      'Success',
      'by the same, seen too late, from the history',
      [begun, again, nightOf('c2', asleep, 70)],
      idOfFact('Success', second(50)),
    ],
    ['Recovery', 'by when it was retried', [begun, inError, retried], idOfFact('Recovery', second(40))],
    [
      'PhaseChange Hibernating > Error',
      'by its phases and when they changed',
      [begun, inError],
      idOfFact('PhaseChange', second(30), { previousPhase: 'Hibernating', phase: 'Error' }),
    ],
    [
      'PhaseChange Error > Hibernating',
      'by its phases and when it was retried',
      [begun, inError, retried],
      idOfFact('PhaseChange', `retry ${second(40)}`, { previousPhase: 'Error', phase: 'Hibernating' }),
    ],
    [
      'ExecutionProgress 1 shutdown/c1 web=Failed',
      'by its end',
      [begun, halfDone],
      idOfFact('ExecutionProgress', second(20), web('Failed')),
    ],
    [
      'ExecutionProgress 1 shutdown/c1 web=Pending',
      'by when it was retried',
      [begun, inError, retried],
      idOfFact('ExecutionProgress', second(40), web('Pending')),
    ],
    [
      'ExecutionProgress 1 shutdown/c1 web=Running',
      'by when it was retried',
      [begun, inError, retried, again],
      idOfFact('ExecutionProgress', second(40), web('Running')),
    ],
    [
      'ExecutionProgress 1 shutdown/c1 web=Completed',
      'by its end',
      [begun, again, asleep],
      idOfFact('ExecutionProgress', second(50), web('Completed')),
    ],
  ])('is made for %s %s', (start, _, writes, id) => {
    expect(idIn(writes, start)).toBe(id);
  });

  it('is made for Running by its start, and for Aborted without a time by that of the first target', () => {
    const running = moved(begun, ['Running', 'Pending'], 15);
    const db = { target: 'db', executor: 'rds', state: 'Running' };
    expect(idIn([begun, running], 'ExecutionProgress')).toBe(idOfFact('ExecutionProgress', second(15), db));
    const batch = { target: 'batch', executor: 'ec2', state: 'Aborted' };
    expect(idIn([initialStatus, aborted], 'ExecutionProgress 1 shutdown/c1 batch')).toBe(
      idOfFact('ExecutionProgress', second(15), batch),
    );
  });

  it('is made for Failure by when Error was entered, whenever that is found to be one', () => {
    const id = idOfFact('Failure', second(30));
    expect(idIn([begun, inError], 'Failure', undefined, 0)).toBe(id);
    const watcher = new Watcher();
    [begun, inError].forEach((status) => watcher.see(status, 31));
    const late = 30 + OPTIONS.failureAfterMs / 1000;
    expect(watcher.lookAgain(inError, late).events.map(idOf)).toEqual([id]);
  });

  it('has epoch and number where no time tells: another journal gives another one', () => {
    const timeless = { ...begun, lastTransitionTime: null };
    const mine = idIn([initialStatus, timeless], 'Start');
    expect(mine).toBe(idOfFact('Start', '', { epoch: 'epoch', seq: 2 }));
    expect(idIn([initialStatus, timeless], 'Start', emptyBaseline('other'))).not.toBe(mine);
  });

  it('has been the same since the ids are made so', () => {
    const watcher = new Watcher();
    const ids = [begun, halfDone, inError, retried, asleep].flatMap((status) =>
      watcher.see(status, 100).events.map((event) => `${line(event)} ${idOf(event).slice(0, 12)}`),
    );
    expect(ids).toMatchInlineSnapshot(`
      [
        "Start 1 shutdown/c1 tbegqcxnbm7j",
        "PhaseChange  > Hibernating r2hxx5fog5ae",
        "ExecutionProgress 1 shutdown/c1 db=Completed h7uveuiene33",
        "ExecutionProgress 1 shutdown/c1 web=Failed bosgjy6vehz7",
        "PhaseChange Hibernating > Error ylomnqomjeqb",
        "Recovery 1 shutdown/c1 #1 j7ezzxikrtzi",
        "ExecutionProgress 1 shutdown/c1 web=Pending zphzg6ab5sgl",
        "PhaseChange Error > Hibernating ytypd7gcccly",
        "ExecutionProgress 1 shutdown/c1 web=Completed npnvjbcxygou",
        "Success 1 shutdown/c1 ai2syaurlfqm",
        "PhaseChange Hibernating > Hibernated scrwzqqzmhjr",
      ]
    `);
  });

  it('is told of a target that loses its job, once by the time of its start, then by epoch and number', () => {
    const running = moved(begun, ['Running', 'Pending'], 15);
    const waiting = moved(running, ['Pending', 'Pending'], 16);
    const watcher = new Watcher();
    const facts = [begun, running, waiting, moved(waiting, ['Running', 'Pending'], 17)].flatMap((status) =>
      watcher
        .see(status)
        .events.filter(({ kind }) => kind === 'ExecutionProgress')
        .map(({ fact }) => fact),
    );
    expect(facts).toEqual([second(15), '', '']);
  });
});

describe('what another process may have told has epoch and number', () => {
  const begun = nightOf('c1', initialStatus, 10);
  const asleep = succeed(moved(begun, ['Completed', 'Completed'], 20), clock(30));
  const met = (status: OperatorStatus, retries = 3): Watcher =>
    new Watcher({ from: silentBaseline(planOf(status, { rv: 1 }), 'epoch', clock(59), OPTIONS), retries });
  const factsOf = (watcher: Watcher, writes: readonly OperatorStatus[]): Record<string, string | undefined> =>
    Object.fromEntries(
      writes.flatMap((status) => watcher.see(status, 59).events.map(({ kind, fact }) => [kind, fact])),
    );

  it('in the second in which the plan was met', () => {
    const failed = fail(begun, 'no', clock(10));
    expect(factsOf(met(begun, 0), [failed])).toEqual({ Failure: '', PhaseChange: '' });
    const later = fail(begun, 'no', clock(11));
    expect(factsOf(met(begun, 0), [later])).toEqual({
      Failure: '2026-03-01T20:00:11Z',
      PhaseChange: '2026-03-01T20:00:11Z',
    });
    const forgotten = { ...later, lastRetryTime: null };
    expect(factsOf(met(forgotten), [retry(forgotten, clock(11))])).toMatchObject({ Recovery: '' });
  });

  it('where a re-run has the row of the run before it', () => {
    const again = moved(nightOf('c1', asleep, 40), ['Completed', 'Completed'], 50);
    const timeless = (status: OperatorStatus): OperatorStatus => ({ ...status, lastTransitionTime: null });
    const morning = morningOf('c1', again, 58);
    expect(factsOf(met(again), [morning])).toMatchObject({ Success: '' });
    expect(factsOf(met(timeless(again)), [timeless(morning)])).toMatchObject({ Success: '' });
  });

  it('where a target has lost a job that was not seen', () => {
    const inError = fail(moved(begun, ['Completed', 'Failed'], 20), 'no', clock(30));
    const retried = retry(inError, clock(40));
    const waiting = moved(moved(retried, ['Completed', 'Running'], 42), ['Completed', 'Pending'], 44);
    const running = moved(waiting, ['Completed', 'Running'], 46);
    const watcher = Watcher.after([begun, inError, retried]);
    expect(factsOf(watcher, [waiting, running])).toEqual({ ExecutionProgress: '' });
  });

  it('where a run came to rest without a Success, and to its end once more', () => {
    const suspended = suspend(moved(begun, ['Failed', 'Completed'], 20), clock(25));
    const rested = resume(suspended, 'Hibernated', clock(30));
    const retried = { ...retry(fail(rested, 'no', clock(35)), clock(40)), executions: rested.executions };
    const watcher = Watcher.after([begun, suspended, rested, fail(rested, 'no', clock(35)), retried]);
    expect(factsOf(watcher, [succeed(retried, clock(50))])).toMatchObject({ Success: '' });
  });
});

describe('a delivery id', () => {
  it('is one for each event, namespace, notification and sink, and fit for a header', () => {
    const ids = [
      deliveryId('a', 'ns', 'n', 's'),
      deliveryId('b', 'ns', 'n', 's'),
      deliveryId('a', 'ns2', 'n', 's'),
      deliveryId('a', 'ns', 'n2', 's'),
      deliveryId('a', 'ns', 'n', 's2'),
      deliveryId('a', 'ns', 'ns', ''),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z2-7]{52}$/);
    expect(deliveryId('a', 'ns', 'n', 's')).toBe(ids[0]);
  });
});
