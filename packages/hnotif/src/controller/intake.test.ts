import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { Submission } from '../dispatch/delivery.ts';
import { DEFAULT_FAILURE_AFTER_MS } from '../lifecycle/derive.ts';
import { begin, initialStatus, poll, succeed } from '../lifecycle/operator.ts';
import { planOf } from '../lifecycle/testing/history.ts';
import { createMetrics } from '../observe/metrics.ts';
import type { Plan } from '../resources/plan.ts';
import { Routes } from '../routing/routes.ts';
import { ManualClock } from '../testing/clock.ts';
import { aNotification } from '../testing/notifications.ts';
import { Intake } from './intake.ts';

const DB = [{ name: 'db', type: 'rds' }];

function rig() {
  const clock = new ManualClock();
  const routes = new Routes();
  const submitted: Submission[] = [];
  const intake = new Intake({
    clock,
    log: pino({ level: 'silent' }),
    metrics: createMetrics('test'),
    routes,
    submit: (submission) => submitted.push(submission),
    failureAfterMs: DEFAULT_FAILURE_AFTER_MS,
    newEpoch: () => 'epoch',
  });
  const sink = (name: string) =>
    ({ name, type: 'webhook', secretRef: { name }, templateRef: undefined }) as const;
  const onEvents = ['Start', 'PhaseChange', 'Success'] as const;
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
  return { clock, intake, see };
}

const rest = initialStatus;
const asPlan = (status: typeof rest, rv: number): Plan => ({
  ...planOf(status, { rv }),
  namespace: 'team-a',
});

describe('a change of a plan', () => {
  it('goes to every sink that subscribed to its events, event by event', () => {
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

  it('makes events after a restore from a backup too, whose versions are lower', () => {
    const { clock, see } = rig();
    see(asPlan(rest, 5000), true);
    expect(see(asPlan(rest, 4000))).toEqual([]);
    const begun = begin(rest, 'shutdown', 'c1', DB, clock.now());
    expect(see(asPlan(begun, 4001))).toContain('a/x Start');
    const done = poll(begun, [{ target: 'db', state: 'Completed' }], clock.now());
    see(asPlan(done, 4002));
    expect(see(asPlan(succeed(done, clock.now()), 4003))).toContain('a/x Success');
  });

  it('in which the restored state itself differs is told at once', () => {
    const { clock, see } = rig();
    see(asPlan(rest, 5000), true);
    expect(see(asPlan(begin(rest, 'shutdown', 'c1', DB, clock.now()), 4000))).toContain('a/x Start');
  });
});

describe('who waits for a state of a plan', () => {
  it('is told when it has come, and when the plan is deleted', async () => {
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
