import { isDeepStrictEqual } from 'node:util';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { StatusOwner } from '../cluster/status-writer.ts';
import type { FailedSend, Settlement, SinkWait } from '../dispatch/delivery.ts';
import type { OutcomeLine } from '../journal/outcome-line.ts';
import type { EventKind, Notification, NotificationStatus } from '@hnotif/core/resources';
import type { Cause } from '@hnotif/core/sinks';
import { ManualClock, settle } from '../../../core/src/testing/clock.ts';
import { anEvent } from '../../../core/src/testing/events.ts';
import { aNotification } from '../../../core/src/testing/notifications.ts';
import { aSettlement } from '../testing/settlements.ts';
import { StatusTracker } from './status-tracker.ts';
import type { SinkCheck } from './readiness-checks.ts';

const sink = (name: string) => ({
  name,
  type: 'webhook' as const,
  secretRef: { name },
  templateRef: undefined,
});
const night = (more: Partial<Notification> = {}): Notification =>
  aNotification({
    namespace: 'team-a',
    name: 'night',
    uid: 'n1',
    generation: 1,
    sinks: [sink('ops')],
    ...more,
  });

const ready: SinkCheck = { ok: true, notes: [], faults: [] };
const missing: SinkCheck = { ok: false, reason: 'SecretMissing', message: 'create it' };

const away: SinkCheck = { ok: false, reason: 'SecretUnavailable', message: 'no answer', unavailable: true };

/** A StatusTracker whose checks have the results of `answer`, and all its writes. */
function rig(
  answer: (sinkName: string) => SinkCheck | Promise<SinkCheck> = () => ready,
  arePlansListed = true,
) {
  const clock = new ManualClock();
  const writes: NotificationStatus[] = [];
  const checks: string[] = [];
  const pending = new Set<StatusOwner>();
  /** As the writer does it, without its delays. */
  const write = (): void => {
    for (const owner of pending) {
      const status = owner.desired();
      if (status !== undefined && !isDeepStrictEqual(status, owner.observed.status)) writes.push(status);
    }
    pending.clear();
  };
  let matched = 1;
  let wait: SinkWait | undefined;
  let isListed = arePlansListed;
  let unserved: Cause | undefined;
  const undurable = new Map<string, Cause>();
  const statusTracker = new StatusTracker({
    clock,
    serverNow: () => clock.now(),
    log: pino({ level: 'silent' }),
    routes: { matched: () => matched, unmatched: () => 'no plan matches' },
    sinks: {
      check: ({ notification, sink: name }) => {
        checks.push(`${notification}/${name}`);
        return Promise.resolve(answer(name));
      },
      version: () => 'webhook/ops/7',
    },
    dispatcher: { waitOf: () => wait },
    journals: { problemIn: (namespace) => undurable.get(namespace) },
    isListed: () => isListed,
    unservedIn: () => unserved,
    statuses: {
      changed: (owner) => {
        if (pending.size === 0) setImmediate(write);
        pending.add(owner);
      },
      forget: (owner) => pending.delete(owner),
    },
    instance: 'hnotif',
    checksPerSecond: 10,
    recheckUnreadyMs: 30_000,
    recheckReadyMs: 600_000,
  });
  return {
    ...{ clock, statusTracker, writes, checks },
    /** `Ready` as it was written last. */
    condition: () => writes.at(-1)?.conditions?.[0],
    /** The first sink as it was written last. */
    row: () => writes.at(-1)?.sinks?.[0],
    match: (count: number) => (matched = count),
    listPlans: () => {
      isListed = true;
      statusTracker.changed(undefined);
    },
    /** Why no event is derived from now on. */
    serve: (why: Cause | undefined) => {
      unserved = why;
      statusTracker.changed(undefined);
    },
    /** Why the events of a namespace are not kept from now on. */
    keep: (namespace: string, why: Cause) => {
      undurable.set(namespace, why);
      statusTracker.changed(namespace);
    },
    /** What waits from now on. */
    waitOf: (now: SinkWait | undefined) => (wait = now),
  };
}

/** One that has checked a notification, and written it. */
async function served(...of: Parameters<typeof rig>): Promise<ReturnType<typeof rig>> {
  const setup = rig(...of);
  setup.statusTracker.set(night(), true);
  await settle();
  return setup;
}

describe('a notification’s state', () => {
  it('is written after a check, and checked again: sooner after a problem', async () => {
    const answers = [missing, ready];
    const { clock, checks, condition } = await served(() => answers.shift() ?? ready);
    expect(condition()).toMatchObject({ status: 'False', reason: 'SecretMissing' });
    await clock.advance(1_000);
    expect(checks).toHaveLength(2);
    expect(condition()).toMatchObject({ status: 'True' });
    await clock.advance(599_999);
    expect(checks).toHaveLength(2);
    await clock.advance(1);
    expect(checks).toHaveLength(3);
  });

  it('is suspended until its time, and checked then', async () => {
    const { clock, statusTracker, condition } = rig();
    statusTracker.set(night({ suspension: { until: clock.now() + 90_000, reason: 'migration' } }), true);
    await clock.advance(89_999);
    expect(condition()).toMatchObject({
      ...{ status: 'True', reason: 'Suspended' },
      message:
        'suspended until 2026-01-05T20:01:30Z (migration): new deliveries are dropped; the sink is ready',
    });
    await clock.advance(1);
    expect(condition()).toMatchObject({ status: 'True', reason: 'SinksReady' });
  });

  it('that is suspended, but whose secret is missing, is not ready', async () => {
    const { statusTracker, condition } = rig(() => missing);
    statusTracker.set(night({ suspension: { until: undefined, reason: '' } }), true);
    await settle();
    expect(condition()).toMatchObject({ status: 'False', reason: 'SecretMissing' });
  });

  it('is checked after 1, 2, 4… s while there is a problem, then every 30 s', async () => {
    const { clock, statusTracker, checks } = rig(() => missing);
    statusTracker.set(night(), true);
    const at: number[] = [];
    for (let second = 0; second < 100; second++) {
      const before = checks.length;
      await clock.advance(second === 0 ? 0 : 1_000);
      if (checks.length > before) at.push(second);
    }
    expect(at).toEqual([0, 1, 3, 7, 15, 31, 61, 91]);
  });

  it('does not begin with Ready before plans are listed', async () => {
    const first = await served(() => ready, false);
    expect(first.writes).toEqual([]);
    first.listPlans();
    await settle();
    expect(first.writes.map(({ conditions }) => conditions?.[0]?.status)).toEqual(['True']);

    const failing = await served(() => ready, false);
    failing.serve({ reason: 'PlansNotFollowed', message: 'forbidden' });
    await settle();
    expect(failing.writes.map(({ conditions }) => conditions?.[0]?.reason)).toEqual(['PlansNotFollowed']);
    failing.serve(undefined);
    failing.listPlans();
    await settle();
    expect(failing.condition()?.status).toBe('True');

    const wrong = await served(() => missing, false);
    expect(wrong.condition()?.reason).toBe('SecretMissing');
  });

  it('is confirmed once an hour, so that a reader sees that hnotif runs', async () => {
    const { clock, writes } = await served();
    expect(writes.at(-1)?.observedAt).toBe('2026-01-05T20:00:00Z');
    await clock.advance(3_599_000);
    expect(new Set(writes.map(({ observedAt }) => observedAt)).size).toBe(1);
    await clock.advance(601_000);
    expect(writes.at(-1)?.observedAt).toBe('2026-01-05T21:00:00Z');
  });

  it('never calls a generation ready that was not checked', async () => {
    let look: (check: SinkCheck) => void = () => undefined;
    const { statusTracker, writes, condition } = await served(
      () => new Promise((resolve) => (look = resolve)),
    );
    look(ready);
    await settle();
    statusTracker.set(night({ generation: 2, sinks: [sink('ops'), sink('audit')] }), true);
    await settle();
    expect(writes.at(-1)?.observedGeneration).toBe(1);
    expect(condition()?.observedGeneration).toBe(1);
    look(missing);
    await settle();
    look(ready);
    await settle();
    expect(writes.at(-1)?.observedGeneration).toBe(2);
    expect(condition()?.status).toBe('False');
  });

  it('is first written after its first check, which saves a write', async () => {
    let look: (check: SinkCheck) => void = () => undefined;
    const { statusTracker, writes, listPlans } = rig(() => new Promise((resolve) => (look = resolve)));
    statusTracker.set(night(), true);
    listPlans();
    await settle();
    expect(writes).toEqual([]);
    look(ready);
    await settle();
    expect(writes).toMatchObject([{ matched: 1, conditions: [{ type: 'Ready' }, { type: 'Durable' }] }]);
  });

  it('is written after a delivery also before the first check', async () => {
    const { statusTracker, writes } = rig(() => new Promise(() => undefined));
    statusTracker.set(night(), true);
    const to = { namespace: 'team-a', notification: 'night', sink: 'ops' };
    const { result, reason } = { result: 'failed' as const, reason: 'TooLong' };
    statusTracker.settled(aSettlement({ to, result, reason, message: 'shorten it' }));
    await settle();
    expect(writes).toMatchObject([{ sinks: [{ name: 'ops', reason: 'TooLong' }] }]);
  });

  it('keeps its number of matching plans until all plans are listed', async () => {
    const { statusTracker, writes, listPlans } = rig(undefined, false);
    const before = { type: 'Ready', status: 'True', reason: 'SinksReady', message: '' } as const;
    const conditions = [{ ...before, lastTransitionTime: '', observedGeneration: 1 }];
    statusTracker.set(night({ status: { matched: 7, conditions } }), false);
    await settle();
    expect(writes.at(-1)).toMatchObject({ matched: 7 });
    listPlans();
    await settle();
    expect(writes.at(-1)).toMatchObject({ matched: 1 });
  });

  it('says while the events of its namespace are not kept, and so do those of no other namespace', async () => {
    const { statusTracker, writes, keep } = await served();
    statusTracker.set(night({ namespace: 'team-b', uid: 'n2' }), true);
    await settle();
    writes.length = 0;
    keep('team-a', { reason: 'Forbidden', message: 'no' });
    await settle();
    const ofTeamA = [{ type: 'Ready' }, { type: 'Durable', status: 'False', reason: 'Forbidden' }];
    expect(writes).toMatchObject([{ conditions: ofTeamA }]);
    statusTracker.delete(night());
    statusTracker.set(night({ uid: 'n3' }), true);
    await settle();
    expect(writes).toMatchObject([{}, { conditions: ofTeamA }]);
  });

  it('is made once for many changes in one turn', async () => {
    const { statusTracker, writes, match } = await served();
    const before = writes.length;
    match(7);
    for (let change = 0; change < 1_000; change++) statusTracker.rematched('team-a', 'night');
    expect(writes).toHaveLength(before);
    await settle();
    expect(writes.slice(before).map((status) => status.matched)).toEqual([7]);
  });

  it('is checked in its turn, ten sinks a second; urgent checks are first, and close ends the waiting', async () => {
    const { clock, statusTracker, checks } = rig(() => missing);
    for (let index = 0; index < 1_500; index++)
      statusTracker.set(night({ name: `n${index}`, uid: `u${index}` }), false);
    await clock.advance(0);
    expect(checks).toHaveLength(20);
    await clock.advance(60_000);
    expect(checks).toHaveLength(620);
    statusTracker.set(night({ name: 'new', uid: 'new' }), true);
    await clock.advance(500);
    expect(checks).toContain('new/ops');
    // All of them come round, though more are due than there are turns.
    await clock.advance(100_000);
    expect(new Set(checks).size).toBe(1_501);
    statusTracker.close();
    expect(clock.timers).toBe(0);
  });

  it('does not change while the API server is away, also after a restart, and is checked again soon', async () => {
    const first = await served();
    const answers: SinkCheck[] = [away];
    const again = rig(() => answers.shift() ?? ready);
    again.statusTracker.set(night({ status: first.writes.at(-1) ?? {} }), false);
    await settle();
    expect(again.checks).toHaveLength(1);
    again.match(7);
    again.listPlans();
    await settle();
    expect(again.writes.at(-1)).toEqual({ ...first.writes.at(-1), matched: 7 });
    answers.push(missing, away);
    await again.clock.advance(30_000);
    expect(again.condition()).toMatchObject({ status: 'False', reason: 'SecretMissing' });
    await again.clock.advance(1_000);
    expect(again.condition()).toMatchObject({ status: 'False', reason: 'SecretMissing' });
    await again.clock.advance(30_000);
    expect(again.condition()).toMatchObject({ status: 'True', reason: 'SinksReady' });
  });

  it('shows that the API server is away if it was never checked, or if another sink has a problem', async () => {
    const fresh = await served(() => away);
    expect(fresh.condition()).toMatchObject({
      status: 'False',
      reason: 'SecretUnavailable',
    });
    const both = night({ sinks: [sink('ops'), sink('audit')] });
    const before = rig();
    before.statusTracker.set(both, true);
    await settle();
    const { statusTracker, condition } = rig((name) => (name === 'ops' ? away : missing));
    statusTracker.set({ ...both, status: before.writes.at(-1) ?? {} }, false);
    await settle();
    expect(condition()).toMatchObject({
      status: 'False',
      reason: 'SinksNotReady',
      message: '2 of 2 sinks are not ready: sink ops: no answer; sink audit: create it',
    });
  });

  it('is not written when the object has it already, as after a restart', async () => {
    const first = await served();
    const again = rig();
    again.statusTracker.set(night({ status: first.writes.at(-1) ?? {} }), false);
    await settle();
    expect(again.writes).toEqual([]);
  });

  it('forgets a removed sink: a new one of the same name begins at 0', async () => {
    const { statusTracker, writes } = rig();
    statusTracker.set(night(), true);
    const failed = aSettlement({
      to: { namespace: 'team-a', notification: 'night', sink: 'ops' },
      result: 'failed',
      reason: 'NotFound',
      message: 'look at url',
    });
    statusTracker.settled(failed);
    await settle();
    expect(writes.at(-1)?.sinks).toMatchObject([{ name: 'ops', consecutiveFailures: 1 }]);
    statusTracker.set(night({ generation: 2, sinks: [sink('other')] }), true);
    statusTracker.settled(failed);
    statusTracker.set(night({ generation: 3 }), true);
    await settle();
    expect(writes.at(-1)?.sinks).toEqual([{ name: 'ops', consecutiveFailures: 0 }]);
  });

  it('survives a check that throws', async () => {
    const { clock, statusTracker, checks } = rig(() => {
      throw new Error('boom');
    });
    statusTracker.set(night(), true);
    await settle();
    statusTracker.set(night({ name: 'other', uid: 'n2' }), true);
    await settle();
    expect(checks).toEqual(['night/ops', 'other/ops']);
    statusTracker.close();
    expect(clock.timers).toBe(0);
  });
});

describe('messages that arrive otherwise than wished for', () => {
  const to = { namespace: 'team-a', notification: 'night', sink: 'ops' };
  const degradation = { reason: 'TemplateExecutionFailed', message: 'template t/key, line 3: no' } as const;
  const delivered = (kind: EventKind, isDegraded: boolean): Settlement =>
    aSettlement({
      to,
      event: anEvent(kind, 1),
      result: 'delivered',
      isDegraded,
    });

  async function degraded() {
    const setup = await served();
    setup.statusTracker.degraded(to, 'Failure', degradation);
    setup.statusTracker.settled(delivered('Failure', true));
    await settle();
    return setup;
  }

  it('are shown in the condition, which stays true', async () => {
    const { condition } = await degraded();
    expect(condition()).toMatchObject({
      status: 'True',
      reason: 'MessagesDegraded',
      message: 'the sink is ready; sink ops: template t/key, line 3: no; plain text was sent instead',
      observedGeneration: 1,
    });
  });

  it('are shown until a message of the same kind arrives without a degradation', async () => {
    const { statusTracker, condition } = await degraded();
    statusTracker.settled(delivered('Start', false));
    await settle();
    expect(condition()?.reason).toBe('MessagesDegraded');
    statusTracker.settled(delivered('Failure', false));
    await settle();
    expect(condition()?.reason).toBe('SinksReady');
  });

  it('are forgotten when the template or the notification changes', async () => {
    const { statusTracker, condition } = await degraded();
    statusTracker.renewed(to);
    await settle();
    expect(condition()?.reason).toBe('SinksReady');
    statusTracker.degraded(to, 'Failure', degradation);
    statusTracker.set(night({ generation: 2 }), true);
    await settle();
    expect(condition()?.reason).toBe('SinksReady');
  });

  it('make the next check earlier', async () => {
    const { clock, checks } = await degraded();
    expect(checks).toHaveLength(1);
    await clock.advance(30_000);
    expect(checks).toHaveLength(2);
  });

  it('of a sink that is not listed are not shown', async () => {
    const { statusTracker, condition } = await degraded();
    statusTracker.degraded({ ...to, sink: 'gone' }, 'Start', degradation);
    await settle();
    expect(condition()?.message).not.toContain('gone');
  });

  it('are shown once when a check has found the same', async () => {
    const { statusTracker, condition } = await served(() => ({
      ok: true,
      notes: ['a note'],
      faults: [degradation],
    }));
    expect(condition()?.message).toContain('no; plain text will be sent instead');
    statusTracker.degraded(to, 'Start', { ...degradation, message: 'the same in other words' });
    await settle();
    expect(condition()?.message).toBe(
      'the sink is ready; sink ops: template t/key, line 3: no; plain text was sent instead; sink ops: a note',
    );
  });
});

describe('a sink whose deliveries fail', () => {
  const to = { namespace: 'team-a', notification: 'night', sink: 'ops' };
  const ended = (result: 'delivered' | 'failed'): Settlement =>
    aSettlement({
      to,
      event: anEvent('Start', 1),
      result,
      reason: result === 'failed' ? 'InvalidToken' : '',
      message: result === 'failed' ? 'make a new token (secret ops)' : '',
      isDegraded: false,
    });

  const failure = (kind: FailedSend['kind']): FailedSend => {
    const since = Date.UTC(2026, 0, 5, 20);
    return {
      ...{ kind, begun: true, reason: 'InvalidToken', message: 'make a new token (secret ops)' },
      ...{ since, nextAt: since + 30_000, waiting: 7, lasting: kind === 'quarantined' },
    };
  };

  async function after(...settlements: Settlement[]) {
    const setup = await served();
    for (const settlement of settlements) setup.statusTracker.settled(settlement);
    await settle();
    return setup;
  }

  it('says why deliveries wait while they wait; a lasting wait is not ready', async () => {
    const { clock, statusTracker, writes, waitOf, condition } = await served();
    const pause: SinkWait = {
      ...{ kind: 'paused', reason: 'TooManyRequests', message: 'HTTP 429; send less' },
      ...{ since: clock.now(), nextAt: clock.now() + 900_000, waiting: 9, lasting: false },
    };
    waitOf(pause);
    statusTracker.waits(to);
    await settle();
    expect(writes.at(-1)).toMatchObject({ waiting: 9, sinks: [{ state: 'Paused', waiting: 9 }] });
    expect(condition()).toMatchObject({ status: 'True', reason: 'Throttled' });
    waitOf({ ...pause, kind: 'parked', lasting: true });
    statusTracker.waits(to);
    await settle();
    expect(condition()).toMatchObject({ status: 'False', reason: 'TooManyRequests' });
    expect(statusTracker.notReady).toBe(1);
    waitOf(undefined);
    statusTracker.waits(to);
    await settle();
    expect(condition()).toMatchObject({ status: 'True', reason: 'SinksReady' });
    expect(writes.at(-1)).toMatchObject({ waiting: 0 });
  });

  it('that is parked for long stays not ready after a restart, until a message arrives', async () => {
    const first = await after();
    first.waitOf({ ...failure('parked'), lasting: true });
    first.statusTracker.sendFailed(to, failure('parked'));
    await settle();
    const status = first.writes.at(-1);
    expect(status?.conditions?.[0]?.status).toBe('False');
    const { statusTracker, writes, condition } = rig();
    statusTracker.set(night({ status }), false);
    await settle();
    statusTracker.sendFailed(to, failure('parked'));
    await settle();
    expect(new Set(writes.map(({ conditions }) => conditions?.[0]?.status))).toEqual(new Set(['False']));
    statusTracker.settled(ended('delivered'));
    await settle();
    expect(condition()?.status).toBe('True');
  });

  it('is False for all notifications while no event can be derived', async () => {
    const { serve, condition } = await served();
    serve({ reason: 'PlansNotFollowed', message: 'plans are not served' });
    await settle();
    expect(condition()).toMatchObject({ status: 'False', reason: 'PlansNotFollowed' });
    serve(undefined);
    await settle();
    expect(condition()).toMatchObject({ status: 'True', reason: 'SinksReady' });
  });

  it('for good is not ready, though its configuration is valid, until a message arrives', async () => {
    const { statusTracker, condition } = await after();
    statusTracker.sendFailed(to, failure('quarantined'));
    await settle();
    expect(condition()).toMatchObject({
      status: 'False',
      reason: 'InvalidToken',
      message: 'sink ops: make a new token (secret ops)',
    });
    statusTracker.settled(ended('delivered'));
    await settle();
    expect(condition()).toMatchObject({ status: 'True', reason: 'SinksReady' });
  });

  it('because its secret is missing has the reason in its row, also after a restart, until the secret exists', async () => {
    const first = await served(() => missing);
    const status = first.writes.at(-1);
    expect(status?.sinks).toEqual([
      { name: 'ops', consecutiveFailures: 0, reason: 'SecretMissing', message: 'create it' },
    ]);
    const answers: SinkCheck[] = [away, missing, ready];
    const again = rig(() => answers.shift() ?? ready);
    again.statusTracker.set(night({ status }), false);
    await settle();
    await again.clock.advance(30_000);
    expect(again.checks).toHaveLength(2);
    expect(again.writes.filter(({ sinks }) => sinks?.[0]?.reason !== 'SecretMissing')).toEqual([]);
    await again.clock.advance(30_000);
    expect(again.writes.at(-1)?.sinks).toEqual([{ name: 'ops', consecutiveFailures: 0 }]);
  });

  it('for good stays not ready after a restart, until its configuration changes', async () => {
    const { statusTracker, writes } = await after();
    statusTracker.sendFailed(to, failure('quarantined'));
    await settle();
    const status = writes.at(-1);
    expect(status?.sinks).toMatchObject([{ refused: 'webhook/ops/7', consecutiveFailures: 1 }]);
    const again = rig();
    again.statusTracker.set(night({ status }), false);
    await settle();
    expect(again.checks).toHaveLength(1);
    expect(again.writes).toEqual([]);
    await again.clock.advance(30_000);
    again.statusTracker.renewed(to);
    await settle();
    expect(again.writes.at(-1)).toMatchObject({ conditions: [{ status: 'True' }, {}] });
    expect(again.row()).not.toHaveProperty('refused');
    const other = rig();
    other.statusTracker.set(night({ status }), false);
    other.statusTracker.set(night({ status, generation: 2, onEvents: ['Start'] }), false);
    await settle();
    expect(other.writes.at(-1)).toMatchObject({ conditions: [{ status: 'False' }, {}] });
    const secretRef = { name: 'other' };
    other.statusTracker.set(night({ status, generation: 3, sinks: [{ ...sink('ops'), secretRef }] }), false);
    await settle();
    expect(other.writes.at(-1)).toMatchObject({ conditions: [{ status: 'True' }, {}] });
  });

  it('for good is judged again when its configuration changes; it is checked at once and often', async () => {
    const { clock, statusTracker, condition, checks } = await after();
    expect(checks).toHaveLength(1);
    statusTracker.sendFailed(to, failure('quarantined'));
    await settle();
    expect(checks).toHaveLength(2);
    statusTracker.sendFailed(to, { ...failure('quarantined'), begun: false });
    await settle();
    expect(checks).toHaveLength(2);
    await clock.advance(30_000);
    expect(checks).toHaveLength(3);
    expect(condition()?.status).toBe('False');
    statusTracker.renewed(to);
    await settle();
    expect(condition()).toMatchObject({ status: 'True', reason: 'SinksReady' });
  });

  it('for a minute, each message for good, is not ready; refused messages are counted', async () => {
    const { clock, statusTracker, condition, row } = await after(ended('failed'));
    expect(condition()).toMatchObject({ status: 'True', reason: 'DeliveriesFailing' });
    await clock.advance(60_000);
    statusTracker.settled(ended('failed'));
    await settle();
    expect(condition()).toMatchObject({ status: 'False', reason: 'InvalidToken' });
    expect(row()?.dropped).toMatchObject([{ reason: 'InvalidToken', count: 2 }]);
    statusTracker.settled(ended('delivered'));
    await settle();
    expect(condition()?.status).toBe('True');
  });

  it('has a new minute when the sink’s entry changes', async () => {
    const { clock, statusTracker, condition } = await after(ended('failed'));
    await clock.advance(60_000);
    const other = { ...sink('ops'), secretRef: { name: 'other' } };
    statusTracker.set(night({ generation: 2, sinks: [other] }), true);
    await settle();
    statusTracker.settled(ended('failed'));
    await settle();
    expect(condition()).toMatchObject({ status: 'True', reason: 'DeliveriesFailing' });
    await clock.advance(60_000);
    statusTracker.settled(ended('failed'));
    await settle();
    expect(condition()).toMatchObject({ status: 'False', reason: 'InvalidToken' });
  });

  it('is checked within a second when it begins to fail, and at once when its configuration changes', async () => {
    const { clock, statusTracker, checks } = await after();
    expect(checks).toHaveLength(1);
    statusTracker.sendFailed(to, failure('parked'));
    await clock.advance(1_000);
    expect(checks).toHaveLength(2);
    statusTracker.renewed(to);
    await settle();
    expect(checks).toHaveLength(3);
  });

  it('for now stays ready, and the condition says why', async () => {
    const { condition } = await after(ended('failed'));
    expect(condition()).toMatchObject({ status: 'True', reason: 'DeliveriesFailing' });
  });

  it('while it is parked shows in its row how many deliveries wait, since when and until when, and the losses', async () => {
    const { statusTracker, condition, waitOf, row } = await after();
    waitOf(failure('parked'));
    statusTracker.sendFailed(to, failure('parked'));
    await settle();
    expect(condition()).toMatchObject({
      status: 'True',
      reason: 'DeliveriesFailing',
      message:
        'sink ops: 7 deliveries wait since 2026-01-05T20:00:00Z; the next try is due at 2026-01-05T20:00:30Z; make a new token (secret ops)',
    });
    expect(row()).toMatchObject({
      ...{ reason: 'InvalidToken', consecutiveFailures: 1, message: 'make a new token (secret ops)' },
      ...{
        state: 'Parked',
        waiting: 7,
        waitingSince: '2026-01-05T20:00:00Z',
        nextTry: '2026-01-05T20:00:30Z',
      },
    });
    expect(row()?.lastFailure).toBe('2026-01-05T20:00:00.000Z');
    const dropped = { ...ended('failed'), result: 'dropped' as const, message: '' };
    for (const reason of ['expired', 'overflow', 'expired', 'unsubscribed'])
      statusTracker.settled({ ...dropped, reason });
    await settle();
    const lost = [
      { reason: 'expired', count: 2, last: '2026-01-05T20:00:00.000Z' },
      { reason: 'overflow', count: 1, last: '2026-01-05T20:00:00.000Z' },
    ];
    expect(row()?.dropped).toEqual(lost);
    waitOf({ ...failure('held'), waiting: 1 });
    statusTracker.sendFailed(to, { ...failure('held'), waiting: 1 });
    await settle();
    expect(row()).toMatchObject({ state: 'Held', waiting: 1, dropped: lost });
    waitOf(undefined);
    statusTracker.settled(ended('delivered'));
    await settle();
    expect(row()).toEqual({
      ...{ name: 'ops', consecutiveFailures: 0 },
      ...{ lastFailure: '2026-01-05T20:00:00.000Z', lastSuccess: '2026-01-05T20:00:00Z' },
    });
  });

  it('that an earlier process parked stays so in each later one until it is sent to', async () => {
    const earlier = await after();
    earlier.waitOf({ ...failure('parked'), lasting: true });
    earlier.statusTracker.sendFailed(to, { ...failure('parked'), lasting: true });
    await settle();
    let status = earlier.writes.at(-1);
    for (const wait of [
      undefined,
      { ...failure('parked'), kind: 'late' as const, message: 'not sent yet' },
    ]) {
      // In the first process plans are not listed yet, so it is not known what waits.
      const again = rig(() => ready, wait !== undefined);
      again.waitOf(wait);
      again.statusTracker.set(night({ status: status ?? {} }), true);
      await again.clock.advance(3_600_000);
      expect(again.condition()).toMatchObject({ status: 'False', reason: 'InvalidToken' });
      expect(again.row()).toMatchObject({ reason: 'InvalidToken', state: 'Parked' });
      expect(again.row()?.waiting).toBe(wait?.waiting);
      status = again.writes.at(-1);
    }
  });

  describe('that an earlier process parked', () => {
    const parkedStatus = async () => {
      const earlier = await after();
      earlier.waitOf({ ...failure('parked'), lasting: true });
      earlier.statusTracker.sendFailed(to, { ...failure('parked'), lasting: true });
      await settle();
      return earlier.writes.at(-1)!;
    };
    it('is not parked when all that waited has expired', async () => {
      const again = rig();
      again.waitOf({ ...failure('parked'), kind: 'late' as const, message: 'not sent yet' });
      again.statusTracker.set(night({ status: await parkedStatus() }), true);
      await settle();
      again.waitOf(undefined);
      again.statusTracker.settled({ ...ended('failed'), result: 'dropped', reason: 'expired', message: '' });
      await again.clock.advance(3_600_000);
      expect(again.row()?.state).toBeUndefined();
    });
    it('because its secret was missing is ready after two restarts, if the secret exists and nothing waits', async () => {
      const first = await served(() => missing);
      const missed = { ...failure('parked'), reason: 'SecretMissing', message: 'create it' };
      first.waitOf(missed);
      first.statusTracker.sendFailed(to, missed);
      await settle();
      let status = first.writes.at(-1)!;
      expect(first.row()?.state).toBe('Parked');
      for (let n = 0; n < 2; n++) {
        // The secret exists, and what waited has expired meanwhile.
        const again = rig(() => ready);
        again.statusTracker.set(night({ status }), true);
        await again.clock.advance(3_600_000);
        status = again.writes.at(-1) ?? status;
      }
      expect(status.conditions?.[0]).toMatchObject({ status: 'True', reason: 'SinksReady' });
    });
    it('is shown as paused when its receiver answers again and asks for a pause', async () => {
      const again = rig();
      again.statusTracker.set(night({ status: await parkedStatus() }), true);
      await settle();
      again.waitOf({
        ...failure('parked'),
        kind: 'paused' as const,
        reason: 'Throttled',
        message: 'asks to wait',
      });
      again.statusTracker.waits(to);
      await again.clock.advance(1_000);
      expect(again.row()?.state).toBe('Paused');
    });
  });

  it('shows no wait after the last waiting delivery has ended, but the failure and the losses', async () => {
    const { statusTracker, waitOf, row } = await after();
    waitOf(failure('parked'));
    statusTracker.sendFailed(to, failure('parked'));
    await settle();
    waitOf(undefined);
    statusTracker.settled({ ...ended('failed'), result: 'dropped', reason: 'expired', message: '' });
    await settle();
    expect(row()).toMatchObject({
      ...{ reason: 'InvalidToken', consecutiveFailures: 1 },
      ...{
        message: 'make a new token (secret ops)',
        dropped: [{ reason: 'expired', count: 1, last: '2026-01-05T20:00:00.000Z' }],
      },
    });
    expect(row()).not.toHaveProperty('state');
  });

  it('shows how deliveries ended in an earlier process, unless it is shown already or a message arrived later', async () => {
    const earlier = await after(ended('delivered'));
    const { clock, statusTracker, writes, condition } = rig();
    statusTracker.set(night({ status: earlier.writes.at(-1)! }), true);
    await clock.advance(1_000);
    const before: OutcomeLine = {
      ...{ stream: 'night/ops', event: 'Start', seq: 1, at: '2026-01-05T20:00:05.300Z' },
      ...{ result: 'failed', reason: 'TooLong', count: 1 },
    };
    const message = 'a Start ended like this in an earlier process, which was killed; its log may say more';
    expect(statusTracker.endedBefore(to, { ...before, at: '2026-01-05T19:00:00Z' })).toBeUndefined();
    expect(statusTracker.endedBefore(to, before)).toMatchObject({ reason: 'TooLong', message });
    const dropped: OutcomeLine = { ...before, result: 'dropped', reason: 'expired' };
    // Of two plans, in the same second: the later one is found first.
    for (const at of ['2026-01-05T20:00:05.900Z', '2026-01-05T20:00:05.100Z'])
      expect(statusTracker.endedBefore(to, { ...dropped, at, count: 20 })).toMatchObject({ count: 20 });
    for (const quiet of [{ result: 'delivered' }, { result: 'dropped', reason: 'unsubscribed' }] as const)
      expect(statusTracker.endedBefore(to, { ...before, ...quiet })).toBeUndefined();
    await clock.advance(1_000);
    expect(writes.at(-1)?.sinks).toEqual([
      {
        ...{ name: 'ops', consecutiveFailures: 1, reason: 'TooLong', message },
        ...{ lastSuccess: '2026-01-05T20:00:00Z', lastFailure: '2026-01-05T20:00:05.300Z' },
        dropped: [{ reason: 'expired', count: 40, last: '2026-01-05T20:00:05.900Z' }],
      },
    ]);
    expect(condition()).toMatchObject({ status: 'True', reason: 'DeliveriesFailing' });
    expect(statusTracker.endedBefore({ ...to, sink: 'gone' }, before)).toBeUndefined();
  });

  it('counts the losses of the last sixteen reasons, as many as a status may have', async () => {
    const { statusTracker, row } = await after();
    for (let reason = 0; reason < 20; reason++)
      statusTracker.settled({ ...ended('failed'), reason: `Reason${reason}`, message: 'no' });
    statusTracker.settled({ ...ended('failed'), reason: 'Reason5', message: 'no' });
    await settle();
    const told = row()?.dropped?.map(({ reason, count }) => `${reason} ${count}`);
    expect(told).toHaveLength(16);
    expect(told?.slice(0, 2)).toEqual(['Reason4 1', 'Reason5 2']);
  });

  it('shows drops also without a failure', async () => {
    const { statusTracker, writes } = await after();
    statusTracker.settled({ ...ended('failed'), result: 'dropped', reason: 'overflow', message: 'no room' });
    await settle();
    expect(writes.at(-1)?.sinks).toEqual([
      {
        ...{ name: 'ops', consecutiveFailures: 0, reason: 'overflow' },
        dropped: [{ reason: 'overflow', count: 1, last: '2026-01-05T20:00:00.000Z' }],
      },
    ]);
  });

  it('after an unclear answer shows a possible duplicate until the sink changes', async () => {
    const { statusTracker, condition } = await after();
    statusTracker.degraded(to, 'Start', { reason: 'HistoryUnreadable', message: 'no scope' });
    statusTracker.degraded(to, 'Start', { reason: 'RootNotUpdated', message: 'no card' });
    statusTracker.settled(ended('delivered'));
    await settle();
    expect(condition()?.message).toBe('the sink is ready; sink ops: no scope');
    statusTracker.renewed(to);
    await settle();
    expect(condition()?.reason).toBe('SinksReady');
  });
});
