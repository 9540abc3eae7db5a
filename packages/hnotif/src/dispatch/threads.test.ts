import { describe, expect, it } from 'vitest';
import { Dispatcher } from './dispatcher.ts';
import type { PlanLog } from './plan-log.ts';
import { LIMITS } from './limits.ts';
import { requestLimits } from './request-slots.ts';
import type { LifecycleEvent } from '@hnotif/core/lifecycle';
import { anEvent, progress } from '../../../core/src/testing/events.ts';
import { aPlan } from '../../../core/src/testing/plans.ts';
import { bareView } from '../../../core/src/testing/sinks.ts';
import { Stage } from '../../../core/src/sinks/teamchat/thread/testing/stage.ts';

/** A stage with the dispatcher and its buckets. */
function rig(rate = { perSecond: 1_000, burst: 1_000 }) {
  const stage = new Stage();
  const { clock, chat } = stage;
  const rateLimits = requestLimits(clock, LIMITS);
  stage.rateLimits = rateLimits;
  stage.configure({ rate });
  const ends: string[] = [];
  const degradations: string[] = [];
  const setbacks: string[] = [];
  const settledAt = new Map<string, number>();
  const dispatcher = new Dispatcher({
    clock,
    rateLimits,
    // One send, and nothing after it.
    limits: { ...LIMITS, probeMinMs: 86_400_000, probeMaxMs: 86_400_000 },
    resolve: () => ({
      kind: 'ready',
      plan: bareView,
      template: undefined,
      degradation: undefined,
      sink: stage.sink,
    }),
    listener: {
      settled({ event, result }) {
        ends.push(result);
        settledAt.set(`${event.planUid}/${event.seq}`, clock.monotonic());
      },
      attempted: () => undefined,
      degraded: (_, { reason }) => degradations.push(reason),
      sendFailed: (_, { kind }) => setbacks.push(kind),
      waits: () => undefined,
      resumed: () => undefined,
      circuitClosed: () => undefined,
      fault(error) {
        throw error;
      },
    },
  });
  const logs = new Map<string, PlanLog>();
  const submit = (event: LifecycleEvent): void => {
    const log = logs.get(event.planUid) ?? dispatcher.open({ current: aPlan({ uid: event.planUid }) });
    logs.set(event.planUid, log);
    const to = [{ notification: 'n', sink: 'ops', type: 'teamchat' } as const];
    const by = { acceptedAt: clock.now(), since: clock.monotonic(), restored: false };
    dispatcher.append(log, [{ event, to }], by);
    dispatcher.release(log, log.newest?.at ?? 0);
  };
  const calls = (word: string) => chat.calls.filter((call) => call === word).length;
  return { stage, clock, chat, ends, degradations, setbacks, submit, calls, settledAt };
}

const plans = (count: number): string[] => Array.from({ length: count }, (_, i) => `p${i}`);

describe('retries end', () => {
  it('when no request has an answer, searches included, and the doubt is reported once', async () => {
    const { clock, chat, setbacks, degradations, submit, calls } = rig();
    chat.fate = () => 'lost';
    submit(anEvent('Start', 1));
    await clock.advance(3_600_000);
    expect(setbacks).toEqual(['parked']);
    expect(degradations).toEqual(['HistoryUnavailable']);
    expect(calls('postMessage')).toBeLessThanOrEqual(4);
  });

  it.each([
    ['no message', () => true],
    ['no reply', ({ thread_ts: thread }: Record<string, unknown>) => thread !== undefined],
  ])('if %s may have been posted and is not found', async (_, isRefused) => {
    const { clock, chat, setbacks, submit } = rig();
    chat.answer = (method, fields) =>
      method === 'chat.postMessage' && isRefused(fields) ? { ok: false, error: 'fatal_error' } : undefined;
    submit(anEvent('Start', 1));
    await clock.advance(3_600_000);
    expect(setbacks).toEqual(['parked']);
    const refused = chat.requests.filter(
      ({ method, fields }) => method === 'chat.postMessage' && isRefused(fields),
    );
    expect(refused).toHaveLength(4);
  });
});

it('a new process finds 400 roots, and posts none again', async () => {
  const { stage, clock, chat, ends, submit } = rig();
  for (const planUid of plans(400)) submit(anEvent('Start', 1, { planUid }));
  await clock.advance(20_000);
  stage.restart();
  for (const planUid of plans(400)) submit({ ...progress(2, 'db'), planUid });
  await clock.advance(600_000);
  expect(chat.roots()).toHaveLength(400);
  expect(ends).toEqual(Array(800).fill('delivered'));
});

it('each call makes a request: a delivery whose root is found continues with its reply', async () => {
  const { stage, clock, chat, submit } = rig();
  for (const planUid of plans(30)) submit(anEvent('Start', 1, { planUid }));
  await clock.advance(20_000);
  stage.restart();
  // Before that, it waits for requests that the former process may have sent.
  await clock.advance(10_000);
  stage.rateLimits = { take: () => false, pause: () => undefined, giveBack: () => undefined };
  const before = chat.calls.length;
  let requests = 0;
  for (const planUid of plans(30)) {
    const state = { level: 0, unclearSince: undefined };
    do requests++;
    while ((await stage.request({ ...progress(2, 'db'), planUid }, state)).kind !== 'delivered');
  }
  expect(chat.calls.length - before).toBe(requests);
});

it('a limit of look-ups stops no message that needs no look-up', async () => {
  const { stage, clock, chat, submit, settledAt } = rig();
  for (const planUid of plans(140)) submit(anEvent('Start', 1, { planUid }));
  await clock.advance(20_000);
  stage.restart();
  chat.answer = (method) =>
    method === 'conversations.history' ? { ok: false, error: 'ratelimited', retry_after: 60 } : undefined;
  submit({ ...progress(2, 'db'), planUid: 'p0' });
  await clock.advance(2_000);
  const begun = clock.monotonic();
  submit(anEvent('Start', 1, { planUid: 'new', timestamp: new Date(clock.now()).toISOString() }));
  await clock.advance(1_000);
  expect(settledAt.get('new/1')).toBe(begun);
  expect(settledAt.has('p0/2')).toBe(false);
  // In the end it is sent, with a report that its thread may be a second one.
  await clock.advance(10 * 60_000);
  expect(settledAt.has('p0/2')).toBe(true);
});

it('a limit of updates holds for updates that wait already', async () => {
  const { clock, chat, submit, calls } = rig({ perSecond: 50 / 60, burst: 75 });
  for (const planUid of plans(75)) submit(anEvent('Start', 1, { planUid }));
  await clock.advance(1_200_000);
  for (const planUid of plans(75)) submit({ ...progress(2, 'db'), planUid });
  await clock.advance(15_000);
  const before = calls('update');
  chat.answer = (method) =>
    method === 'chat.update' ? { ok: false, error: 'ratelimited', retry_after: 60 } : undefined;
  await clock.advance(61_000);
  expect(calls('update') - before).toBeLessThanOrEqual(2);
});

it('a reply does not wait for updates', async () => {
  const { clock, submit, settledAt } = rig({ perSecond: 50 / 60, burst: 75 });
  for (const planUid of plans(75)) submit(anEvent('Start', 1, { planUid }));
  await clock.advance(1_200_000);
  for (const planUid of plans(75)) submit({ ...progress(2, 'db'), planUid });
  await clock.advance(12_000);
  const begun = clock.monotonic();
  submit(anEvent('Failure', 3, { planUid: 'p0' }));
  await clock.advance(60_000);
  expect((settledAt.get('p0/3') ?? Infinity) - begun).toBeLessThan(10_000);
});

it('a wait for a message that may still arrive takes no place of the queue', async () => {
  const { stage, clock, chat } = rig();
  chat.fate = () => 'lost';
  const state = { level: 0, unclearSince: undefined };
  await stage.request(anEvent('Start', 1), state);
  await clock.advance(1_000);
  expect(await stage.request(anEvent('Start', 1), state)).toEqual({ kind: 'wait', forMs: 9_000 });
  expect(chat.calls).toEqual(['postMessage']);
});

it('nothing is sent without a slot, and then nothing is ambiguous', async () => {
  const { stage, chat } = rig();
  stage.slot = () => false;
  const state = { level: 0, unclearSince: undefined };
  expect(await stage.request(anEvent('Start', 1), state)).toMatchObject({ kind: 'aborted' });
  stage.slot = () => true;
  expect(await stage.request(anEvent('Start', 1), state)).toEqual({ kind: 'continue', anew: true });
  stage.slot = () => false;
  expect(await stage.request(anEvent('Start', 1), state)).toMatchObject({ kind: 'aborted' });
  expect(state.unclearSince).toBeUndefined();
  expect(chat.calls).toEqual(['postMessage']);
});
