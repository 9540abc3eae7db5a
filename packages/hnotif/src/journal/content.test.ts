import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { derive } from '../lifecycle/derive.ts';
import type { LifecycleEvent } from '../lifecycle/event.ts';
import { emptyBaseline } from '../lifecycle/observed.ts';
import { histories } from '../lifecycle/testing/history.ts';
import type { Plan } from '../resources/plan.ts';
import { fold, rootKey } from '../sinks/teamchat/thread/root.ts';
import { anEvent } from '../testing/events.ts';
import { streamKey, type StreamName } from '../dispatch/log-entry.ts';
import { contentOf, keptOf, type Kept } from './content.ts';
import { fit, LARGEST_TEXT } from './fit.ts';
import { JournalState } from './state.ts';
import { add, aLog, settle, waits } from './testing/log.ts';
import { unpack } from './text.ts';

const OPS: StreamName = { notification: 'night', sink: 'ops', type: 'webhook' };
const CHAT: StreamName = { notification: 'night', sink: 'chat', type: 'teamchat' };

const subjectOf = ({ namespace, plan, planUid }: LifecycleEvent) => ({ namespace, name: plan, uid: planUid });

const aState = (observed = emptyBaseline('epoch'), plan?: Plan): JournalState =>
  new JournalState(observed, aLog(plan));

/** All that is kept, as plain values. */
const plain = ({ observed, log, roots, outcomes }: JournalState) => ({
  observed,
  waiting: log.entries().map((entry) => ({
    event: log.eventOf(entry),
    acceptedAt: entry.acceptedAt,
    to: waits(log, entry).map(({ to, sinkType }) => ({
      notification: to.notification,
      sink: to.sink,
      type: sinkType,
    })),
  })),
  roots: [...roots],
  outcomes,
});

const plainKept = ({ observed, events, roots, outcomes }: Kept) => ({
  observed,
  waiting: [...events()],
  roots,
  outcomes,
});

const thereAndBack = (state: JournalState, subject: Parameters<typeof keptOf>[2]): Kept =>
  keptOf(JSON.parse(JSON.stringify(contentOf(state))), 2, subject);

describe('the content of a journal', () => {
  it('keeps what was observed and what waits, whatever is settled and in which order', () => {
    fc.assert(
      fc.property(histories, fc.infiniteStream(fc.integer({ min: 0, max: 3 })), ({ writes }, draws) => {
        const state = aState(undefined, writes[0]?.plan);
        let any: LifecycleEvent | undefined;
        for (const { plan, at } of writes) {
          const { observed, events } = derive(state.observed, plan, at, { failureAfterMs: Infinity });
          state.observed = observed;
          add(state.log, events, [OPS, CHAT], at);
          for (const { seq } of state.log.entries())
            for (const stream of [OPS, CHAT])
              if (draws.next().value === 0) settle(state.log, seq, streamKey(stream));
          any ??= events[0];
        }
        if (any !== undefined) expect(plainKept(thereAndBack(state, subjectOf(any)))).toEqual(plain(state));
      }),
      { seed: 20260301, numRuns: 100 },
    );
  });

  it('keeps roots and outcomes', () => {
    const state = aState();
    const event = anEvent('Failure', 3, {
      targets: [{ name: 'db', executor: 'rds', state: 'Failed', message: 'no' }],
      errorMessage: 'boom',
      retryCount: 2,
    });
    const key = rootKey({ namespace: 'team-a', notification: 'night', sink: 'chat' }, event) ?? '';
    const place = { asked: '#ops', channel: 'C1', ts: '1.2' };
    state.keepRoot(key, { wanted: fold(undefined, event), sent: 'digest', place });
    state.keepRoot(key.replace('c1', 'c2'), { wanted: fold(undefined, event), sent: '', place: undefined });
    const ending = { at: 'now', seq: 3, event: 'Failure', stream: 'night/chat' };
    state.tell({ ...ending, count: 1, result: 'failed', reason: 'Gone' });
    state.tell({ ...ending, count: 40, result: 'dropped', reason: 'overflow' });
    expect(plainKept(thereAndBack(state, subjectOf(event)))).toEqual(plain(state));
    expect(state.outcomes).toEqual([
      'now #3 Failure night/chat failed Gone',
      'now #3 Failure night/chat dropped overflow (40)',
    ]);
  });

  it('names each set of subscribers once, and of what a stream skips the ranges', () => {
    const state = aState();
    const events = Array.from({ length: 300 }, (_, n) => anEvent('PhaseChange', n + 1));
    add(state.log, events, [OPS, CHAT], 1);
    const ops = state.log.streams.get(streamKey(OPS))!;
    state.log.remove(ops, ({ seq }) => seq > 2 && seq < 280 && seq !== 100);
    const { groups, streams } = contentOf(state);
    expect(groups).toEqual([[0, 1]]);
    expect(streams).toEqual([
      {
        ...OPS,
        next: 1,
        skips: [
          [3, 99],
          [101, 279],
        ],
      },
      { ...CHAT, next: 1 },
    ]);
    expect(plainKept(thereAndBack(state, subjectOf(events[0]!)))).toEqual(plain(state));
  });

  it('reads layout 1, in which each event names the streams that it waits in', () => {
    const state = aState();
    const events = [anEvent('Start', 1), anEvent('Success', 2)];
    add(state.log, events, [OPS, CHAT], 1);
    settle(state.log, 1, streamKey(OPS));
    const { groups: _, streams, log, ...content } = contentOf(state);
    const old = {
      ...content,
      streams: streams.map(({ notification, sink, type }) => ({ notification, sink, type })),
      log: log.map(({ to: _, ...event }) => ({ ...event, waits: event.seq === 1 ? [1] : [0, 1] })),
    };
    const kept = keptOf(JSON.parse(JSON.stringify(old)), 1, subjectOf(events[0]!));
    expect(plainKept(kept)).toEqual(plain(state));
  });

  it('tells the target table once where all that waits is of the last change', () => {
    const row = { name: 'db', executor: 'rds', state: 'Running', message: 'stopping' };
    const state = aState({ ...emptyBaseline('epoch'), targets: [{ ...row, jobRef: 'job' }] });
    const event = anEvent('ExecutionProgress', 1, { targets: [row] });
    add(state.log, [event], [OPS], 1);
    expect(contentOf(state)).not.toHaveProperty('table');
    expect(plainKept(thereAndBack(state, subjectOf(event)))).toEqual(plain(state));
    state.observed = { ...state.observed, targets: [{ ...row, state: 'Completed', jobRef: 'job' }] };
    expect(contentOf(state).table).toEqual([['db', 'rds', 'Running', 'stopping']]);
    expect(plainKept(thereAndBack(state, subjectOf(event)))).toEqual(plain(state));
  });

  it('of a sink keeps the eight roots that were saved last, of a journal the last twenty outcomes', () => {
    const state = aState();
    const keyOf = (sink: string, cycle: number): string =>
      rootKey(
        { namespace: 'team-a', notification: 'night', sink },
        anEvent('Start', 1, { cycle: `c${cycle}` }),
      ) ?? '';
    const record = { wanted: fold(undefined, anEvent('Start', 1)), sent: '', place: undefined };
    for (let cycle = 1; cycle <= 9; cycle++) state.keepRoot(keyOf('chat', cycle), record);
    state.keepRoot(keyOf('other', 1), record);
    state.keepRoot(keyOf('chat', 2), record);
    state.keepRoot(keyOf('chat', 10), record);
    expect(state.roots.has(keyOf('chat', 1))).toBe(false);
    expect(state.roots.has(keyOf('chat', 3))).toBe(false);
    expect(state.roots.has(keyOf('chat', 2))).toBe(true);
    expect(state.roots.size).toBe(9);
    for (let seq = 1; seq <= 30; seq++)
      state.tell({
        ...{ at: 'now', seq, event: 'Start', stream: 'night/ops', count: 1 },
        ...{ result: 'delivered', reason: '' },
      });
    expect(state.outcomes).toEqual(
      Array.from({ length: 20 }, (_, n) => `now #${n + 11} Start night/ops delivered`),
    );
  });

  it.each([
    ['nothing', undefined],
    ['no observation', {}],
    ['an event of a kind that is none', { ...contentOf(aState()), log: [{ kind: 'Nap' }] }],
  ])('is refused when it is %s', (_, json) => {
    expect(() => keptOf(json, 2, { namespace: 'a', name: 'b', uid: 'c' })).toThrow();
  });
});

describe('the size of a journal', () => {
  const nightOf = (targets: number, events: number, message: (target: number) => string): JournalState => {
    const rows = Array.from({ length: targets }, (_, n) => ({
      name: `instance-${n}-${((n * 2654435761) >>> 0).toString(36)}`,
      executor: 'ec2',
      state: 'Running',
      message: message(n),
    }));
    const state = aState({
      ...emptyBaseline('epoch'),
      targets: rows.map((row, n) => ({ ...row, jobRef: `team-a/job-${((n * 40503) ^ 0x5bd1e995) >>> 0}` })),
    });
    let table = rows;
    for (let seq = 1; seq <= events; seq++) {
      table = table.with(seq % targets, { ...rows[seq % targets]!, state: 'Completed', message: '' });
      add(state.log, [anEvent('ExecutionProgress', seq, { targets: table })], [OPS], seq);
    }
    return state;
  };

  it('is small enough for a plan of 5,000 targets with 256 events that wait', async () => {
    const state = nightOf(5_000, 256, () => 'waiting for the instance to stop');
    const text = await fit(contentOf(state));
    expect(text?.encoding).toBe('deflate');
    expect(text?.text.length).toBeLessThan(LARGEST_TEXT);
    const read = keptOf(unpack(text!), 2, { namespace: 'team-a', name: 'night', uid: 'uid-1' });
    expect(read.observed).toEqual(state.observed);
    const last = state.log.entries().at(-1)!;
    expect([...read.events()].at(-1)?.event).toEqual(state.log.eventOf(last));
  });

  it('is brought down by shortening messages: 256 characters, 1,024 of what failed', async () => {
    const random = (n: number): string => {
      let text = '';
      for (let part = 0; part < 300; part++) text += ((n * 300 + part) * 2654435761).toString(36);
      return text;
    };
    const state = nightOf(400, 0, random);
    add(
      state.log,
      [
        anEvent('Failure', 1, {
          errorMessage: '😀'.repeat(600),
          targets: [{ name: 'db', executor: 'rds', state: 'Failed', message: 'x'.repeat(2_000) }],
        }),
      ],
      [OPS],
      1,
    );
    const text = await fit(contentOf(state));
    expect(text).toBeDefined();
    const read = keptOf(unpack(text!), 2, { namespace: 'team-a', name: 'night', uid: 'uid-1' });
    const [kept] = read.events();
    const failure = kept?.event;
    expect(read.observed.targets[0]?.message).toBe(`${random(0).slice(0, 255)}…`);
    expect(failure?.targets[0]?.message).toBe(`${'x'.repeat(1_023)}…`);
    expect(failure?.errorMessage.isWellFormed()).toBe(true);
    expect(failure?.errorMessage.length).toBeLessThanOrEqual(1_024);
  });

  it('is told when nothing helps', async () => {
    const state = nightOf(20_000, 0, (n) => `${Math.sin(n)}${Math.cos(n)}${Math.tan(n)}`.repeat(4));
    expect(await fit(contentOf(state))).toBeUndefined();
  });

  it('is bounded when it is read: what inflates to more is not unpacked', () => {
    const bomb = deflateRawSync(Buffer.alloc(64 * 1024 * 1024, ' ')).toString('base64');
    expect(bomb.length).toBeLessThan(100_000);
    expect(() => unpack({ encoding: 'deflate', text: bomb })).toThrow();
  });
});
