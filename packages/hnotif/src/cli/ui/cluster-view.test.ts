import type { Leader } from '@hnotif/core/page';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { ManualClock } from '../../../../core/src/testing/clock.ts';
import { aPlan } from '../../../../core/src/testing/plans.ts';
import { FakeApi, until, type Exchange } from '../../cluster/testing/fake-api.ts';
import { rawJournal as journal } from '../../journal/testing/raw-journal.ts';
import { Session } from '../session.ts';
import { ClusterView } from './cluster-view.ts';

/** A view that has begun, and the plans, notifications and entries that have changed. */
async function start() {
  const api = await FakeApi.start();
  const clock = new ManualClock();
  const session = new Session(
    api.client(clock),
    undefined,
    { apiGroup: 'hnotif.dev' },
    new AbortController().signal,
  );
  const changed = new Set<string>();
  const view = new ClusterView({
    ...{ session, clock, namespace: undefined, log: pino({ enabled: false }) },
  });
  onTestFinished(() => view.stop());
  view.start({
    planChanged: ({ name }) => changed.add(name),
    planDeleted: () => undefined,
    notificationChanged: (namespace) => changed.add(namespace),
    entryChanged: (_, uid) => changed.add(uid),
  });
  return { api, session, changed, view };
}

const kindOf = ({ path }: Exchange): string => path.split('/').at(-1) ?? '';

/** A view of these journals and notifications, and of no plans. */
async function world(journals: readonly object[], notifications: readonly object[] = []) {
  const { api, session, changed, view } = await start();
  const watches = new Map<string, Exchange>();
  const lists: Readonly<Record<string, readonly object[]>> = {
    [session.journals.plural]: journals,
    [session.notifications.plural]: notifications,
  };
  for (let requests = 0; requests < 6; requests++) {
    const request = await api.next();
    if (request.query.has('watch')) {
      request.open();
      watches.set(kindOf(request), request);
    } else
      request.answer(200, {
        metadata: { resourceVersion: '1' },
        items: lists[kindOf(request)] ?? [],
      });
  }
  const eventOf =
    (plural: string) =>
    async (type: string, object: object, seen: string): Promise<void> => {
      changed.clear();
      watches.get(plural)?.write({ type, object });
      await until(() => changed.has(seen));
    };
  return {
    view,
    /** Resolves when it has seen the event, which changes the entry of plan `seen`. */
    event: eventOf(session.journals.plural),
    /** Resolves when it has seen the event of a notification in namespace `seen`. */
    notificationEvent: eventOf(session.notifications.plural),
    genOf: (uid: string): number | undefined => {
      const { journal: stored } = view.factsOf(aPlan({ name: uid, uid }));
      return typeof stored === 'object' ? stored.gen : undefined;
    },
  };
}

it('knows the entry of a plan that moves to another journal', async () => {
  const { event, genOf } = await world([journal('a', 1, { moves: 1, stays: 1 })]);
  expect(genOf('moves')).toBe(1);
  await event('ADDED', journal('b', 2, { moves: 2 }), 'moves');
  expect(genOf('moves')).toBe(2);
  await event('MODIFIED', journal('a', 3, { stays: 2 }), 'stays');
  expect([genOf('moves'), genOf('stays')]).toEqual([2, 2]);
  await event('DELETED', journal('a', 4, {}), 'stays');
  expect([genOf('moves'), genOf('stays')]).toEqual([2, undefined]);
});

it('knows the entry of a plan whose former journal is deleted', async () => {
  const { event, genOf } = await world([journal('a', 1, { moves: 1, other: 1 })]);
  await event('ADDED', journal('b', 2, { moves: 2 }), 'moves');
  await event('DELETED', journal('a', 3, {}), 'other');
  expect(genOf('moves')).toBe(2);
  await event('DELETED', journal('b', 4, {}), 'moves');
  expect(genOf('moves')).toBeUndefined();
});

it('takes the entry that was written last: between epochs that of the higher term', async () => {
  const { event, genOf } = await world([journal('b', 1, { both: 5 }), journal('a', 1, { both: 3 })]);
  expect(genOf('both')).toBe(5);
  // Another plan of this journal was written.
  await event('MODIFIED', journal('a', 2, { both: 3 }, { term: 2 }), 'both');
  expect(genOf('both')).toBe(5);
  await event('MODIFIED', journal('a', 3, { both: 4 }, { term: 2, epoch: 'later' }), 'both');
  expect(genOf('both')).toBe(4);
  await event('MODIFIED', journal('b', 4, { both: 6 }), 'both');
  expect(genOf('both')).toBe(4);
  // Only the writer is another one.
  await event('MODIFIED', journal('b', 5, { both: 6 }, { term: 2 }), 'both');
  expect(genOf('both')).toBe(6);
});

it('reads the entries of a journal that was created anew, although they have the same numbers', async () => {
  const { event, view } = await world([journal('a', 1, { again: 1 })]);
  const anew = journal('a', 2, { again: 1 }) as {
    metadata: { uid: string };
    spec: { plans: Record<string, { outcomes?: object }> };
  };
  anew.metadata.uid = 'another';
  anew.spec.plans.again = { ...anew.spec.plans.again, outcomes: { 0: 'a line' } };
  await event('MODIFIED', anew, 'again');
  const { journal: stored } = view.factsOf(aPlan({ name: 'again', uid: 'again' }));
  expect(stored).toMatchObject({ outcomes: { 0: 'a line' } });
});

it('tells which notifications cannot be read, until they are corrected or deleted', async () => {
  const notification = (name: string, version: string, spec: unknown) => ({
    metadata: { namespace: 'a', name, uid: name, resourceVersion: version },
    spec,
  });
  const sinks = [{ name: 'ops', type: 'webhook', secretRef: { name: 'ops' } }];
  const good = { selector: { matchLabels: {} }, onEvents: ['Start'], sinks };
  const { view, notificationEvent } = await world(
    [],
    [notification('broken', '1', 7), notification('gone', '1', 'x'), notification('good', '1', good)],
  );
  const leader: Leader = { state: 'unknown', message: '' };
  const leaders = { in: () => leader, worst: leader };
  const told = () =>
    view.facts(leaders, 0).map(({ notifications, invalid = [] }) => ({
      read: notifications.map(({ name }) => name),
      unread: invalid.map(({ object }) => object),
    }));
  expect(told()).toEqual([{ read: ['good'], unread: ['a/broken', 'a/gone'] }]);
  await notificationEvent('DELETED', notification('gone', '2', 'x'), 'a');
  expect(told()).toEqual([{ read: ['good'], unread: ['a/broken'] }]);
  await notificationEvent('MODIFIED', notification('broken', '3', good), 'a');
  expect(told()).toEqual([{ read: ['broken', 'good'], unread: [] }]);
  await notificationEvent('MODIFIED', notification('good', '4', 7), 'a');
  expect(told()).toEqual([{ read: ['broken'], unread: ['a/good'] }]);
});

it('shows the first plans while others are read', async () => {
  const { api, session, changed, view } = await start();
  const requests = [await api.next(), await api.next(), await api.next()];
  const items = [
    { metadata: { namespace: 'a', name: 'first', uid: 'first', resourceVersion: '1' }, spec: {} },
  ];
  requests
    .find((request) => kindOf(request) === session.plans.plural)
    ?.answer(200, { metadata: { resourceVersion: '1', continue: 'more' }, items });
  await until(() => changed.has('first'));
  expect(view.isSynced).toBe(false);
});
