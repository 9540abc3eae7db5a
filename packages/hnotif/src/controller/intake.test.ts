import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import {
  DEFAULT_FAILURE_AFTER_MS,
  derive,
  silentBaseline,
  begin,
  fail,
  initialStatus,
  poll,
  succeed,
} from '@hnotif/core/lifecycle';
import { planOf } from '../../../core/src/lifecycle/testing/history.ts';
import { createMetrics } from '../observe/metrics.ts';
import type { Plan } from '@hnotif/core/resources';
import { Routes } from '@hnotif/core/routing';
import { ManualClock } from '../../../core/src/testing/clock.ts';
import { noJournals, type Accepted } from '../testing/journals.ts';
import { aNotification } from '../../../core/src/testing/notifications.ts';
import { Intake } from './intake.ts';

const DB = [{ name: 'db', type: 'rds' }];

function rig(installedAt?: number) {
  const clock = new ManualClock();
  const routes = new Routes();
  const submitted: Accepted[] = [];
  const back: string[] = [];
  let epochs = 0;
  const metrics = createMetrics('test');
  const journals = noJournals((submission) => submitted.push(submission));
  const intake = new Intake({
    clock,
    log: pino({ level: 'silent' }),
    metrics,
    routes,
    journals,
    installedAt,
    failureAfterMs: DEFAULT_FAILURE_AFTER_MS,
    newEpoch: () => `epoch-${epochs++}`,
    reporter: {
      wentBack: ({ name }, of) => back.push(`${name} of ${of.map((each) => each.name).join(', ')}`),
    },
  });
  const sink = (name: string) =>
    ({ name, type: 'webhook', secretRef: { name }, templateRef: undefined }) as const;
  const onEvents = ['Start', 'PhaseChange', 'Success', 'Failure'] as const;
  const see = (plan: Plan, known = false): string[] => {
    submitted.length = 0;
    routes.setPlan(plan);
    intake.changed(plan, known);
    return submitted.map(({ to, event }) => `${to.notification}/${to.sink} ${event.kind}`);
  };
  routes.setNotification(
    aNotification({ namespace: 'team-a', name: 'a', onEvents, sinks: [sink('x'), sink('y')] }),
  );
  routes.setNotification(
    aNotification({ namespace: 'team-a', name: 'b', onEvents: ['Start'], sinks: [sink('z')] }),
  );
  return { back, clock, intake, journals, metrics, see, submitted };
}

const rest = initialStatus;
const asPlan = (status: typeof rest, rv: number): Plan => ({
  ...planOf(status, { rv }),
  namespace: 'team-a',
});

it('a notification gives a journal to the plans that it selects, and to no others', () => {
  const { intake, journals, see } = rig();
  see(asPlan(rest, 1), true);
  const given: string[] = [];
  vi.spyOn(journals, 'accept').mockImplementation(({ current }) => void given.push(current.name));
  const others = { matchLabels: { team: 'other' }, matchExpressions: [] };
  intake.subscribed(aNotification({ namespace: 'team-a', selector: others }));
  intake.subscribed(aNotification({ namespace: 'team-b' }));
  expect(given).toEqual([]);
  intake.subscribed(aNotification({ namespace: 'team-a' }));
  expect(given).toEqual([asPlan(rest, 1).name]);
});

it('events that are accepted again get new numbers, and say that they are replayed', () => {
  const { clock, intake, see, submitted } = rig();
  see(asPlan(begin(rest, 'shutdown', 'c1', DB, clock.now()), 1), true);
  const routed = submitted.map(({ event, to }) => ({ event, to: [{ ...to, type: 'webhook' as const }] }));
  submitted.length = 0;
  intake.again('uid-1', routed);
  expect(submitted.map(({ event }) => event.replayed)).toEqual(routed.map(() => true));
  expect(submitted.map(({ event }) => event.seq)).toEqual(routed.map((_, at) => routed.length + at + 1));
});

describe('a change of a plan', () => {
  it('goes to every subscribed sink, event by event', () => {
    const { clock, see } = rig();
    expect(see(asPlan(rest, 1), true)).toEqual([]);
    expect(see(asPlan(begin(rest, 'shutdown', 'c1', DB, clock.now()), 2))).toEqual([
      'a/x Start',
      'a/y Start',
      'b/z Start',
      'a/x PhaseChange',
      'a/y PhaseChange',
    ]);
  });

  it('of the first list makes events if the plan is younger than the installation and than an hour', () => {
    for (const [installed, created, isNew] of [
      ['19:30', '19:45', true],
      ['19:30', '19:15', false],
      ['17:00', '18:30', false],
    ] as const) {
      const { clock, see } = rig(Date.parse(`2026-01-05T${installed}:00Z`));
      const begun = asPlan(begin(rest, 'shutdown', 'c1', DB, clock.now()), 1);
      const events = see({ ...begun, creationTimestamp: `2026-01-05T${created}:00Z` }, true);
      expect(events.includes('a/x Start')).toBe(isNew);
    }
  });

  it('makes events also after a restore from a backup, which lowers versions', () => {
    const { clock, see } = rig();
    see(asPlan(rest, 5000), true);
    expect(see(asPlan(rest, 4000))).toEqual([]);
    const begun = begin(rest, 'shutdown', 'c1', DB, clock.now());
    expect(see(asPlan(begun, 4001))).toContain('a/x Start');
    const done = poll(begun, [{ target: 'db', state: 'Completed' }], clock.now());
    see(asPlan(done, 4002));
    expect(see(asPlan(succeed(done, clock.now()), 4003))).toContain('a/x Success');
  });

  it('makes events at once if the restored state differs', () => {
    const { clock, see } = rig();
    see(asPlan(rest, 5000), true);
    expect(see(asPlan(begin(rest, 'shutdown', 'c1', DB, clock.now()), 4000))).toContain('a/x Start');
  });
});

describe('a plan whose version goes back', () => {
  it('tells nothing again, and says so once for each change back', () => {
    const { clock, see, back } = rig();
    const later = clock.now() + 60_000;
    const begun = begin(rest, 'shutdown', 'c1', DB, clock.now());
    const done = succeed(poll(begun, [{ target: 'db', state: 'Completed' }], later), later);
    see(asPlan(rest, 1), true);
    see(asPlan(begun, 5000));
    expect(see(asPlan(done, 5001))).toContain('a/x Success');
    expect(back).toEqual([]);
    expect([see(asPlan(begun, 5000)), see(asPlan(done, 5001))]).toEqual([[], []]);
    expect(see(asPlan(begun, 40))).toEqual([]);
    expect(back).toEqual(['office of a, b', 'office of a, b']);
    // The operator continues from the backup.
    const again = succeed(
      poll(begun, [{ target: 'db', state: 'Completed' }], later + 60_000),
      later + 60_000,
    );
    expect(see(asPlan(again, 41))).toContain('a/x Success');
  });
});

describe('a deleted plan that returns with its uid', () => {
  it('continues where it was: no event is sent twice, and missed changes make events', () => {
    const { clock, intake, see } = rig();
    const begun = begin(rest, 'shutdown', 'c1', DB, clock.now());
    const later = clock.now() + 60_000;
    const done = succeed(poll(begun, [{ target: 'db', state: 'Completed' }], later), later);
    see(asPlan(rest, 1), true);
    expect(see(asPlan(begun, 2))).toContain('a/x Start');
    intake.deleted(asPlan(begun, 2));
    expect(see(asPlan(begun, 2))).toEqual([]);
    intake.deleted(asPlan(begun, 2));
    // Restored from a backup, whose versions are lower; the operator went on meanwhile.
    expect(see(asPlan(done, 1))).toEqual(expect.arrayContaining(['a/x Success']));
    intake.deleted(asPlan(done, 1));
    expect(see(asPlan(done, 1))).toEqual([]);
    expect(see(asPlan(begin(done, 'wakeup', 'c1', DB, clock.now()), 3))).toContain('a/x Start');
  });

  it('begins anew if its namespace has deleted too much since then, and another namespace loses nothing', () => {
    const { clock, intake, see } = rig();
    const begun = begin(rest, 'shutdown', 'c1', DB, clock.now());
    const long = poll(begun, [{ target: 'db', state: 'Running', message: 'x'.repeat(500_000) }], clock.now());
    const loud = Array.from({ length: 40 }, (_, n) => ({ ...asPlan(long, 1), uid: `loud-${n}` }));
    const quiet = { ...asPlan(begun, 1), namespace: 'team-b', uid: 'quiet' };
    const epochOf = (plan: Plan): string | undefined => {
      see(plan);
      return intake.observedOf(plan.uid)?.epoch;
    };
    const plans = [quiet, ...loud];
    const before = plans.map((plan) => {
      const epoch = epochOf(plan);
      intake.deleted(plan);
      return epoch;
    });
    const known = plans.filter((plan, n) => epochOf(plan) === before[n]).map(({ uid }) => uid);
    expect(known).toEqual(['quiet', ...loud.slice(1 - known.length).map(({ uid }) => uid)]);
    // Half a million characters each, of 16 million.
    expect(known.length).toBeGreaterThan(20);
    expect(known.length).toBeLessThan(33);
  });

  it('begins anew if its uid is another one', () => {
    const { clock, intake, see } = rig();
    const begun = begin(rest, 'shutdown', 'c1', DB, clock.now());
    see(asPlan(begun, 1), true);
    intake.deleted(asPlan(begun, 1));
    expect(see({ ...asPlan(begun, 2), uid: 'another' })).toContain('a/x Start');
  });
});

describe('a Failure because no retry came', () => {
  const HOUR_MS = 3_600_000;
  const YEARS_MS = 10 * 365 * 24 * HOUR_MS;

  it.each([
    ['is not turned', 0],
    ['is turned an hour on', HOUR_MS],
    ['is turned an hour back', -HOUR_MS],
    ['is turned ten years on', YEARS_MS],
    ['is turned back to 1970', -Date.UTC(2026, 0, 5, 20)],
  ])('comes --failure-after after the error, though the wall clock %s', async (_, jump) => {
    const { clock, see, submitted } = rig();
    const begun = begin(rest, 'shutdown', 'c1', DB, clock.now());
    const failed = fail(begun, 'no capacity', clock.now());
    see(asPlan(begun, 1), true);
    expect(see(asPlan(failed, 2))).not.toContain('a/x Failure');
    await clock.advance(DEFAULT_FAILURE_AFTER_MS / 2);
    clock.jump(jump);
    // Another change, as of a label.
    expect(see(asPlan(failed, 3))).toEqual([]);
    await clock.advance(DEFAULT_FAILURE_AFTER_MS / 2 - 1);
    expect(submitted).toEqual([]);
    await clock.advance(2);
    expect(submitted.map(({ to, event }) => `${to.sink} ${event.kind}`)).toEqual(['x Failure', 'y Failure']);
  });

  it('comes after --failure-after without another change, also when the wall clock was set back', async () => {
    const { clock, see, submitted } = rig();
    const begun = begin(rest, 'shutdown', 'c1', DB, clock.now());
    see(asPlan(begun, 1), true);
    see(asPlan(fail(begun, 'no capacity', clock.now()), 2));
    submitted.length = 0;
    clock.jump(-YEARS_MS);
    await clock.advance(DEFAULT_FAILURE_AFTER_MS);
    expect(submitted).toHaveLength(2);
  });
});

describe('an observation of another process', () => {
  it('may be newer than ours: the changes that we see later make no events again', () => {
    const { clock, intake, see } = rig();
    const options = { failureAfterMs: DEFAULT_FAILURE_AFTER_MS };
    const begun = begin(rest, 'shutdown', 'c1', DB, clock.now());
    const done = poll(begun, [{ target: 'db', state: 'Completed' }], clock.now());
    const ended = succeed(done, clock.now());
    const first = asPlan(rest, 1);
    see(first, true);
    const theirs = [asPlan(begun, 2), asPlan(done, 3), asPlan(ended, 4)].reduce(
      (observed, plan) => derive(observed, plan, clock.now(), options).observed,
      silentBaseline(first, 'epoch', clock.now(), options),
    );
    intake.rebase(first.uid, theirs);
    expect([asPlan(begun, 2), asPlan(done, 3), asPlan(ended, 4)].flatMap((plan) => see(plan))).toEqual([]);
    expect(see(asPlan(begin(ended, 'wakeup', 'c1', DB, clock.now()), 5))).toContain('a/x Start');
  });
});

describe('a wait for a version of a plan', () => {
  it('ends when the version has come, or when the plan is deleted', async () => {
    const { intake, see } = rig();
    const told: string[] = [];
    const wait = (name: string, version: string): Promise<unknown> =>
      intake.seen('team-a', name, version).then(() => told.push(version));
    const { name } = asPlan(rest, 1);
    const waits = [wait(name, '2'), wait(name, '9')];
    void wait('another', '3');
    see(asPlan(rest, 2));
    await waits[0];
    expect(told).toEqual(['2']);
    intake.deleted(asPlan(rest, 2));
    await waits[1];
    expect(told).toEqual(['2', '9']);
  });
});
