import { describe, expect, it } from 'vitest';
import type { Outcome } from '@hnotif/core/sinks';
import { anEvent } from '../../../core/src/testing/events.ts';
import { settle } from '../../../core/src/testing/clock.ts';
import { aPlan } from '../../../core/src/testing/plans.ts';
import { addressOf, delivered, down, hang, pause, rig } from './testing/rig.ts';

const slow = { key: 'webhook:s', perSecond: 1, burst: 1 };

describe('a sink behind its own rate limit', () => {
  it('is reported with the number of waiting deliveries and an estimated time, and again when none waits', async () => {
    const { clock, dispatcher, submit, waits } = rig(() => delivered, { sink: { rates: [slow] } });
    for (let seq = 0; seq < 21; seq++) submit(anEvent('Start', seq, { planUid: `p${seq % 3}` }));
    const began = clock.now();
    await clock.advance(6_000);
    expect(waits).toEqual(['s behind RateLimited 15']);
    expect(dispatcher.waitOf(addressOf('s'))).toMatchObject({
      since: began,
      nextAt: began + 20_000,
      lasting: false,
    });
    expect(dispatcher.waitOf(addressOf('s'))?.message).toMatch(/about 1 a second.*coalesce_progress/);
    expect(dispatcher.stats().inFlight).toBe(0);
    await clock.advance(20_000);
    expect(waits.at(-1)).toBe('s flows');
    expect(clock.timers).toBe(0);
  });

  it('that shares its credential with another namespace has its part of the rate in the estimate', async () => {
    const { clock, dispatcher, submit } = rig(() => delivered, { sink: { rates: [slow] } });
    for (const namespace of ['team-a', 'team-b'])
      for (let seq = 0; seq < 20; seq++) submit(anEvent('Start', seq), 's', { namespace });
    await clock.advance(6_000);
    const { waiting = 0, nextAt = 0, message } = dispatcher.waitOf(addressOf('s')) ?? {};
    expect(nextAt - clock.now()).toBe(waiting * 2_000);
    expect(message).toContain(
      'with other namespaces, whose messages wait, too. That gives it about 30 a minute',
    );
    expect(message).not.toContain('raise rate_limit');
  });

  it('tries at once when its configuration changes, and does not wait for a token of the old one', async () => {
    let rates = [{ ...slow, perSecond: 1 / 60 }];
    const { clock, dispatcher, submit, requests, results } = rig(() => delivered, {
      sink: {
        get rates() {
          return rates;
        },
      },
    });
    for (const seq of [1, 2]) submit(anEvent('Start', seq));
    await clock.advance(10_000);
    expect(requests).toHaveLength(1);
    rates = [{ key: 'webhook:other', perSecond: 1 / 60, burst: 1 }];
    dispatcher.configurationChanged(addressOf('s'));
    await clock.advance(0);
    expect(results()).toEqual(['1 delivered', '2 delivered']);
  });
});

describe('a sink whose event is stored late', () => {
  it('is reported when it waits after that', async () => {
    const { clock, dispatcher, waits } = rig(() => pause(600_000));
    const log = dispatcher.open({ current: aPlan({ namespace: 'team-a', uid: 'p' }) });
    const name = { notification: 'n', sink: 's', type: 'webhook' } as const;
    const by = { acceptedAt: clock.now(), since: clock.monotonic(), restored: false };
    dispatcher.append(log, [{ event: anEvent('Start', 1), to: [name] }], by);
    await clock.advance(5_000);
    dispatcher.release(log, log.newest?.at ?? 0);
    await clock.advance(5_000);
    expect(waits).toEqual(['s paused TooManyRequests 1']);
    dispatcher.abort();
    expect(clock.timers).toBe(0);
  });
});

describe('a changed configuration', () => {
  it('ends a pause, and the wait of a held delivery', async () => {
    const answers = [pause(600_000)];
    const { dispatcher, clock, submit, results } = rig(() => answers.shift() ?? delivered);
    submit(anEvent('Start', 1));
    await clock.advance(10_000);
    expect(results()).toEqual([]);
    dispatcher.configurationChanged(addressOf('s'));
    await clock.advance(0);
    expect(results()).toEqual(['1 delivered']);

    let isDown = true;
    const other = rig(({ event }) => (isDown && event.planUid === 'bad' ? down : delivered), {
      limits: { retries: 1, backoffMinMs: 500, backoffMaxMs: 500 },
    });
    other.submit(anEvent('Start', 1, { planUid: 'bad' }));
    for (let seq = 1; seq < 4; seq++) other.submit(anEvent('Start', seq, { planUid: 'good' }));
    await other.clock.advance(1_000);
    expect(other.dispatcher.waitOf(addressOf('s'))).toMatchObject({ kind: 'held', waiting: 1 });
    isDown = false;
    other.dispatcher.configurationChanged(addressOf('s'));
    await other.clock.advance(0);
    expect(other.results()).toHaveLength(4);
  });
});

describe('a receiver that hangs', () => {
  it('is reported within seconds, with the result of the last attempt, and as lasting after a minute without an arrival', async () => {
    let hangs = true;
    const { clock, dispatcher, submit, waits } = rig((delivery, attempt) =>
      hangs ? hang(delivery, attempt) : down,
    );
    submit(anEvent('Start', 1));
    await clock.advance(6_000);
    expect(waits).toEqual(['s late ReceiverSlow 1']);
    hangs = false;
    dispatcher.abort();

    const failing = rig(() => down, { limits: { backoffMinMs: 6_000, backoffMaxMs: 6_000 } });
    failing.submit(anEvent('Start', 1));
    await failing.clock.advance(6_000);
    expect(failing.waits).toEqual(['s late ServerError 1']);
    expect(failing.dispatcher.waitOf(addressOf('s'))?.message).toBe('HTTP 500');
    await failing.clock.advance(14_000);
    expect(failing.dispatcher.waitOf(addressOf('s'))).toMatchObject({ kind: 'parked', lasting: false });
    await failing.clock.advance(60_000);
    expect(failing.dispatcher.waitOf(addressOf('s'))).toMatchObject({ kind: 'parked', lasting: true });
    expect(failing.waits.filter((told) => !told.endsWith('still'))).toEqual([
      's late ServerError 1',
      's parked ServerError 1',
    ]);
  });

  it('is catching up while messages arrive, whatever the age of the waiting ones', async () => {
    const open: (() => void)[] = [];
    const { clock, submit, waits } = rig(
      () => new Promise<Outcome>((resolve) => open.push(() => resolve(delivered))),
    );
    for (let seq = 0; seq < 9; seq++) submit(anEvent('Start', seq));
    for (let second = 0; second < 8; second++) {
      await clock.advance(1_000);
      open.shift()?.();
      await settle();
    }
    expect(waits).toEqual(['s late CatchingUp 4']);
  });

  it('is not reported if messages arrive within a moment', async () => {
    const { clock, submit, waits } = rig(() => delivered);
    for (let round = 0; round < 10; round++) {
      submit(anEvent('Start', round));
      await clock.advance(1_000);
    }
    expect(waits).toEqual([]);
    expect(clock.timers).toBe(0);
  });
});

describe('progress that newer progress of its target supersedes', () => {
  const progress = (seq: number, name: string, more = {}) =>
    anEvent('ExecutionProgress', seq, {
      targetExecution: { name, executor: 'x', state: `s${seq}`, message: '' },
      ...more,
    });

  it('is left out by a sink with that option, takes no token, and is counted as suppressed', async () => {
    const { clock, submit, results, requests } = rig(() => delivered, {
      sink: { rates: [slow], coalescesProgress: true },
    });
    submit(anEvent('Start', 1));
    for (const [seq, name] of ['db', 'web', 'db', 'db', 'web'].entries()) submit(progress(seq + 2, name));
    submit(anEvent('Success', 9));
    await clock.advance(3_000);
    expect(results()).toEqual([
      '1 delivered',
      '2 suppressed',
      '3 suppressed',
      '4 suppressed',
      '5 delivered',
      '6 delivered',
      '9 delivered',
    ]);
    expect(requests).toHaveLength(4);
  });

  it('is not counted as waiting', async () => {
    const { clock, dispatcher, submit, waits, settled } = rig(() => delivered, {
      sink: { rates: [slow], coalescesProgress: true },
    });
    for (let plan = 0; plan < 10; plan++) {
      const planUid = `p${plan}`;
      submit(anEvent('Start', 1, { planUid }));
      for (let seq = 2; seq < 42; seq++) submit(progress(seq, `db${seq % 2}`, { planUid }));
      submit(anEvent('Success', 42, { planUid }));
    }
    const began = clock.now();
    await clock.advance(6_000);
    // Four deliveries of each plan are sent. Seven have arrived by now, and three plans have not begun.
    expect(settled.filter(({ result }) => result === 'delivered')).toHaveLength(7);
    expect(waits).toEqual(['s behind RateLimited 34']);
    expect(dispatcher.waitOf(addressOf('s'))).toMatchObject({ waiting: 33, nextAt: began + 39_000 });
    await clock.advance(33_000);
    expect(settled.filter(({ result }) => result === 'delivered')).toHaveLength(40);
  });

  it('is counted by a sink without that option', async () => {
    const { clock, submit, waits } = rig(() => delivered, { sink: { rates: [slow] } });
    for (let seq = 0; seq < 20; seq++) submit(progress(seq, 'db'));
    await clock.advance(6_000);
    expect(waits).toEqual(['s behind RateLimited 14']);
  });

  it('is counted if too many deliveries wait to search them: the number is then a maximum', async () => {
    const { clock, dispatcher, submit } = rig(hang, { sink: { coalescesProgress: true } });
    for (let seq = 0; seq < 1_000; seq++) {
      for (let plan = 0; plan < 9; plan++) submit(progress(seq, 'db', { planUid: `p${plan}` }));
      if (seq === 0) await clock.advance(0);
    }
    await clock.advance(6_000);
    // Of each plan one is being sent, and the newest is to be.
    expect(dispatcher.waitOf(addressOf('s'))).toMatchObject({ reason: 'ReceiverSlow', waiting: 18 });
    expect(dispatcher.waitOf(addressOf('s'))?.atMost).toBeUndefined();
    dispatcher.abort();

    const many = rig(hang, { sink: { coalescesProgress: true } });
    for (let seq = 0; seq < 1_000; seq++) {
      for (let plan = 0; plan < 11; plan++) many.submit(progress(seq, 'db', { planUid: `p${plan}` }));
      if (seq === 0) await many.clock.advance(0);
    }
    await many.clock.advance(6_000);
    expect(many.dispatcher.waitOf(addressOf('s'))).toMatchObject({ waiting: 11_000, atMost: true });
    many.dispatcher.abort();
  });

  it('is sent if another event is between the two, and by a sink without that option', async () => {
    const { clock, submit, results } = rig(() => delivered, { sink: { coalescesProgress: true } });
    submit(progress(1, 'db'));
    submit(anEvent('Recovery', 2));
    submit(progress(3, 'db'));
    await clock.advance(1_000);
    expect(results()).toEqual(['1 delivered', '2 delivered', '3 delivered']);

    const other = rig(() => delivered);
    for (const seq of [1, 2]) other.submit(progress(seq, 'db'));
    await settle();
    expect(other.results()).toEqual(['1 delivered', '2 delivered']);
  });
});
