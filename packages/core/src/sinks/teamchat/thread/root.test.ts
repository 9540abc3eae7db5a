import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { LifecycleEvent } from '../../../lifecycle/event.ts';
import { EVENT_KINDS, type EventKind } from '../../../resources/kinds.ts';
import { anEvent } from '../../../testing/events.ts';
import { isTerminal } from '../../roots/root-status.ts';
import { digestOf, ended, fold, type Root, rootKey } from './root.ts';

const after = (...kinds: readonly EventKind[]): Root =>
  rootOf(kinds.map((kind, i) => anEvent(kind, i + 1, { errorMessage: `e${i + 1}`, retryCount: i + 1 })));

function rootOf(events: readonly LifecycleEvent[]): Root {
  const root = events.reduce<Root | undefined>(fold, undefined);
  if (root === undefined) throw new Error('no event');
  return root;
}

test.each<[kinds: EventKind[], status: string]>([
  [['Start'], 'Starting'],
  [['Start', 'ExecutionProgress'], 'In Progress'],
  [['Start', 'PhaseChange'], 'In Progress'],
  [['Recovery'], 'In Progress'],
  [['ExecutionProgress', 'Start'], 'In Progress'],
  [['Start', 'Success'], 'Completed'],
  [['Start', 'Failure'], 'Failed'],
  [['Failure', 'Success'], 'Completed'],
  [['Success', 'Failure'], 'Failed'],
  [['Success', 'Start'], 'Completed'],
  [['Failure', 'Start'], 'Failed'],
  [['Failure', 'Recovery', 'ExecutionProgress', 'PhaseChange'], 'Failed'],
])('%j shows %s', (kinds, status) => {
  expect(after(...kinds).status).toBe(status);
});

describe('the shown state', () => {
  it('stays at an end, until another end', () => {
    const root = after('Start', 'Failure', 'Recovery', 'ExecutionProgress');
    expect(root).toMatchObject({ shown: { kind: 'Failure' }, errorMessage: 'e2', retryCount: 2, lastSeq: 4 });
    expect(digestOf(root)).toBe(digestOf(after('Start', 'Failure')));
  });

  it('keeps the error and the attempt of a retry until the end', () => {
    expect(after('Start', 'Recovery', 'ExecutionProgress')).toMatchObject({
      errorMessage: 'e2',
      retryCount: 2,
      shown: { kind: 'ExecutionProgress' },
    });
    expect(after('Start', 'Recovery', 'Success')).toMatchObject({ errorMessage: '', retryCount: 2 });
    expect(after('Recovery', 'Start')).toMatchObject({ errorMessage: '', retryCount: 0 });
  });

  it('is not set back by a Start or a Recovery from before it: a replay sends it with a new number', () => {
    const at = (minute: number) =>
      ({ timestamp: `2026-01-05T20:${minute}:00.000Z`, replayed: true }) as const;
    const retried = anEvent('Recovery', 2, { ...at(20), errorMessage: 'no quota', retryCount: 2 });
    const running = rootOf([retried, anEvent('ExecutionProgress', 3, at(30))]);
    for (const kind of ['Start', 'Recovery'] as const)
      expect(fold(running, anEvent(kind, 4, at(10)))).toEqual({ ...running, lastSeq: 4 });
    expect(fold(running, anEvent('Start', 4, at(31)))).toMatchObject({
      shown: { kind: 'Start' },
      retryCount: 0,
    });
    // A real one: the process is behind the plan.
    const { timestamp } = at(10);
    expect(fold(running, anEvent('Recovery', 4, { timestamp })).shown.kind).toBe('Recovery');
    // A target may have changed long before.
    expect(fold(running, anEvent('ExecutionProgress', 4, at(10))).shown.seq).toBe(4);
  });

  it('differs if the card would differ', () => {
    expect(digestOf(after('Start'))).not.toBe(digestOf(after('Start', 'PhaseChange')));
    expect(digestOf({ ...after('Start'), status: 'Failed' })).not.toBe(digestOf(after('Start')));
  });
});

test('a root keeps the targets that a card may show, the failed ones first, and counts all', () => {
  const targets = Array.from({ length: 10_000 }, (_, i) => ({
    name: `t${i}`,
    executor: 'rds',
    state: i === 9_999 ? 'Failed' : i % 2 === 0 ? 'Completed' : 'Running',
    message: '',
  }));
  const { shown } = fold(undefined, anEvent('ExecutionProgress', 1, { targets }));
  expect(shown.targets).toHaveLength(101);
  expect(shown.tally).toMatchObject({ total: 10_000, completed: 5_000, failed: 1, running: 4_999 });
  expect(shown.targets.slice(0, 3).map(({ name }) => name)).toEqual(['t9999', 't0', 't1']);
});

test('a root keeps of long texts only what a card may show', () => {
  const message = '👩‍👩‍👧 no capacity\n'.repeat(2_000);
  const target = { name: 'db', executor: 'rds', state: 'Failed', message };
  const event = anEvent('Failure', 1, { targets: [target], targetExecution: target, errorMessage: message });
  const root = fold(undefined, event);
  expect(root.shown.targets[0]?.message.length).toBeLessThanOrEqual(1_300);
  expect(root.errorMessage.length).toBeLessThanOrEqual(8_000);
  expect(JSON.stringify(root).length).toBeLessThan(22_000);
  expect(JSON.stringify(root).isWellFormed()).toBe(true);
});

const events = fc
  .array(fc.tuple(fc.constantFrom(...EVENT_KINDS), fc.integer({ min: 1, max: 30 })), { minLength: 1 })
  .map((list) => list.map(([kind, seq]) => anEvent(kind, seq)));

test('an event counts once, an old one not at all, and only another end replaces an end', () => {
  fc.assert(
    fc.property(events, (list) => {
      let root: Root | undefined;
      for (const event of list) {
        const next = fold(root, event);
        expect(fold(next, event)).toBe(next);
        if (root !== undefined && event.seq <= root.lastSeq) expect(next).toBe(root);
        if (root !== undefined && isTerminal(root.status)) expect(isTerminal(next.status)).toBe(true);
        expect(next.lastSeq).toBe(Math.max(root?.lastSeq ?? 0, event.seq));
        root = next;
      }
    }),
    { seed: 1, numRuns: 500 },
  );
});

test('a root that shows an end in the channel has ended', () => {
  const running = after('Recovery');
  expect(ended(running, 'Failed').status).toBe('Failed');
  expect(ended(running, 'Starting')).toBe(running);
  const completed = after('Success');
  expect(ended(completed, 'Failed')).toBe(completed);
});

describe('the key of a root', () => {
  const address = { namespace: 'team-a', notification: 'n', sink: 's' };
  const key = (more: Partial<LifecycleEvent>) => rootKey(address, anEvent('Start', 1, more));

  it('is of the sink, the plan, the cycle and the operation', () => {
    const keys = [
      key({}),
      key({ planUid: 'other' }),
      key({ cycle: 'other' }),
      key({ operation: 'other' }),
      key({ cycle: 'a","b', operation: 'c' }),
      key({ cycle: 'a', operation: 'b","c' }),
      rootKey({ ...address, sink: 't' }, anEvent('Start', 1)),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    expect(key({ run: 2, phase: 'Error' })).toBe(key({}));
  });

  it('does not exist without a cycle', () => {
    expect(key({ cycle: '' })).toBeUndefined();
  });
});
