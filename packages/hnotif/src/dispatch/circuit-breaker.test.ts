import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LifecycleEvent } from '@hnotif/core/lifecycle';
import type { Outcome } from '@hnotif/core/sinks';
import { settle } from '../../../core/src/testing/clock.ts';
import { anEvent, progress } from '../../../core/src/testing/events.ts';
import { addressOf, delivered, down, hang, pause, rig } from './testing/rig.ts';
import { runs } from '../../../core/src/testing/runs.ts';

const start = (planUid: string, seq = 1): LifecycleEvent => anEvent('Start', seq, { planUid });
const refused: Outcome = {
  kind: 'rejected-configuration',
  reason: 'InvalidToken',
  message: 'make a new token',
};
const unwanted: Outcome = { kind: 'rejected-payload', reason: 'TooLong', message: 'too long' };
/** Time enough for four requests with back-off, but not for a probe (milliseconds). */
const A_SEND = 20_000;

/** A parked sink. The test can change the outcome of its receiver. */
async function parked(plans: readonly string[] = ['a', 'b', 'c'], outcome: Outcome = down) {
  const world = { answer: (_: LifecycleEvent): Outcome | Promise<Outcome> => outcome };
  const setup = rig(({ event }) => world.answer(event), { limits: { retries: 0 } });
  for (const plan of plans) setup.submit(start(plan));
  await settle();
  const asked = setup.requests.length;
  return { ...setup, world, since: () => setup.requests.slice(asked) };
}

describe('a receiver that is down', () => {
  it('gets one send, then one request after 30 s; the wait doubles each time, up to 10 min; nothing fails', async () => {
    const { clock, dispatcher, submit, requests, results } = rig(() => down);
    submit(start('a'));
    submit({ ...progress(2, 'db'), planUid: 'a' });
    await clock.advance(A_SEND);
    expect(requests).toEqual(Array(4).fill('s/a/1'));
    const at: number[] = [];
    for (let minute = 0; minute < 60; minute++) {
      const before = requests.length;
      await clock.advance(60_000);
      if (requests.length > before) at.push(minute);
      expect(requests.length - before).toBeLessThanOrEqual(1);
    }
    expect(at.slice(0, 5)).toEqual([0, 1, 3, 7, 15]);
    expect(at.slice(5)).toEqual([25, 35, 45, 55]);
    expect(results()).toEqual(['2 dropped expired']);
    expect(dispatcher.stats().deliveries).toBe(1);
    expect(dispatcher.waitOf(addressOf('s'))?.kind).toBe('parked');
  });

  it('is probed with one stream head after the other, so that no head blocks the others', async () => {
    const { clock, since } = await parked(['a', 'b', 'c']);
    await clock.advance(30_000 + 60_000 + 120_000 + 240_000);
    expect(since()).toEqual(['s/a/1', 's/b/1', 's/c/1', 's/a/1']);
  });

  it('gets no new events, not even of other plans', async () => {
    const { clock, since, submit } = await parked(['a']);
    submit(start('b'));
    submit(start('a', 2));
    await clock.advance(29_999);
    expect(since()).toEqual([]);
  });

  it('that recovers gets one request, then all, each stream in its order', async () => {
    const { clock, world, since, submit, released } = await parked(['a', 'b', 'c', 'd']);
    submit(start('a', 2));
    const held: (() => void)[] = [];
    world.answer = () => new Promise((resolve) => held.push(() => resolve(delivered)));
    await clock.advance(30_000);
    expect(since()).toEqual(['s/a/1']);
    held.shift()?.();
    await settle();
    expect(since()).toEqual(['s/a/1', 's/b/1']);
    held.shift()?.();
    await settle();
    expect(since().slice(2)).toEqual(['s/c/1', 's/d/1', 's/a/2']);
    expect(released).toEqual(['s 4 30000']);
  });

  it('that fails again at once is probed after 30 s, whatever the waits before', async () => {
    const { clock, world, since } = await parked(['a', 'b']);
    await clock.advance(30_000 + 60_000);
    world.answer = ({ planUid }) => (planUid === 'a' ? delivered : down);
    await clock.advance(120_000);
    expect(since()).toEqual(['s/a/1', 's/b/1', 's/a/1', 's/b/1']);
    await clock.advance(29_999);
    expect(since()).toHaveLength(4);
    await clock.advance(1);
    expect(since()).toHaveLength(5);
  });

  it('has recovered when it answers a request that began before it was parked', async () => {
    const held: ((outcome: Outcome) => void)[] = [];
    const { submit, results, requests } = rig(
      ({ event }) =>
        event.planUid === 'slow' ? new Promise<Outcome>((resolve) => held.push(resolve)) : answers.shift()!,
      { limits: { retries: 0 } },
    );
    const answers = [down, delivered];
    submit(start('slow'));
    submit(start('b', 2));
    await settle();
    expect(requests).toHaveLength(2);
    held[0]?.(delivered);
    await settle();
    expect(results()).toEqual(['1 delivered', '2 delivered']);
  });

  it('is still quarantined by a request that began before it was parked and then fails', async () => {
    const held: ((outcome: Outcome) => void)[] = [];
    const { submit, setbacks } = rig(
      ({ event: { planUid } }) =>
        planUid === 'slow'
          ? new Promise<Outcome>((resolve) => held.push(resolve))
          : planUid === 'good'
            ? delivered
            : refused,
      { limits: { retries: 0 } },
    );
    for (const plan of ['slow', 'good']) submit(start(plan));
    await settle();
    submit(start('b'));
    await settle();
    held[0]?.(down);
    await settle();
    // It does not hide a fault that a user must correct.
    expect(setbacks.map(({ kind, begun, reason }) => `${kind} ${begun} ${reason}`)).toEqual([
      'quarantined true InvalidToken',
      'quarantined false InvalidToken',
    ]);
  });

  it('that recovers gets all retries for each head, also for a head that had used some before', async () => {
    const world = { isDown: true };
    const { clock, submit, requests } = rig(({ event: { planUid } }) =>
      planUid === 'a' || world.isDown ? (planUid === 'b' ? refused : down) : delivered,
    );
    submit(start('a'));
    await clock.advance(1_000);
    const begun = requests.length;
    expect(begun).toBeGreaterThan(1);
    submit(start('b'));
    await clock.advance(20_000);
    expect(requests).toHaveLength(begun + 1);
    world.isDown = false;
    await clock.advance(10_000);
    expect(requests[begun + 1]).toBe('s/b/1');
    await clock.advance(20_000);
    expect(requests.slice(begun + 2)).toEqual(Array(4).fill('s/a/1'));
  });

  it('does not get a delivery that was selected before and waited for a token', async () => {
    const { clock, submit, requests, results } = rig(
      () => (answers.length > 0 ? answers.shift()! : delivered),
      {
        limits: { retries: 0 },
        sink: { rates: [{ key: 'own', perSecond: 0.1, burst: 1 }] },
      },
    );
    const answers: Outcome[] = [down];
    for (const plan of ['a', 'b', 'c']) submit(start(plan));
    await clock.advance(29_999);
    expect(requests).toEqual(['s/a/1']);
    await clock.advance(60_000);
    expect(results()).toHaveLength(3);
  });

  it('and asks for a pause at a probe gets its next probe after the pause', async () => {
    const { clock, world, since, results } = await parked(['a', 'b']);
    world.answer = () => pause(300_000);
    await clock.advance(30_000);
    expect(since()).toEqual(['s/a/1']);
    world.answer = () => delivered;
    await clock.advance(299_999);
    expect(since()).toHaveLength(1);
    await clock.advance(1);
    expect(results()).toHaveLength(2);
    expect(since()[1]).toBe('s/a/1');
  });

  it('and refuses a message at a probe has recovered: that message has failed, the others are sent', async () => {
    const { clock, world, results, released } = await parked(['a', 'b']);
    world.answer = ({ planUid }) => (planUid === 'a' ? unwanted : delivered);
    await clock.advance(30_000);
    expect(results()).toEqual(['1 failed TooLong', '1 delivered']);
    expect(released).toEqual(['s 1 30000']);
  });

  it('is reported once, then at each probe with the number of waiting deliveries and the next time', async () => {
    const { clock, setbacks, submit, dispatcher } = await parked(['a']);
    const since = clock.now();
    submit(start('b', 2));
    expect(dispatcher.waitOf(addressOf('s'))).toMatchObject({ kind: 'parked', since, waiting: 2 });
    await clock.advance(30_000);
    expect(setbacks).toEqual([
      {
        ...{ kind: 'parked', begun: true, reason: 'ServerError', message: 'HTTP 500', since },
        ...{ nextAt: since + 30_000, waiting: 1, lasting: false },
      },
      {
        ...{ kind: 'parked', begun: false, reason: 'ServerError', message: 'HTTP 500', since },
        ...{ nextAt: since + 90_000, waiting: 2, lasting: true },
      },
    ]);
    await clock.advance(24 * 3_600_000);
    expect(dispatcher.waitOf(addressOf('s'))).toBeUndefined();
  });

  it('while its secret cannot be read is parked, and gets messages when the secret can be read', async () => {
    let readable = false;
    const outcome: Outcome = { kind: 'transient', reason: 'SecretMissing', message: 'create it' };
    const { clock, submit, results, setbacks } = rig(() => delivered, {
      resolve: () => (readable ? undefined : { kind: 'unready', outcome }),
    });
    submit(start('a'));
    await clock.advance(A_SEND);
    expect(setbacks).toMatchObject([{ kind: 'parked', reason: 'SecretMissing' }]);
    readable = true;
    await clock.advance(30_000);
    expect(results()).toEqual(['1 delivered']);
  });
});

describe('a probe', () => {
  it('that needs no request is followed by the next head at once', async () => {
    const suppressed = new Set<string>();
    const { clock, submit, requests, results } = rig(() => (requests.length > 2 ? delivered : down), {
      limits: { retries: 0 },
      sink: { suppresses: ({ planUid }) => suppressed.has(planUid) },
    });
    submit(start('a'));
    submit(start('b', 2));
    await settle();
    suppressed.add('a');
    await clock.advance(30_000);
    expect(results()).toEqual(['1 suppressed', '2 delivered']);
  });

  it('that must wait lets the next head go first', async () => {
    const { clock, world, since, results } = await parked(['a', 'b']);
    world.answer = ({ planUid }) => (planUid === 'a' ? { kind: 'wait', forMs: 5_000 } : delivered);
    await clock.advance(30_000);
    expect(since()).toEqual(['s/a/1', 's/b/1']);
    expect(results()).toEqual(['1 delivered']);
  });

  it('of several requests is one delivery, and closes the circuit when it has arrived', async () => {
    const { clock, world, since, results } = await parked(['a', 'b']);
    const answers: Outcome[] = [{ kind: 'continue', anew: true }, { kind: 'continue', anew: false }, down];
    world.answer = () => answers.shift() ?? delivered;
    await clock.advance(30_000);
    expect(since()).toEqual(['s/a/1', 's/a/1', 's/a/1']);
    await clock.advance(60_000);
    expect(since()[3]).toBe('s/b/1');
    expect(results()).toHaveLength(2);
  });
});

describe('a message that fails while others of its sink arrive', () => {
  it('waits alone, and has failed after three sends, with the last reason; its stream continues', async () => {
    const poison = (event: LifecycleEvent) => event.planUid === 'bad' && event.seq === 1;
    const reasons = ['One', 'Two', 'Three'];
    const { clock, submit, results, requests, setbacks } = rig(({ event }) =>
      poison(event)
        ? { ...down, reason: reasons[Math.floor((bad() - 1) / 4)] ?? 'Four', message: '' }
        : delivered,
    );
    const bad = () => requests.filter((request) => request === 's/bad/1').length;
    submit(start('bad'));
    submit(start('bad', 2));
    for (let second = 0; second < 180; second++) {
      submit(start('good', 100 + second));
      await clock.advance(1_000);
    }
    expect(bad()).toBe(12);
    expect(setbacks.map(({ kind, reason }) => `${kind} ${reason}`)).toEqual(['held One', 'held Two']);
    expect(results().filter((result) => /^[12] /.test(result))).toEqual(['1 failed Three', '2 delivered']);
    expect(results()).toHaveLength(182);
  });

  it('is never given up because the receiver is down', async () => {
    const { clock, world, results } = await parked(['a', 'b']);
    // The receiver recovers and fails again. When the stream `a` is the first to be probed, it is always down.
    for (let round = 0; round < 8; round++) {
      world.answer = () => down;
      await clock.advance(1_200_000);
    }
    world.answer = () => delivered;
    await clock.advance(1_200_000);
    expect(results()).toEqual(['1 delivered', '1 delivered']);
  });

  it('for a refused credential is given up too, although each refusal takes no time', async () => {
    const { clock, submit, results, setbacks } = rig(({ event }) =>
      event.planUid === 'bad' ? refused : delivered,
    );
    submit(start('bad'));
    for (let second = 0; second < 300; second++) {
      submit(start('good', 100 + second));
      await clock.advance(1_000);
    }
    expect(results().filter((result) => result.startsWith('1 '))).toEqual(['1 failed InvalidToken']);
    expect(setbacks.map(({ kind }) => kind)).toEqual(['quarantined', 'held', 'held']);
    await clock.advance(600_000);
    expect(results()).toHaveLength(301);
  });
});

describe('a refused configuration', () => {
  it('quarantines the sink at the first refusal; nothing fails', async () => {
    const { clock, dispatcher, submit, requests, results, setbacks } = rig(() => refused);
    submit(start('a'));
    await settle();
    submit(start('b'));
    await clock.advance(29_999);
    expect(requests).toEqual(['s/a/1']);
    expect(setbacks).toMatchObject([{ kind: 'quarantined', begun: true, reason: 'InvalidToken' }]);
    expect(dispatcher.waitOf(addressOf('s'))?.kind).toBe('quarantined');
    await clock.advance(3_600_000);
    expect(results()).toEqual([]);
  });

  it('is tried at once when it changes', async () => {
    const { dispatcher, clock, world, results } = await parked(['a', 'b'], refused);
    await clock.advance(1_000_000);
    world.answer = () => delivered;
    dispatcher.configurationChanged(addressOf('other'));
    await clock.advance(0);
    expect(results()).toEqual([]);
    dispatcher.configurationChanged(addressOf('s'));
    await clock.advance(0);
    expect(results()).toHaveLength(2);
  });

  it('that changes during a probe is tried again when the probe has failed', async () => {
    const { dispatcher, clock, world, since } = await parked(['a', 'b'], refused);
    const held: ((outcome: Outcome) => void)[] = [];
    world.answer = () => new Promise((resolve) => held.push(resolve));
    await clock.advance(30_000);
    dispatcher.configurationChanged(addressOf('s'));
    await clock.advance(0);
    expect(since()).toHaveLength(1);
    held[0]?.(refused);
    await clock.advance(0);
    expect(since()).toHaveLength(2);
    held[1]?.(refused);
    await clock.advance(119_999);
    expect(since()).toHaveLength(2);
  });

  it('is reported when the receiver was down before, and the reverse; a running request does not hide it', async () => {
    const { clock, world, setbacks } = await parked(['a'], down);
    world.answer = () => refused;
    await clock.advance(30_000);
    world.answer = () => down;
    await clock.advance(60_000 + 120_000);
    expect(setbacks.map(({ kind, begun }) => `${kind} ${begun}`)).toEqual([
      'parked true',
      'quarantined true',
      'parked true',
      'parked false',
    ]);
  });
});

describe('a parked sink that is deleted', () => {
  it('drops its waiting deliveries at once, and leaves no state', async () => {
    const { clock, dispatcher, results } = await parked(['a', 'b']);
    dispatcher.unsubscribe(addressOf('s'));
    await settle();
    expect(results()).toEqual(['1 dropped unsubscribed', '1 dropped unsubscribed']);
    expect(clock.timers).toBe(0);
    expect(dispatcher.waitOf(addressOf('s'))).toBeUndefined();
  });

  it('has no state when its last delivery has expired', async () => {
    const { clock, dispatcher, submit, requests } = rig(() => down, {
      limits: { retries: 0, maxAgeOfProgressMs: 1_000 },
    });
    submit(progress(1, 'db'));
    await clock.advance(61_000);
    expect(dispatcher.stats()).toMatchObject({ deliveries: 0, streams: 0 });
    expect(clock.timers).toBe(0);
    submit(anEvent('Start', 2));
    await settle();
    expect(requests).toHaveLength(2);
  });
});

it('a receiver that is sometimes down gets everything, once each, in order (property)', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(3), fc.nat(60)), { minLength: 1, maxLength: 40 }),
      fc.array(fc.tuple(fc.nat(600), fc.constantFrom(down, refused, pause(5_000), delivered)), {
        maxLength: 12,
      }),
      async (events, phases) => {
        let outcome: Outcome = delivered;
        let inFlight = 0;
        const setup = rig(async () => {
          const now = outcome;
          inFlight++;
          await Promise.resolve();
          const kind = setup.dispatcher.waitOf(addressOf('s'))?.kind;
          if (kind === 'parked' || kind === 'quarantined') expect(inFlight).toBeLessThanOrEqual(4);
          inFlight--;
          return now;
        });
        const rest = [...phases];
        for (const [seq, [plan, seconds]] of events.entries()) {
          const phase = rest.shift();
          if (phase !== undefined) outcome = phase[1];
          setup.submit(start(`p${plan}`, seq));
          await setup.clock.advance(seconds * 1_000);
          if (phase !== undefined) await setup.clock.advance(phase[0] * 1_000);
        }
        outcome = delivered;
        await setup.clock.advance(1_800_000);
        expect(setup.settled.map(({ result }) => result)).toEqual(events.map(() => 'delivered'));
        for (const plan of new Set(events.map(([uid]) => `p${uid}`))) {
          const seqs = setup.settled
            .filter(({ event }) => event.planUid === plan)
            .map(({ event }) => event.seq);
          expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
        }
        expect(setup.clock.timers).toBe(0);
      },
    ),
    { seed: 11, numRuns: runs(20) },
  );
});

describe('a stop', () => {
  it('does not wait for parked, held or long paused deliveries', async () => {
    const { clock, stop, submit, results } = rig(
      ({ sinkName, event }) => {
        if (sinkName === 'paused') return pause(600_000);
        return sinkName === 'open' && event.planUid !== 'bad' ? delivered : down;
      },
      { limits: { backoffMinMs: 1, backoffMaxMs: 10 } },
    );
    for (const sink of ['parked', 'paused', 'open']) submit(start('bad'), sink);
    await settle();
    submit(start('good', 2), 'open');
    await clock.advance(1_000);
    const before = clock.monotonic();
    await stop(20_000);
    expect(clock.monotonic()).toBe(before);
    expect(results().slice(1)).toEqual(Array(3).fill('1 dropped shutdown'));
    expect(clock.timers).toBe(0);
  });

  it('sends what can be sent while a sink is parked', async () => {
    const { clock, stop, submit, results } = rig(
      ({ sinkName, event }) => (sinkName === 'parked' ? down : event.seq < 3 ? answers.shift()! : delivered),
      { limits: { retries: 1 } },
    );
    const answers: Outcome[] = [down, delivered];
    submit(start('a'), 'parked');
    await clock.advance(10_000);
    submit(start('a', 2));
    submit(start('a', 3));
    const drained = stop(30_000);
    await clock.advance(5_000);
    await drained;
    expect(results()).toEqual(['2 delivered', '3 delivered', '1 dropped shutdown']);
    expect(clock.timers).toBe(0);
  });

  it('keeps stored deliveries in the logs for the next process, and does not report them', async () => {
    const { clock, dispatcher, submit, results } = rig((delivery, attempt) =>
      delivery.sinkName === 'parked' ? down : hang(delivery, attempt),
    );
    submit(start('a'), 'parked');
    submit(start('a', 2), 'parked');
    submit(start('b', 3), 'busy');
    submit(start('b', 4), 'busy');
    await clock.advance(A_SEND);
    const drained = dispatcher.drain(5_000);
    await clock.advance(5_000);
    await drained;
    const dropped = dispatcher.dropRest((_, { seq }) => seq < 4);
    expect(dropped).toBe(1);
    expect(results()).toEqual(['4 dropped shutdown']);
    expect(dispatcher.stats()).toMatchObject({ deliveries: 3, streams: 0, inFlight: 0 });
    expect(clock.timers).toBe(0);
  });

  it('that is immediate reports nothing, not even an answer that has arrived, and ends a running drain', async () => {
    const signals: AbortSignal[] = [];
    const { clock, dispatcher, submit, results } = rig((delivery, attempt) => {
      signals.push(attempt.signal);
      return hang(delivery, attempt).then(() => delivered);
    });
    submit(start('a'));
    submit(start('a', 2));
    await settle();
    const drained = dispatcher.drain(30_000);
    dispatcher.abort();
    await drained;
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    await settle();
    submit(start('b'));
    await settle();
    expect(signals).toHaveLength(1);
    expect(results()).toEqual([]);
    expect(dispatcher.stats()).toMatchObject({ streams: 0, inFlight: 0 });
    expect(clock.timers).toBe(0);
  });
});
