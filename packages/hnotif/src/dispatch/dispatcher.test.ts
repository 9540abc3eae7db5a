import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Outcome } from '@hnotif/core/sinks';
import { ABORTED } from '../../../core/src/sinks/sink.ts';
import { settle } from '../../../core/src/testing/clock.ts';
import { anEvent, progress } from '../../../core/src/testing/events.ts';
import { aPlan } from '../../../core/src/testing/plans.ts';
import { aReadySink } from '../../../core/src/testing/sinks.ts';
import { addressOf, delivered, down, hang, pause, ready, rig } from './testing/rig.ts';

describe('a released event', () => {
  it('makes no request in the caller’s turn', async () => {
    const { submit, requests } = rig(() => delivered);
    submit(anEvent('Start', 1));
    expect(requests).toEqual([]);
    await settle();
    expect(requests).toEqual(['s/uid-1/1']);
  });
});

describe('the reported delay of a delivery', () => {
  it('includes waits and retries, and the wait in an earlier process', async () => {
    const answers = [down, delivered, delivered];
    const { clock, submit, settled } = rig(() => answers.shift() ?? delivered);
    const began = clock.monotonic();
    submit(anEvent('Start', 1), 's', { acceptedAt: clock.now() - 3_600_000, restored: true });
    let arrived = 0;
    while (settled.length === 0) {
      await clock.advance(100);
      arrived = clock.monotonic() - began;
    }
    const [{ delayMs = 0 } = {}] = settled;
    expect(arrived).toBeGreaterThanOrEqual(500);
    expect(delayMs).toBeGreaterThan(3_600_000 + arrived - 100);
    expect(delayMs).toBeLessThanOrEqual(3_600_000 + arrived);
  });
});

describe('a stream', () => {
  it('sends one delivery at a time in order, and the next one only after all retries', async () => {
    const answers = [down, delivered, delivered];
    const { clock, submit, requests, results } = rig(() => answers.shift() ?? delivered);
    submit(anEvent('Start', 1));
    submit(anEvent('Success', 2));
    await clock.advance(10_000);
    expect(requests).toEqual(['s/uid-1/1', 's/uid-1/1', 's/uid-1/2']);
    expect(results()).toEqual(['1 delivered', '2 delivered']);
  });

  it('continues with the next message after a refusal, and reports the receiver’s reason', async () => {
    const refused: Outcome = { kind: 'rejected-payload', reason: 'TooLong', message: 'too long' };
    const { submit, requests, results } = rig(({ event }) => (event.seq === 1 ? refused : delivered));
    submit(anEvent('Start', 1));
    submit(anEvent('Success', 2));
    await settle();
    expect(requests).toEqual(['s/uid-1/1', 's/uid-1/2']);
    expect(results()).toEqual(['1 failed TooLong', '2 delivered']);
  });

  it('continues after a failure when the failure is stored, and after an arrival at once', async () => {
    const writes: (() => void)[] = [];
    const kept = () => new Promise<void>((resolve) => writes.push(resolve));
    const refused: Outcome = { kind: 'rejected-payload', reason: 'TooLong', message: 'too long' };
    const { submit, requests, dispatcher } = rig(({ event }) => (event.seq <= 2 ? refused : delivered), {
      kept,
    });
    for (const seq of [1, 2, 3, 4]) submit(anEvent('Start', seq));
    submit(anEvent('Start', 1, { planUid: 'other' }));
    await settle();
    expect(requests).toEqual(['s/uid-1/1', 's/other/1']);
    // An event that comes meanwhile does not resume the stream.
    submit(anEvent('Start', 5));
    await settle();
    expect(requests).toHaveLength(2);
    expect(dispatcher.stats().deliveries).toBe(4);
    writes[0]?.();
    await settle();
    expect(requests.slice(2)).toEqual(['s/uid-1/2']);
    writes[2]?.();
    await settle();
    expect(requests.slice(3)).toEqual(['s/uid-1/3', 's/uid-1/4', 's/uid-1/5']);
    expect(writes).toHaveLength(3);
  });

  it('continues after a drop when the drop is stored; a head that was tried before does not wait', async () => {
    const writes: (() => void)[] = [];
    const kept = () => new Promise<void>((resolve) => writes.push(resolve));
    const answers = [down, delivered, delivered, delivered];
    const { clock, submit, requests, results } = rig(() => answers.shift() ?? delivered, {
      kept,
      limits: { streamDeliveries: 2 },
    });
    submit(progress(1, 'a'));
    await settle();
    for (const seq of [2, 3, 4]) submit(progress(seq, 'a'));
    const dropped = results().filter((each) => each.includes('overflow')).length;
    expect(writes).toHaveLength(dropped);
    await clock.advance(10_000);
    expect(requests).toEqual(['s/uid-1/1', 's/uid-1/1']);
    for (const write of writes) write();
    await settle();
    expect(requests.length).toBeGreaterThan(2);
    expect(results().at(-1)).toContain('delivered');
  });

  it('delays a drain until its failure is stored', async () => {
    let written = (): void => undefined;
    const kept = () => new Promise<void>((resolve) => (written = resolve));
    const refused: Outcome = { kind: 'rejected-payload', reason: 'TooLong', message: 'too long' };
    const { submit, dispatcher, results } = rig(({ event }) => (event.seq === 1 ? refused : delivered), {
      kept,
    });
    submit(anEvent('Start', 1));
    submit(anEvent('Success', 2));
    await settle();
    let drained = false;
    const drain = dispatcher.drain(5_000).then(() => (drained = true));
    await settle();
    expect(drained).toBe(false);
    written();
    await drain;
    expect(results()).toEqual(['1 failed TooLong', '2 delivered']);
  });

  it('is still one stream when its sink was deleted just before its turn', async () => {
    let gone = true;
    const { submit, requests } = rig(hang, {
      resolve: ({ event }) => {
        if (event.seq === 1) submit(anEvent('Start', 2));
        if (event.seq === 2) void later(20).then(() => ((gone = false), submit(anEvent('Start', 3))));
        return gone ? { kind: 'unsubscribed' } : undefined;
      },
    });
    const later = async (microtasks: number): Promise<void> => {
      for (let turn = 0; turn < microtasks; turn++) await Promise.resolve();
    };
    submit(anEvent('Start', 1));
    await settle();
    submit(anEvent('Start', 4));
    await settle();
    expect(requests).toEqual(['s/uid-1/3']);
  });

  it('is still one stream when an event arrives while its head waits for a retry', async () => {
    const answers = [down, delivered, delivered];
    const { clock, submit, requests } = rig(() => answers.shift() ?? delivered);
    submit(anEvent('Start', 1));
    await settle();
    submit(anEvent('Success', 2));
    await clock.advance(10_000);
    expect(requests).toEqual(['s/uid-1/1', 's/uid-1/1', 's/uid-1/2']);
  });

  it('that hangs delays no other plan and no other sink', async () => {
    const { submit, results } = rig(({ event }) =>
      event.planUid === 'slow' ? new Promise<Outcome>(() => undefined) : delivered,
    );
    submit(anEvent('Start', 1, { planUid: 'slow' }));
    submit(anEvent('Start', 2, { planUid: 'quick' }));
    submit(anEvent('Start', 3, { planUid: 'slow' }), 'other');
    submit(anEvent('Start', 4, { planUid: 'quick' }), 'other');
    await settle();
    expect(results().sort()).toEqual(['2 delivered', '4 delivered']);
  });

  it('keeps its order whatever the receiver answers (property)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(2), fc.nat(1)), { maxLength: 30 }),
        fc.array(fc.constantFrom('delivered', 'transient', 'throttled', 'rejected-payload')),
        async (events, answers) => {
          const outcomes = answers.map((kind): Outcome =>
            kind === 'delivered' ? delivered : { kind, reason: 'X', message: 'x', retryAfterMs: 2_000 },
          );
          const inFlight = new Set<string>();
          const { clock, submit, settled, dispatcher } = rig(async ({ event, sinkName }) => {
            const stream = `${sinkName}/${event.planUid}`;
            expect(inFlight).not.toContain(stream);
            inFlight.add(stream);
            await Promise.resolve();
            inFlight.delete(stream);
            return outcomes.shift() ?? delivered;
          });
          events.forEach(([uid, sink], seq) =>
            submit(anEvent('Start', seq, { planUid: `u${uid}` }), `s${sink}`),
          );
          await clock.advance(3_600_000);
          expect(settled).toHaveLength(events.length);
          const streams = new Map<string, number[]>();
          for (const { to, event } of settled) {
            const key = `${to.sink}/${event.planUid}`;
            streams.set(key, [...(streams.get(key) ?? []), event.seq]);
          }
          for (const seqs of streams.values()) expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
          expect(dispatcher.stats()).toEqual({ deliveries: 0, bytes: 0, streams: 0, inFlight: 0 });
          expect(clock.timers).toBe(0);
        },
      ),
      { seed: 7, numRuns: 60 },
    );
  });
});

describe('a receiver that answers 429 with a time', () => {
  it('gets nothing until that time, then one request, then all', async () => {
    let throttle = true;
    const held: (() => void)[] = [];
    const { clock, submit, requests } = rig(() => {
      if (throttle) return { kind: 'throttled', reason: 'TooManyRequests', message: '', retryAfterMs: 5_000 };
      return new Promise<Outcome>((resolve) => held.push(() => resolve(delivered)));
    });
    submit(anEvent('Start', 1, { planUid: 'a' }));
    await settle();
    throttle = false;
    submit(anEvent('Start', 2, { planUid: 'b' }));
    submit(anEvent('Start', 3, { planUid: 'c' }));
    await clock.advance(4_999);
    expect(requests).toEqual(['s/a/1']);
    await clock.advance(1);
    expect(requests).toEqual(['s/a/1', 's/a/1']);
    held.shift()?.();
    await settle();
    expect(requests.slice(2).sort()).toEqual(['s/b/2', 's/c/3']);
  });

  it('more than once gets nothing until the latest of these times', async () => {
    const times = [60_000, 1_000];
    const { clock, submit, requests } = rig(() =>
      times.length > 0
        ? { kind: 'throttled', reason: 'TooManyRequests', message: '', retryAfterMs: times.shift() }
        : delivered,
    );
    submit(anEvent('Start', 1, { planUid: 'a' }));
    submit(anEvent('Start', 2, { planUid: 'b' }));
    await clock.advance(59_999);
    expect(requests).toHaveLength(2);
    await clock.advance(1);
    expect(requests).toHaveLength(4);
  });

  it('gets one request first, even when an older request succeeds during the pause', async () => {
    const held: ((outcome: Outcome) => void)[] = [];
    const { clock, submit, requests } = rig(() => new Promise<Outcome>((resolve) => held.push(resolve)));
    for (const planUid of ['a', 'b', 'c', 'd']) submit(anEvent('Start', 1, { planUid }));
    await settle();
    held[0]?.(pause(5_000));
    await settle();
    held[1]?.(delivered);
    submit(anEvent('Start', 2, { planUid: 'e' }));
    await clock.advance(4_999);
    held[2]?.(delivered);
    held[3]?.(delivered);
    submit(anEvent('Start', 2, { planUid: 'f' }));
    await clock.advance(1);
    expect(requests).toHaveLength(5);
  });

  it('gets nothing from deliveries that were selected before and waited for a slot or a secret', async () => {
    const answers = [pause(60_000)];
    const { clock, submit, requests } = rig(() => answers.shift() ?? delivered, {
      limits: { requestsPerOrigin: 2 },
    });
    for (const planUid of ['a', 'b', 'c']) submit(anEvent('Start', 1, { planUid }));
    await clock.advance(59_999);
    expect(requests).toHaveLength(1);
    await clock.advance(1);
    expect(requests).toHaveLength(4);
  });

  it('is forgotten when the sink is deleted: a sink of the same name begins without a pause', async () => {
    let gone = false;
    const { clock, dispatcher, submit, requests } = rig(() => pause(600_000), {
      resolve: () => (gone ? { kind: 'unsubscribed' } : undefined),
    });
    submit(anEvent('Start', 1));
    await settle();
    gone = true;
    await clock.advance(600_000);
    expect(dispatcher.stats().deliveries).toBe(0);
    gone = false;
    for (const planUid of ['a', 'b', 'c']) submit(anEvent('Start', 2, { planUid }));
    await settle();
    expect(requests).toHaveLength(4);
  });

  it('uses no retry: all three retries are left', async () => {
    const answers = [pause(1_000), pause(1_000), pause(1_000), down, down, down];
    const { clock, submit, results } = rig(() => answers.shift() ?? delivered);
    submit(anEvent('Start', 1));
    await clock.advance(60_000);
    expect(results()).toEqual(['1 delivered']);
  });

  it('does not end the send, however often', async () => {
    let left = 20;
    const { clock, submit, results } = rig(() =>
      left-- > 0
        ? { kind: 'throttled', reason: 'TooManyRequests', message: '', retryAfterMs: 1_000 }
        : delivered,
    );
    submit(anEvent('Start', 1));
    await clock.advance(903_000);
    expect(results()).toEqual(['1 delivered']);
  });

  it('is tried at growing intervals until a message arrives; then the intervals begin again', async () => {
    const at: number[] = [];
    let arrives = false;
    const { clock, submit, results } = rig(() => {
      at.push(clock.monotonic());
      return arrives ? delivered : pause(0);
    });
    submit(anEvent('Start', 1));
    await clock.advance(200_000);
    expect(at.map((ms) => ms / 1_000)).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183]);
    arrives = true;
    await clock.advance(60_000);
    expect(results()).toEqual(['1 delivered']);
    at.length = 0;
    arrives = false;
    submit(anEvent('Start', 2));
    await clock.advance(2_999);
    expect(at).toHaveLength(2);
  });

  it('may send many of these answers at once: they are one pause, and a row of pauses is reported once', async () => {
    const answers = Array.from({ length: 16 }, () => pause(30_000));
    let answerAll = (): void => {};
    const allSent = new Promise<void>((resolve) => (answerAll = resolve));
    const { clock, dispatcher, submit, requests, waits } = rig(() =>
      allSent.then(() => answers.shift() ?? pause(12_000)),
    );
    for (let plan = 0; plan < 16; plan++) submit(anEvent('Start', 1, { planUid: `p${plan}` }));
    await settle();
    answerAll();
    const now = clock.now();
    await clock.advance(6_000);
    expect(requests).toHaveLength(16);
    expect(waits).toEqual(['s paused TooManyRequests 16']);
    expect(dispatcher.waitOf(addressOf('s'))).toEqual({
      ...{ kind: 'paused', reason: 'TooManyRequests', message: '', since: now, waiting: 16, lasting: false },
      nextAt: now + 30_000,
    });
    await clock.advance(30_000);
    expect(requests).toHaveLength(17);
    expect(dispatcher.waitOf(addressOf('s'))?.nextAt).toBe(now + 42_000);
    expect(waits).toEqual(['s paused TooManyRequests 16', 's paused TooManyRequests 16 still']);
  });

  it('is not reported while its pauses are short', async () => {
    const answers = [pause(4_000), delivered, pause(1_000)];
    const { clock, submit, waits } = rig(() => answers.shift() ?? delivered);
    for (const seq of [1, 2]) submit(anEvent('Start', seq));
    await clock.advance(60_000);
    expect(waits).toEqual([]);
  });
});

describe('requests in flight', () => {
  it('are at most 16 per sink, and 64 per origin for one namespace, by default', async () => {
    const { dispatcher, submit } = rig(hang);
    for (let plan = 0; plan < 40; plan++) submit(anEvent('Start', plan, { planUid: `p${plan}` }));
    await settle();
    expect(dispatcher.stats().inFlight).toBe(16);

    const origins = rig(() => delivered, {
      resolve: () => ({
        ...ready,
        sink: aReadySink({
          origin: 'https://one',
          deliver: async (delivery, attempt) => {
            if (!(await attempt.slot())) return ABORTED;
            count++;
            return hang(delivery, attempt);
          },
        }),
      }),
    });
    let count = 0;
    for (let sink = 0; sink < 100; sink++) origins.submit(anEvent('Start', sink), `s${sink}`);
    await settle(50);
    expect(count).toBe(64);
    origins.submit(anEvent('Start', 1, { planUid: 'b' }), 's', { namespace: 'team-b' });
    await settle();
    expect(count).toBe(65);
  });
});

describe('attempts of many sinks', () => {
  it('begin in groups, so that other work runs between them', async () => {
    const { submit, requests } = rig(() => delivered);
    for (let sink = 0; sink < 100; sink++) submit(anEvent('Start', sink), `s${sink}`);
    await settle(3);
    expect(requests.length).toBeGreaterThan(0);
    expect(requests.length).toBeLessThan(20);
    await settle(20);
    expect(requests).toHaveLength(100);
  });

  it('begin one by one if the work after them takes long', async () => {
    const { submit, requests, clock } = rig(() => {
      clock.pass(2);
      return delivered;
    });
    for (let sink = 0; sink < 40; sink++) submit(anEvent('Start', sink), `s${sink}`);
    await settle(6);
    const before = requests.length;
    await settle(5);
    expect(requests.length - before).toBeLessThanOrEqual(6);
    await settle(40);
    expect(requests).toHaveLength(40);
  });
});

describe('attempts that wait for the same secret', () => {
  it('continue in turns of the namespaces: another namespace is not behind all of them', async () => {
    const order: string[] = [];
    let found = (): void => {};
    const secret = new Promise<void>((resolve) => (found = resolve));
    const { submit } = rig(() => delivered, {
      resolve: ({ to }) =>
        secret.then(() => ({
          ...ready,
          sink: aReadySink({
            deliver: () => {
              order.push(to.namespace);
              return Promise.resolve(delivered);
            },
          }),
        })),
    });
    for (let seq = 1; seq <= 20; seq++) submit(anEvent('Start', seq), `s${seq}`);
    await settle();
    submit(anEvent('Start', 21), 's', { namespace: 'team-b' });
    await settle();
    found();
    await settle(20);
    expect(order).toHaveLength(21);
    expect(order.indexOf('team-b')).toBeLessThan(4);
  });
});

describe('a slot of an origin', () => {
  it('is released after each request', async () => {
    const { submit, settled } = rig(() => delivered);
    for (let plan = 0; plan < 200; plan++) submit(anEvent('Start', plan, { planUid: `p${plan}` }));
    await settle(100);
    expect(settled).toHaveLength(200);
  });
});

describe('limits', () => {
  it('never drop the delivery in flight', async () => {
    const { clock, dispatcher, submit, settled } = rig(hang, { limits: { streamDeliveries: 2 } });
    submit(progress(1, 'db'));
    await clock.advance(30_000);
    submit(progress(2, 'db'));
    submit(anEvent('Success', 3));
    await settle();
    expect(settled.map(({ event }) => event.seq)).toEqual([2]);
    expect(dispatcher.stats()).toMatchObject({ deliveries: 2, inFlight: 1 });
  });

  it('a full stream drops progress, a little more than necessary, and keeps every terminal event', async () => {
    const { clock, dispatcher, submit, settled } = rig(hang, { limits: { streamDeliveries: 50 } });
    submit(progress(0, 'db'));
    // Its sink is slow.
    await clock.advance(30_000);
    for (let seq = 1; seq < 1000; seq++)
      submit(seq % 100 === 99 ? anEvent('Success', seq) : progress(seq, 'db'));
    await settle();
    const { deliveries } = dispatcher.stats();
    expect(deliveries).toBeGreaterThanOrEqual(43);
    expect(deliveries).toBeLessThanOrEqual(50);
    expect(
      settled.every(({ event, reason }) => event.kind === 'ExecutionProgress' && reason === 'superseded'),
    ).toBe(true);
    expect(settled).toHaveLength(1000 - deliveries);
  });

  it.each([
    ['is larger while its sink is swift', 0, 'webhook', []],
    ['drops progress if its sink is slow', 30_000, 'webhook', ['overflow']],
    ['drops progress if its sink has a rate limit', 0, 'teamchat', ['overflow']],
  ] as const)('a full stream %s', async (_, waitsMs, type, reasons) => {
    const { clock, dispatcher, settled } = rig(hang, { limits: { streamDeliveries: 50 } });
    const log = dispatcher.open({ current: aPlan() });
    const to = [{ notification: 'n', sink: 's', type }];
    const append = (seq: number, target: string): void => {
      const since = clock.monotonic();
      dispatcher.append(log, [{ event: progress(seq, target), to }], {
        acceptedAt: 0,
        since,
        restored: false,
      });
    };
    append(1, 'first');
    await clock.advance(waitsMs);
    for (let seq = 2; seq <= 101; seq++) append(seq, `target ${seq}`);
    await settle();
    expect([...new Set(settled.map(({ reason }) => reason))]).toEqual(reasons);
  });

  it('a full stream drops nothing of the plan’s other streams', async () => {
    const { clock, dispatcher, requests, settled } = rig(
      (delivery, attempt) => (delivery.sinkName === 'dead' ? hang(delivery, attempt) : delivered),
      { limits: { streamDeliveries: 4 } },
    );
    const log = dispatcher.open({ current: aPlan() });
    const to = ['dead', 'well'].map((sink) => ({ notification: 'n', sink, type: 'webhook' }) as const);
    for (let seq = 1; seq <= 20; seq++) {
      // The dead sink is slow by then.
      await clock.advance(seq === 2 ? 30_000 : 0);
      const event = seq === 20 ? anEvent('Success', seq) : progress(seq, 'db');
      dispatcher.append(log, [{ event, to }], { acceptedAt: 0, since: 0, restored: false });
      dispatcher.release(log, seq);
      await settle();
    }
    expect(requests.filter((request) => request.startsWith('well'))).toHaveLength(20);
    expect(settled.filter(({ result }) => result === 'dropped').every(({ to }) => to.sink === 'dead')).toBe(
      true,
    );
    expect(dispatcher.stats().deliveries).toBeLessThanOrEqual(4);
  });

  it('one event larger than the limit of a stream is still delivered', async () => {
    const { submit, results } = rig(() => delivered);
    submit(anEvent('Failure', 1, { errorMessage: 'x'.repeat(2_000_000) }));
    await settle();
    expect(results()).toEqual(['1 delivered']);
  });

  it('a full backlog drops progress of the namespace over its share, and accepts the ends of runs', async () => {
    const backlogBytes = 100_000;
    const { dispatcher, submit, settled } = rig(hang, { limits: { backlogBytes } });
    const other = { namespace: 'team-b' };
    for (let seq = 0; seq < 50; seq++) submit(progress(seq, `t${seq}`), 'quiet', other);
    for (let seq = 0; seq < 500; seq++) submit({ ...progress(seq, 'db'), planUid: `p${seq}` }, 'greedy');
    await settle();
    expect(dispatcher.stats().bytes).toBeLessThanOrEqual(backlogBytes);
    for (let seq = 500; seq < 520; seq++) submit(anEvent('Success', seq, { planUid: `p${seq}` }), 'greedy');
    for (let seq = 50; seq < 65; seq++) submit(progress(seq, `t${seq}`), 'quiet', other);
    expect(settled.length).toBeGreaterThan(300);
    expect(settled.every(({ event, to }) => event.kind === 'ExecutionProgress' && to.sink === 'greedy')).toBe(
      true,
    );
    expect(dispatcher.stats().bytes).toBeLessThanOrEqual(backlogBytes);
  });

  it('a full backlog drops what waits for a sink that takes nothing, before that of a larger sink that does', async () => {
    const { clock, submit, settled } = rig(
      (delivery, attempt) => (delivery.sinkName === 'dead' ? down : hang(delivery, attempt)),
      { limits: { backlogBytes: 100_000 } },
    );
    // The first one of a plan has been tried, and stays.
    for (const target of ['db', 'vm'])
      for (let plan = 0; plan < 15; plan++) submit({ ...progress(1, target), planUid: `p${plan}` }, 'dead');
    await clock.advance(1_000);
    for (let seq = 0; seq < 100; seq++) submit({ ...progress(seq, 'db'), planUid: `q${seq}` }, 'slow');
    await settle();
    expect(settled.length).toBeGreaterThan(0);
    expect(settled[0]?.to.sink).toBe('dead');
  });

  it('a full backlog drops deliveries that wait for a dead sink, not those that a healthy sink of the same plan is about to send', async () => {
    const { clock, dispatcher, settled } = rig(
      (delivery, attempt) => (delivery.sinkName !== 'healthy' ? hang(delivery, attempt) : delivered),
      { limits: { backlogBytes: 100_000 } },
    );
    const names = ['dead', 'healthy', 'other'].map(
      (sink) => ({ notification: 'n', sink, type: 'webhook' }) as const,
    );
    const logs = Array.from({ length: 4 }, (_, plan) =>
      dispatcher.open({ current: aPlan({ uid: `p${plan}` }) }),
    );
    for (let seq = 0; seq < 120; seq++)
      for (const log of logs) {
        const event = { ...progress(seq, `t${seq}`), planUid: log.planUid };
        const by = { acceptedAt: clock.now(), since: clock.monotonic(), restored: false };
        dispatcher.append(log, [{ event, to: names }], by);
        dispatcher.release(log, log.newest?.at ?? 0);
        await settle();
      }
    const ends = (sink: string) =>
      new Set(settled.filter(({ to }) => to.sink === sink).map(({ result }) => result));
    expect(ends('dead')).toEqual(new Set(['dropped']));
    expect(ends('healthy')).toEqual(new Set(['delivered']));
  });

  it('a log that is too large to be stored loses deliveries of failing sinks first, and all others only then', async () => {
    const { clock, dispatcher, settled } = rig((delivery, attempt) =>
      delivery.sinkName === 'dead' ? down : hang(delivery, attempt),
    );
    const log = dispatcher.open({ current: aPlan() });
    const to = ['dead', 'slow'].map((sink) => ({ notification: 'n', sink, type: 'webhook' }) as const);
    const by = { acceptedAt: clock.now(), since: clock.monotonic(), restored: false };
    for (let seq = 0; seq < 40; seq++) dispatcher.append(log, [{ event: progress(seq, `t${seq}`), to }], by);
    dispatcher.release(log, log.newest?.at ?? 0);
    await settle();
    const lost = (sink: string) => settled.filter((each) => each.to.sink === sink).length;
    const losses: number[][] = [];
    while (dispatcher.halveLongest(log)) losses.push([lost('dead'), lost('slow')]);
    expect(losses.slice(0, 6)).toEqual([20, 30, 35, 38, 39].map((dead) => [dead, 0]).concat([[39, 20]]));
    expect(losses.at(-1)).toEqual([39, 39]);
  });

  it('a full backlog drops deliveries of the sinks that hold most of it, and not even waiting progress of other sinks', async () => {
    const held: ((outcome: Outcome) => void)[] = [];
    const gate = () => new Promise<Outcome>((resolve) => held.push(resolve));
    const { clock, dispatcher, settled } = rig(
      (delivery, attempt) => (delivery.sinkName === 'slow' ? gate() : hang(delivery, attempt)),
      { limits: { backlogBytes: 200_000 } },
    );
    const to = (sink: string) => ({ notification: 'n', sink, type: 'webhook' }) as const;
    const append = (
      log: ReturnType<typeof dispatcher.open>,
      event: ReturnType<typeof progress>,
      ...sinks: string[]
    ) => {
      const by = { acceptedAt: clock.now(), since: clock.monotonic(), restored: false };
      dispatcher.append(log, [{ event: { ...event, planUid: log.planUid }, to: sinks.map(to) }], by);
      dispatcher.release(log, log.newest?.at ?? 0);
    };
    const logs = Array.from({ length: 4 }, (_, plan) =>
      dispatcher.open({ current: aPlan({ uid: `p${plan}` }) }),
    );
    let seq = 0;
    for (const log of logs)
      for (let index = 0; index < 10; index++)
        append(log, { ...progress(seq++, 'db'), errorMessage: 'x'.repeat(300) }, 'dead', 'slow');
    await settle();
    // All other waiting events are ends of nights, so progress is dropped first. The slow sink holds more than half as much.
    for (let night = 0; night < 50; night++)
      for (const log of logs)
        append(log, anEvent('Failure', seq++, { errorMessage: 'x'.repeat(2_000) }), 'dead');
    for (let turn = 0; turn < 10; turn++) {
      for (const resolve of held.splice(0)) resolve(delivered);
      await settle();
    }
    const ends = (sink: string) =>
      settled.filter((each) => each.to.sink === sink).map(({ result }) => result);
    expect(new Set(ends('dead'))).toEqual(new Set(['dropped']));
    expect(ends('slow')).toEqual(Array.from({ length: 40 }, () => 'delivered'));
  });

  it('a full backlog never drops the delivery in flight', async () => {
    const held: ((outcome: Outcome) => void)[] = [];
    const { submit, results } = rig(() => new Promise<Outcome>((resolve) => held.push(resolve)), {
      limits: { backlogBytes: 1_000 },
    });
    submit(progress(1, 'db'));
    await settle();
    submit(progress(2, 'db'));
    held[0]?.(delivered);
    await settle();
    expect(results()).toEqual(['2 dropped overflow', '1 delivered']);
  });

  it('a full backlog that empties a queued stream does not end the stream: later events are sent', async () => {
    const held: ((outcome: Outcome) => void)[] = [];
    const { submit, results } = rig(
      ({ event }) =>
        event.seq === 1 ? new Promise<Outcome>((resolve) => held.push(resolve)) : Promise.resolve(delivered),
      { limits: { requestsPerSink: 1, backlogBytes: 3_000 } },
    );
    submit(anEvent('Start', 1, { planUid: 'first' }));
    await settle();
    submit(progress(2, 'db'));
    submit(anEvent('Success', 3, { planUid: 'third' }), 'other');
    submit(anEvent('Success', 4, { planUid: 'fourth' }), 'other');
    await settle();
    held[0]?.(delivered);
    await settle();
    submit(anEvent('Success', 5));
    await settle();
    expect(results().sort()).toEqual([
      '1 delivered',
      '2 dropped overflow',
      '3 delivered',
      '4 delivered',
      '5 delivered',
    ]);
  });

  it('when a head that waits for its secret is dropped by a full backlog, the next delivery of its stream is sent', async () => {
    let readable = false;
    const { clock, submit, requests } = rig(() => delivered, {
      limits: { backlogBytes: 3_000 },
      resolve: ({ to }) =>
        readable || to.sink === 'other'
          ? undefined
          : { kind: 'unready', outcome: { kind: 'wait', forMs: 5_000 } },
    });
    submit(progress(1, 'db'));
    submit(anEvent('Success', 2));
    await settle();
    submit(anEvent('Success', 3, { errorMessage: 'x'.repeat(200) }), 'other');
    readable = true;
    await clock.advance(10_000);
    expect(requests).toContain('s/uid-1/2');
    expect(requests).not.toContain('s/uid-1/1');
  });

  it('a full backlog counts target tables, and drops the ends of runs last, the oldest first', async () => {
    const backlogBytes = 100_000;
    const { dispatcher, submit, settled } = rig(hang, { limits: { backlogBytes } });
    const table = () => [{ name: 'db', executor: 'rds', state: 'Failed', message: 'x'.repeat(5_000) }];
    for (let seq = 1; seq <= 3; seq++)
      submit(anEvent('Failure', seq, { targets: table(), planUid: `p${seq}` }), `s${seq}`);
    await settle();
    expect(settled).toEqual([]);
    for (let seq = 4; seq <= 12; seq++)
      submit(anEvent('Failure', seq, { targets: table(), planUid: `p${seq}` }), `s${seq}`);
    expect(dispatcher.stats().bytes).toBeLessThanOrEqual(backlogBytes);
    expect(settled.length).toBeGreaterThan(0);
    expect(settled.map(({ event }) => event.seq)).not.toContain(12);
    for (const { event } of settled) expect(event.seq).toBeGreaterThan(3); // Those are in flight.
  });

  it('a full backlog counts what each event changed in the target table, and frees it with the progress that it drops', async () => {
    const backlogBytes = 200_000;
    const { dispatcher, submit, settled } = rig(hang, { limits: { backlogBytes } });
    const table = (seq: number) =>
      Array.from({ length: 50 }, (_, n) => ({
        name: `t${n}`,
        executor: 'rds',
        state: 'Running',
        message: `${seq} seconds`,
      }));
    submit(anEvent('Start', 1, { targets: table(1) }));
    await settle();
    for (let seq = 2; seq <= 100; seq++) {
      const kind = seq % 10 === 0 ? 'Failure' : 'ExecutionProgress';
      submit(anEvent(kind, seq, { targets: table(seq) }));
      expect(dispatcher.stats().bytes).toBeLessThanOrEqual(backlogBytes);
    }
    expect(settled.length).toBeGreaterThan(0);
    expect(new Set(settled.map(({ event }) => event.kind))).toEqual(new Set(['ExecutionProgress']));
  });

  it('a delivery that waited longer than the limit of its kind is dropped as expired', async () => {
    const limits = { maxAgeOfProgressMs: 1_000, maxAgeMs: 100_000 };
    const answers = [down, down];
    const { clock, submit, results } = rig(() => answers.shift() ?? delivered, { limits });
    submit(anEvent('Start', 0));
    submit(progress(1, 'db'));
    submit(anEvent('Success', 2));
    await clock.advance(60_000);
    expect(results()).toEqual(['1 dropped expired', '0 delivered', '2 delivered']);
  });
});

describe('a sink that cannot receive', () => {
  it('because it was deleted drops its waiting deliveries as unsubscribed', async () => {
    const { submit, results } = rig(() => delivered, { resolve: () => ({ kind: 'unsubscribed' }) });
    submit(anEvent('Start', 1));
    await settle();
    expect(results()).toEqual(['1 dropped unsubscribed']);
  });

  it('because it is suspended drops the waiting deliveries of a stream together, with one write of its journal', async () => {
    let isSuspended = false;
    const { clock, dispatcher, submit, results } = rig(() => down, {
      resolve: () => (isSuspended ? { kind: 'suspended' } : undefined),
      kept: () => new Promise(() => undefined),
    });
    for (const seq of [1, 2, 3]) submit(anEvent('Start', seq));
    await settle();
    isSuspended = true;
    await clock.advance(60_000);
    expect(results()).toEqual(['1 dropped suspended', '2 dropped suspended', '3 dropped suspended']);
    expect(dispatcher.stats()).toMatchObject({ deliveries: 0, streams: 0, inFlight: 0 });
  });

  describe('because it is suspended, but sends the ends of runs later', () => {
    function suspended() {
      let sendsEndsInMs: number | undefined = 60_000;
      const told = rig(() => delivered, {
        resolve: () => (sendsEndsInMs === undefined ? undefined : { kind: 'suspended', sendsEndsInMs }),
      });
      const end = (): void => {
        sendsEndsInMs = undefined;
      };
      return { ...told, end };
    }

    it('drops other events at once, also new ones, and sends the ends in order when the suspension is over', async () => {
      const { clock, dispatcher, submit, results, requests, end } = suspended();
      submit(anEvent('Start', 1));
      submit(anEvent('Success', 2));
      submit(progress(3, 'db'));
      await settle();
      expect(results()).toEqual(['1 dropped suspended', '3 dropped suspended']);
      submit(anEvent('Start', 4));
      submit(anEvent('Failure', 5));
      await settle();
      expect(results()).toEqual(['1 dropped suspended', '3 dropped suspended', '4 dropped suspended']);
      expect(dispatcher.stats()).toMatchObject({ deliveries: 2, inFlight: 0 });
      end();
      await clock.advance(60_000);
      expect(requests).toEqual(['s/uid-1/2', 's/uid-1/5']);
      expect(dispatcher.stats()).toMatchObject({ deliveries: 0, streams: 0 });
    });

    it('sends the ends at once when a user ends the suspension, and is shown to wait until then', async () => {
      const { clock, dispatcher, submit, requests, waits, end } = suspended();
      submit(anEvent('Success', 1));
      await clock.advance(10_000);
      expect(waits).toEqual(['s blocked Suspended 1']);
      end();
      dispatcher.configurationChanged(addressOf('s'));
      await settle();
      expect(requests).toEqual(['s/uid-1/1']);
    });

    it('does not delay a stop', async () => {
      const { submit, stop, results } = suspended();
      submit(anEvent('Success', 1));
      await settle();
      await stop(30_000);
      expect(results()).toEqual(['1 dropped shutdown']);
    });

    it('drops the ends when they are too old', async () => {
      const { clock, submit, results } = suspended();
      submit(anEvent('Success', 1));
      await clock.advance(25 * 3_600_000);
      expect(results()).toEqual(['1 dropped expired']);
    });
  });

  it('because it was deleted drops deliveries in a pause, and deliveries behind one in flight, at once', async () => {
    const { clock, dispatcher, submit, results } = rig((delivery, signal) =>
      delivery.sinkName === 'paused' ? pause(600_000) : hang(delivery, signal),
    );
    for (const sink of ['paused', 'busy', 'other']) {
      submit(anEvent('Start', 1), sink);
      submit(anEvent('Success', 2), sink);
    }
    await settle();
    for (const sink of ['paused', 'busy'])
      dispatcher.unsubscribe({ namespace: 'team-a', notification: 'n', sink });
    await settle();
    expect(results()).toEqual(['1 dropped unsubscribed', '2 dropped unsubscribed', '2 dropped unsubscribed']);
    expect(dispatcher.stats()).toMatchObject({ deliveries: 3, streams: 2, inFlight: 2 });
    // One for expiry, one for the check of waiting sinks.
    expect(clock.timers).toBe(2);
  });

  it('that is created again under its name begins without a pause', async () => {
    const answers = [pause(600_000)];
    const { dispatcher, submit, results } = rig(() => answers.shift() ?? delivered);
    submit(anEvent('Start', 1));
    await settle();
    dispatcher.unsubscribe({ namespace: 'team-a', notification: 'n', sink: 's' });
    submit(anEvent('Start', 2));
    await settle();
    expect(results()).toEqual(['1 dropped unsubscribed', '2 delivered']);
  });

  it('because its secret cannot be read at the moment is tried again', async () => {
    let reads = 0;
    const outcome: Outcome = { kind: 'transient', reason: 'SecretUnavailable', message: 'no answer' };
    const { clock, submit, results } = rig(() => delivered, {
      resolve: () => (reads++ < 2 ? { kind: 'unready', outcome } : undefined),
    });
    submit(anEvent('Start', 1));
    await clock.advance(10_000);
    expect(results()).toEqual(['1 delivered']);
  });

  it('because of an internal error loses that delivery alone, with the reason internal', async () => {
    const { submit, results, faults } = rig(() => delivered, {
      resolve: ({ event }) => {
        if (event.seq === 1) throw new Error('boom');
        return undefined;
      },
    });
    submit(anEvent('Start', 1));
    submit(anEvent('Success', 2));
    await settle();
    expect(results()).toEqual(['1 dropped internal', '2 delivered']);
    expect(faults).toHaveLength(1);
  });
});

describe('drain', () => {
  it('sends the waiting deliveries, and resolves when all have ended', async () => {
    const { clock, stop, submit, results } = rig(({ event }) =>
      event.seq === 1 ? answers.shift()! : delivered,
    );
    const answers = [down, delivered];
    submit(anEvent('Start', 1));
    submit(anEvent('Success', 2));
    const drained = stop(30_000);
    await clock.advance(5_000);
    await drained;
    expect(results()).toEqual(['1 delivered', '2 delivered']);
    expect(clock.timers).toBe(0);
  });

  it('ends at once when its signal is aborted', async () => {
    const { stop, submit, results } = rig(hang);
    submit(anEvent('Start', 1));
    await settle();
    const hurry = new AbortController();
    const drained = stop(30_000, hurry.signal);
    hurry.abort();
    await drained;
    expect(results()).toEqual(['1 dropped shutdown']);
  });

  it('still counts an answer that had arrived when its signal was aborted', async () => {
    const { stop, submit, results } = rig(
      (_, { signal }) =>
        new Promise<Outcome>((resolve) => {
          signal.addEventListener('abort', () => resolve(delivered));
        }),
    );
    submit(anEvent('Start', 1));
    submit(anEvent('Success', 2));
    await settle();
    await stop(30_000, AbortSignal.abort());
    expect(results().sort()).toEqual(['1 delivered', '2 dropped shutdown']);
  });

  it('does not wait for ever for a sink that ignores the abort', async () => {
    const { clock, stop, submit, results } = rig(() => new Promise<Outcome>(() => undefined));
    submit(anEvent('Start', 1));
    await settle();
    const drained = stop(0);
    await clock.advance(1_000);
    await drained;
    expect(results()).toEqual(['1 dropped shutdown']);
  });

  it('ends the pause of a receiver', async () => {
    const { clock, stop, submit, results } = rig(() => ({
      kind: 'throttled',
      reason: 'TooManyRequests',
      message: '',
      retryAfterMs: 600_000,
    }));
    submit(anEvent('Start', 1));
    await settle();
    const drained = stop(1_000);
    await clock.advance(1_000);
    await drained;
    expect(results()).toEqual(['1 dropped shutdown']);
    expect(clock.timers).toBe(0);
  });

  it('aborts requests in flight at the deadline and counts the rest as shutdown', async () => {
    const signals: AbortSignal[] = [];
    const { clock, stop, submit, results } = rig((delivery, attempt) => {
      signals.push(attempt.signal);
      return hang(delivery, attempt);
    });
    submit(anEvent('Start', 1));
    submit(anEvent('Success', 2));
    await settle();
    const drained = stop(30_000);
    await clock.advance(30_000);
    await drained;
    expect(signals[0]?.aborted).toBe(true);
    expect(results().sort()).toEqual(['1 dropped shutdown', '2 dropped shutdown']);
    expect(clock.timers).toBe(0);
  });
});

describe('a delivery of several requests', () => {
  it('continues until it is delivered, with the same progress, before the next delivery of its stream', async () => {
    const { submit, requests, results, dispatcher } = rig(({ event, progress }) => {
      if (event.seq === 1 && progress.level < 2) {
        progress.level++;
        return { kind: 'continue', anew: true };
      }
      return delivered;
    });
    submit(anEvent('Start', 1));
    submit(anEvent('Success', 2));
    await settle();
    expect(requests).toEqual(['s/uid-1/1', 's/uid-1/1', 's/uid-1/1', 's/uid-1/2']);
    expect(results()).toEqual(['1 delivered', '2 delivered']);
    expect(dispatcher.stats()).toMatchObject({ deliveries: 0, inFlight: 0 });
  });

  it('has all retries for each of its requests', async () => {
    const answers: Outcome[] = [
      down,
      down,
      down,
      { kind: 'continue', anew: true },
      down,
      down,
      down,
      delivered,
    ];
    const { clock, submit, results, requests } = rig(() => answers.shift() ?? down);
    submit(anEvent('Start', 1));
    await clock.advance(60_000);
    expect(requests).toHaveLength(8);
    expect(results()).toEqual(['1 delivered']);
  });

  it('has only the retries that are left, if its requests bring no progress; then its send has failed', async () => {
    const { clock, submit, setbacks, requests } = rig(({ progress }) =>
      progress.level++ % 2 === 0 ? down : { kind: 'continue', anew: false },
    );
    submit(anEvent('Start', 1));
    await clock.advance(20_000);
    expect(requests).toHaveLength(7);
    expect(setbacks).toMatchObject([{ kind: 'parked', reason: 'ServerError' }]);
  });

  it('that must wait is tried again after the wait, and uses no retry', async () => {
    let waits = 10;
    const { clock, submit, results } = rig(() => (waits-- > 0 ? { kind: 'wait', forMs: 5_000 } : delivered));
    submit(anEvent('Start', 1));
    submit(anEvent('Start', 1, { planUid: 'other' }));
    await clock.advance(24_999);
    expect(results()).toEqual([]);
    await clock.advance(1);
    expect(results()).toHaveLength(2);
  });

  it('that waits for a change that has come meanwhile does not wait', async () => {
    let asked = 0;
    const onChange = (changed: () => void) => {
      changed();
      return () => undefined;
    };
    const { clock, submit, results } = rig(() =>
      asked++ > 0 ? delivered : { kind: 'wait', forMs: 60_000, onChange },
    );
    submit(anEvent('Start', 1));
    await settle();
    expect(results()).toEqual(['1 delivered']);
    expect(clock.timers).toBe(0);
  });

  it('that waits for a change is sent at the change; a stop waits for that, too', async () => {
    const waiting = new Set<() => void>();
    let isShown = false;
    const { clock, submit, results, stop } = rig(() =>
      isShown
        ? delivered
        : {
            ...{ kind: 'wait', forMs: 60_000 },
            onChange: (changed) => {
              waiting.add(changed);
              return () => waiting.delete(changed);
            },
          },
    );
    submit(anEvent('Start', 1));
    await settle();
    const stopped = stop(10_000);
    await clock.advance(5_000);
    isShown = true;
    for (const changed of waiting) changed();
    await stopped;
    expect(results()).toEqual(['1 delivered']);
    expect(waiting.size).toBe(0);
  });

  it('is finished before the turn of another stream of its sink', async () => {
    const seen = new Set<string>();
    const { submit, requests } = rig(
      ({ event }) =>
        seen.has(event.planUid) ? delivered : (seen.add(event.planUid), { kind: 'continue', anew: true }),
      { limits: { requestsPerSink: 1 } },
    );
    submit(anEvent('Start', 1, { planUid: 'a' }));
    submit(anEvent('Start', 1, { planUid: 'b' }));
    await settle();
    expect(requests).toEqual(['s/a/1', 's/a/1', 's/b/1', 's/b/1']);
  });
});

describe('a sink with a rate limit', () => {
  const rates = [{ key: 'own', perSecond: 1, burst: 2 }];

  it('gets its burst at once and the rest at its rate, one token for each request', async () => {
    const { clock, submit, requests } = rig(() => delivered, { sink: { rates } });
    for (let plan = 0; plan < 5; plan++) submit(anEvent('Start', 1, { planUid: `p${plan}` }));
    await settle();
    expect(requests).toHaveLength(2);
    await clock.advance(999);
    expect(requests).toHaveLength(2);
    await clock.advance(1);
    expect(requests).toHaveLength(3);
    await clock.advance(2_000);
    expect(requests).toHaveLength(5);
    expect(clock.timers).toBe(0);
  });

  it('checks ages again after the wait: it does not send a delivery that is too old by then', async () => {
    const { clock, submit, results, requests } = rig(() => delivered, {
      sink: { rates: [{ key: 'own', perSecond: 0.001, burst: 1 }] },
      limits: { maxAgeMs: 500_000 },
    });
    submit(anEvent('Start', 1));
    submit(anEvent('Success', 2));
    await clock.advance(1_000_000);
    expect(requests).toHaveLength(1);
    expect(results()).toEqual(['1 delivered', '2 dropped expired']);
  });

  it('does not hold a slot of the origin while it waits for a token', async () => {
    const { submit, requests } = rig(() => delivered, {
      limits: { requestsPerOrigin: 1 },
      resolve: ({ to }) => ({
        ...ready,
        sink: aReadySink({
          rates: to.sink === 'slow' ? [{ key: 'slow', perSecond: 0.001, burst: 1 }] : [],
          deliver: async (_, { slot }) => {
            if (!(await slot())) return ABORTED;
            requests.push(to.sink);
            return delivered;
          },
        }),
      }),
    });
    for (const sink of ['slow', 'slow', 'slow', 'quick', 'quick']) submit(anEvent('Start', 1), sink);
    await settle();
    expect(requests.sort()).toEqual(['quick', 'quick', 'slow']);
  });

  it('takes turns with another sink of its credential, whose many messages wait', async () => {
    const { clock, submit, requests } = rig(() => delivered, {
      resolve: ({ to }) => ({
        ...ready,
        sink: aReadySink({
          rates: [to.sink, 'shared'].map((key) => ({ key, perSecond: 1, burst: 2 })),
          deliver: async (_, { slot }) => {
            if (!(await slot())) return ABORTED;
            requests.push(to.sink);
            return delivered;
          },
        }),
      }),
    });
    for (let plan = 0; plan < 40; plan++) submit(anEvent('Start', 1, { planUid: `p${plan}` }), 'busy');
    await clock.advance(3_000);
    expect(requests).toHaveLength(5);
    submit(anEvent('Failure', 1), 'quick');
    await clock.advance(2_000);
    expect(requests.slice(5).sort()).toEqual(['busy', 'quick']);
  });

  it('gets its tokens back when no request was made', async () => {
    let waits = 3;
    const { clock, submit, results } = rig(() => delivered, {
      resolve: () => ({
        ...ready,
        sink: aReadySink({
          rates: [{ key: 'own', perSecond: 0.001, burst: 2 }],
          deliver: async (_, { slot }) => {
            if (waits-- > 0) return { kind: 'wait', forMs: 1_000 };
            return (await slot()) ? delivered : ABORTED;
          },
        }),
      }),
    });
    submit(anEvent('Start', 1));
    submit(anEvent('Success', 2));
    await clock.advance(5_000);
    expect(results()).toEqual(['1 delivered', '2 delivered']);
  });

  it('ends its waits at a stop', async () => {
    const { clock, stop, submit, results } = rig(() => delivered, {
      sink: { rates: [{ key: 'own', perSecond: 0.001, burst: 1 }] },
    });
    submit(anEvent('Start', 1));
    submit(anEvent('Success', 2));
    await settle();
    const drained = stop(0);
    await clock.advance(1_000);
    await drained;
    expect(results()).toEqual(['1 delivered', '2 dropped shutdown']);
  });
});

describe('further results of a sink', () => {
  it('suppressed events end as suppressed, without a request or a token', async () => {
    const { submit, results, requests } = rig(() => delivered, {
      sink: {
        suppresses: ({ kind }) => kind === 'ExecutionProgress',
        rates: [{ key: 'own', perSecond: 0.001, burst: 1 }],
      },
    });
    submit(progress(1, 'db'));
    submit(anEvent('Success', 2));
    await settle();
    expect(requests).toEqual(['s/uid-1/2']);
    expect(results()).toEqual(['1 suppressed', '2 delivered']);
  });

  it('a degradation is reported at once, and is part of the settlement', async () => {
    const { submit, degradations, settled } = rig(({ event }, { degraded }) => {
      if (event.seq === 1) degraded({ reason: 'BlocksInvalid', message: 'no blocks' });
      return delivered;
    });
    submit(anEvent('Start', 1));
    submit(anEvent('Success', 2));
    await settle();
    expect(degradations).toEqual(['BlocksInvalid']);
    expect(settled.map(({ isDegraded }) => isDegraded)).toEqual([true, false]);
  });
});

describe('a slot of the receiver', () => {
  it('is not held while a message is made: a slow template delays only its own sink', async () => {
    const made: (() => void)[] = [];
    const arrived: string[] = [];
    const { submit } = rig(() => delivered, {
      limits: { requestsPerOrigin: 1 },
      resolve: ({ to }) => ({
        ...ready,
        sink: aReadySink({
          deliver: async (_, { slot }) => {
            if (to.sink === 'slow') await new Promise<void>((resolve) => made.push(resolve));
            if (!(await slot())) return ABORTED;
            arrived.push(to.sink);
            return delivered;
          },
        }),
      }),
    });
    submit(anEvent('Start', 1), 'slow');
    submit(anEvent('Start', 1), 'quick');
    await settle();
    expect(arrived).toEqual(['quick']);
    for (const go of made) go();
    await settle();
    expect(arrived).toEqual(['quick', 'slow']);
  });
});

describe('a receiver that names a time', () => {
  it('gets nothing from all sinks that share one of its buckets', async () => {
    const rates = (own: string) => [
      { key: own, perSecond: 100, burst: 100 },
      { key: 'shared', perSecond: 100, burst: 100 },
    ];
    const sent: string[] = [];
    const { clock, submit } = rig(() => delivered, {
      resolve: ({ to }) => ({
        ...ready,
        sink: aReadySink({
          rates: rates(to.sink),
          deliver: async (_, { slot }) => {
            if (!(await slot())) return ABORTED;
            sent.push(to.sink);
            return sent.length === 1 ? pause(60_000) : delivered;
          },
        }),
      }),
    });
    submit(anEvent('Start', 1), 'a');
    await settle();
    submit(anEvent('Start', 1), 'b');
    await clock.advance(59_999);
    expect(sent).toEqual(['a']);
    await clock.advance(1_000);
    expect(sent.sort()).toEqual(['a', 'a', 'b']);
  });
});

describe('a namespace over its share', () => {
  it('is reported after some seconds, once, until a request is sent', async () => {
    const held: (() => void)[] = [];
    const { clock, dispatcher, submit, waits } = rig(
      () => new Promise<Outcome>((resolve) => held.push(() => resolve(delivered))),
      {
        limits: { requestsPerOrigin: 4 },
        resolve: () => undefined,
        sink: { origin: 'https://one' },
      },
    );
    for (const sink of ['a', 'b', 'c']) submit(anEvent('Start', 1), sink);
    await clock.advance(4_000);
    expect(waits).toEqual([]);
    await clock.advance(2_000);
    expect(waits).toEqual([
      'a late ReceiverSlow 1',
      'b late ReceiverSlow 1',
      'c blocked NamespaceOverShare 1',
    ]);
    expect(dispatcher.waitOf(addressOf('c'))?.message).toContain('(2)');
    expect([...dispatcher.waits()].map(({ wait: { kind } }) => kind)).toEqual(['late', 'late', 'blocked']);
    submit(anEvent('Start', 1, { planUid: 'other' }), 'well', { namespace: 'team-b' });
    await settle();
    expect(held).toHaveLength(3);
    for (let turn = 0; turn < 2; turn++) {
      for (const go of held.splice(0)) go();
      await settle();
    }
    expect([...dispatcher.waits()]).toEqual([]);
    expect(waits.slice(3)).toEqual(['a flows', 'b flows', 'c flows']);
    expect(clock.timers).toBe(0);
  });

  it('is also reported by a sink that got no look-up or connection', async () => {
    const why = { reason: 'LookupWaited', message: 'look-ups of this namespace are slow' };
    let left = 7;
    const { clock, submit, waits, results } = rig(() =>
      left-- > 0 ? { kind: 'wait', forMs: 1_000, why } : delivered,
    );
    submit(anEvent('Start', 1));
    await clock.advance(7_000);
    expect(results()).toEqual(['1 delivered']);
    expect(waits).toEqual(['s blocked LookupWaited 1', 's flows']);
  });
});
