import { pino } from 'pino';
import { withOutcome } from '../journal/outcomes.ts';
import { describe, expect, it } from 'vitest';
import { idsOf } from '../journal/outcome-line.ts';
import { JournalState } from '../journal/state.ts';
import { aLog } from '../journal/testing/log.ts';
import type { Routed } from '../dispatch/log-entry.ts';
import { derive, idOf, emptyBaseline, begin, initialStatus } from '@hnotif/core/lifecycle';
import { type Notification, parsePlan, type ReplayStatus } from '@hnotif/core/resources';
import { ManualClock } from '../../../core/src/testing/clock.ts';
import { aNotification } from '../../../core/src/testing/notifications.ts';
import { Replays, REST_MS } from './replays.ts';

const AT = '2026-01-05T20:00:00Z';
const asking = (more: object = {}): string => JSON.stringify({ at: AT, plan: 'night', ...more });

/** A plan whose Start failed at the sink `ops` of the notification `all`, and a leader that may replay it. */
function rig({ listed = true } = {}) {
  const clock = new ManualClock();
  const status = begin(initialStatus, 'shutdown', 'c1', [{ name: 'db', type: 'rds' }], clock.now());
  const metadata = { namespace: 'team-a', name: 'night', uid: 'uid-1', resourceVersion: '1' };
  const plan = parsePlan({ metadata, status });
  const { observed, events } = derive(emptyBaseline('epoch'), plan, clock.now(), { failureAfterMs: 1 });
  const failed = events
    .filter(({ kind }) => kind === 'Start')
    .map((event) => ({ ...event, id: idOf(event) }));
  const state = new JournalState(observed, aLog());
  const ending = {
    ...{ at: AT, seq: 1, event: 'Start', count: 1, result: 'failed', reason: 'TooLong' },
    ids: idsOf(failed),
  };
  const fail = (stream: string): void => {
    state.outcomes = withOutcome(state.outcomes, { ...ending, stream }, new Set());
  };
  fail('all/ops');
  const world = {
    ...{ notification: aNotification(), others: [] as Notification[] },
    ...{ matches: true, known: true, isGone: false },
  };
  let list = (): void => undefined;
  const whenListed = listed ? Promise.resolve() : new Promise<void>((resolve) => (list = resolve));
  const answers: ReplayStatus[] = [];
  const told: string[] = [];
  const accepted: (readonly Routed[])[] = [];
  const stored: (() => void)[] = [];
  const replays = new Replays({
    clock,
    serverNow: () => clock.now(),
    log: pino({ level: 'silent' }),
    watches: {
      whenListed: (namespace) => (namespace === 'team-a' ? whenListed : Promise.resolve()),
      plans: { get: (_, name) => (name === 'night' ? plan : undefined) },
      notifications: {
        get: (_, name) =>
          world.isGone
            ? undefined
            : (world.others.find((other) => other.name === name) ?? world.notification),
      },
    },
    routes: { for: () => (world.matches ? [world.notification, ...world.others] : []) },
    intake: {
      observedOf: () => observed,
      again: (_, routed) => accepted.push(routed),
    },
    journals: {
      of: () =>
        world.known
          ? { state, persistOutcomes: () => new Promise<void>((resolve) => stored.push(resolve)) }
          : undefined,
    },
    statusTracker: { replayed: (_, answer) => answers.push(answer) },
    events: {
      warn: (_, reason) => told.push(`warn ${reason}`),
      inform: (_, reason) => told.push(`inform ${reason}`),
    },
  });
  /** The notification has changed. */
  const tell = async (more: Partial<Notification>): Promise<void> => {
    world.notification = { ...world.notification, ...more };
    replays.changed(world.notification);
    await clock.advance(REST_MS);
  };
  const store = async (): Promise<void> => {
    stored.shift()?.();
    await clock.advance(REST_MS);
  };
  return { clock, replays, world, answers, told, accepted, stored, tell, store, failed, fail, list };
}

describe('a request', () => {
  it('is carried out once, and answered when what is sent again is stored', async () => {
    const { accepted, answers, told, tell, store, failed } = rig();
    await tell({ replay: asking() });
    expect(accepted.flat().map(({ event }) => event.id)).toEqual(failed.map(({ id }) => id));
    expect(answers).toEqual([]);
    await store();
    expect(answers).toMatchObject([{ request: asking(), reason: 'Replayed', sent: 1 }]);
    expect(told).toEqual(['inform Replayed']);
    // Its status was not written yet; then it was.
    await tell({ resourceVersion: '2' });
    await tell({ status: { replay: answers[0]! } });
    expect(accepted).toHaveLength(1);
    await tell({ replay: asking({ at: '2026-01-05T21:00:00Z' }) });
    expect(accepted).toHaveLength(2);
  });

  it('that an earlier process has answered is not carried out again', async () => {
    const { accepted, answers, tell } = rig();
    const replay: ReplayStatus = { request: asking(), at: AT, reason: 'Replayed', message: '', sent: 1 };
    await tell({ replay: asking(), status: { replay } });
    expect([accepted, answers]).toEqual([[], []]);
  });

  it('waits until plans are listed', async () => {
    const { clock, accepted, tell, list } = rig({ listed: false });
    await tell({ replay: asking() });
    await clock.advance(REST_MS);
    expect(accepted).toEqual([]);
    list();
    await clock.advance(REST_MS);
    expect(accepted).toHaveLength(1);
  });

  it('is carried out again where a former leader wrote the journal meanwhile', async () => {
    const { replays, accepted, answers, tell, store } = rig();
    await tell({ replay: asking() });
    replays.rebased('other');
    replays.rebased('uid-1');
    await store();
    expect([accepted.length, answers.length]).toEqual([2, 0]);
    await store();
    expect([accepted.length, answers.length]).toEqual([2, 1]);
  });

  it('of a notification that was deleted meanwhile is forgotten', async () => {
    const { clock, replays, world, accepted, tell, list } = rig({ listed: false });
    await tell({ replay: asking() });
    world.isGone = true;
    replays.deleted(world.notification);
    list();
    await clock.advance(REST_MS);
    expect(accepted).toEqual([]);
  });
});

it('one who asks again and again does not keep the process busy', async () => {
  const { clock, replays, world, answers } = rig();
  for (let time = 0; time < 100; time++) {
    world.notification = { ...world.notification, replay: asking({ plan: `p${time}` }) };
    replays.changed(world.notification);
    await clock.advance(1);
  }
  expect(answers).toHaveLength(1);
  await clock.advance(REST_MS);
  expect(answers).toHaveLength(2);
  expect(answers[1]?.request).toBe(asking({ plan: 'p99' }));
});

describe('a request that cannot be carried out is answered with the remedy, and a Warning', () => {
  const refusals: readonly [string, Partial<Notification>, RegExp, object?][] = [
    ['MalformedRequest', { replay: 'night' }, /is not JSON; correct it, or remove/],
    [
      'UnknownPlan',
      { replay: asking({ plan: 'nihgt' }) },
      /plan nihgt: There is no such plan.*hnotif get plans/,
    ],
    ['UnknownSink', { replay: asking({ sink: 'pager' }) }, /sink pager: .*hnotif describe/],
    ['NotMatched', { replay: asking() }, /hnotif why/, { matches: false }],
    ['Muted', { replay: asking(), suspension: { until: undefined, reason: '' } }, /hnotif unmute/],
    ['NothingToReplay', { replay: asking() }, /hnotif trace/, { known: false }],
    ['NothingToReplay', { replay: asking({ since: '2026-01-05T20:00:01Z' }) }, /hnotif trace/],
  ];

  it.each(refusals)('%s', async (reason, notification, message, more = {}) => {
    const { world, accepted, answers, told, tell } = rig();
    Object.assign(world, more);
    await tell(notification);
    expect(answers).toMatchObject([{ reason, sent: 0, message: expect.stringMatching(message) as string }]);
    expect(answers[0]).not.toHaveProperty('deliveries');
    expect(told).toEqual(['warn ReplayRefused']);
    expect(accepted).toEqual([]);
  });

  it('and a dry run sends nothing', async () => {
    const { accepted, answers, tell } = rig();
    await tell({ replay: asking({ dryRun: true }) });
    expect(answers).toMatchObject([{ reason: 'DryRun', sent: 0, deliveries: [{ result: 'WouldBeSent' }] }]);
    expect(accepted).toEqual([]);
  });
});

it('a namespace whose journals are not written delays the replays of no other one', async () => {
  const { clock, replays, world, answers, stored, fail } = rig();
  const others = Array.from({ length: 5 }, (_, at): Notification => {
    const identity = { namespace: 'slow', name: `n${at}`, uid: `uid-of-n${at}` };
    return { ...world.notification, ...identity, replay: asking() };
  });
  world.others = others;
  for (const each of others) {
    fail(`${each.name}/ops`);
    replays.changed(each);
  }
  await clock.advance(REST_MS);
  expect(stored).toHaveLength(2);
  world.notification = { ...world.notification, replay: asking({ plan: 'other' }) };
  replays.changed(world.notification);
  await clock.advance(REST_MS);
  expect(answers.map(({ reason }) => reason)).toEqual(['UnknownPlan']);
});
