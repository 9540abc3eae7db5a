import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { ManualClock } from '../../../../core/src/testing/clock.ts';
import { aPlan } from '../../../../core/src/testing/plans.ts';
import { FakeApi, until, type Exchange } from '../../cluster/testing/fake-api.ts';
import { rawJournal as journal } from '../../journal/testing/raw-journal.ts';
import { Session } from '../session.ts';
import { ClusterView } from './cluster-view.ts';

/** A view of these journals, and of no plans and notifications. */
async function world(journals: readonly object[]) {
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
    listener: {
      planChanged: () => undefined,
      planDeleted: () => undefined,
      notificationChanged: () => undefined,
      entryChanged: (_, uid) => changed.add(uid),
    },
  });
  onTestFinished(() => view.stop());
  view.start();
  let watch: Exchange | undefined;
  const isOfJournals = ({ path }: Exchange): boolean => path.endsWith(session.journals.plural);
  for (let requests = 0; requests < 6; requests++) {
    const request = await api.next();
    if (request.query.has('watch')) {
      request.open();
      if (isOfJournals(request)) watch = request;
    } else
      request.answer(200, {
        metadata: { resourceVersion: '1' },
        items: isOfJournals(request) ? journals : [],
      });
  }
  return {
    /** Resolves when it has seen the event, which changes the entry of plan `seen`. */
    event: async (type: string, object: object, seen: string): Promise<void> => {
      changed.clear();
      watch?.write({ type, object });
      await until(() => changed.has(seen));
    },
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

it('takes the entry of the last writer, then the newest one', async () => {
  const { event, genOf } = await world([journal('b', 1, { both: 5 }), journal('a', 1, { both: 3 })]);
  expect(genOf('both')).toBe(5);
  await event('MODIFIED', journal('a', 2, { both: 4 }, { term: 2 }), 'both');
  expect(genOf('both')).toBe(4);
  await event('MODIFIED', journal('b', 3, { both: 6 }), 'both');
  expect(genOf('both')).toBe(4);
  // Only the writer is another one.
  await event('MODIFIED', journal('b', 4, { both: 6 }, { term: 2 }), 'both');
  expect(genOf('both')).toBe(6);
});
