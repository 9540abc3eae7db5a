import { expect, it } from 'vitest';
import { ManualClock } from '../../../../core/src/testing/clock.ts';
import { aPlan } from '../../../../core/src/testing/plans.ts';
import type { Change } from '@hnotif/core/page';
import type { Plan } from '@hnotif/core/resources';
import { ClusterBoard } from './cluster-board.ts';
import type { ClusterView } from './cluster-view.ts';
import { Feed } from './feed.ts';

const HEAD = { leader: '', serving: 'serving', unseen: [], hasMessages: false } as const;

/** A board of plans without deliveries. `reads`: what happens while a row is made. */
function world(reads: (plan: Plan) => void) {
  const clock = new ManualClock();
  const feed = new Feed('test');
  const plans = new Map<string, Plan>();
  const view = {
    plan: (_: string, name: string) => plans.get(name),
    notificationsIn: () => [],
    factsOf: (plan: Plan) => {
      reads(plan);
      return { plan, journal: undefined };
    },
  } as unknown as ClusterView;
  const board = new ClusterBoard(view, clock, () => clock.now(), feed, HEAD);
  return {
    ...{ board, clock },
    sent: () => (feed.since(feed.idOf(0)) ?? []).map(({ text }) => JSON.parse(text) as Change),
    add: (name: string): Plan => {
      const plan = aPlan({ name, uid: name });
      plans.set(name, plan);
      board.planChanged(plan);
      return plan;
    },
    remove: (plan: Plan): void => {
      plans.delete(plan.name);
      board.planDeleted(plan);
    },
    shown: () => [...board.snapshot()].flatMap(({ rows = [] }) => rows).map(({ plan }) => plan),
  };
}

it('forgets a plan that is deleted while the rows of others are made', async () => {
  const { add, clock, remove, shown } = world(({ name }) => {
    // Its row takes so long that other work has its turn.
    clock.pass(10);
    if (name === 'first')
      setImmediate(() => {
        remove(first);
      });
  });
  const first = add('first');
  add('second');
  await clock.advance(200);
  expect(shown()).toEqual(['second']);
  await clock.advance(1_000);
  expect(shown()).toEqual(['second']);
});

it('shows a plan that comes back while the rows of others are made', async () => {
  const { add, clock, remove, shown } = world(({ name }) => {
    clock.pass(10);
    if (name !== 'second') return;
    remove(first);
    first = add('first');
  });
  let first = add('first');
  add('second');
  await clock.advance(1_000);
  expect(shown().toSorted()).toEqual(['first', 'second']);
});

it('tells clients once of notifications that change, though no row does', async () => {
  const { add, board, clock, sent } = world(() => undefined);
  const { namespace } = add('first');
  await clock.advance(1_000);
  expect(sent()).toHaveLength(1);
  board.notificationChanged(namespace);
  board.notificationChanged(namespace);
  await clock.advance(1_000);
  expect(sent().slice(1)).toEqual([{ facts: true, now: expect.any(Number) as number }]);
});
