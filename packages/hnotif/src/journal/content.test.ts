import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { streamKey, type StreamName } from '../dispatch/log-entry.ts';
import type { PlanLog } from '../dispatch/plan-log.ts';
import { derive } from '../lifecycle/derive.ts';
import type { LifecycleEvent } from '../lifecycle/event.ts';
import { emptyBaseline } from '../lifecycle/observed.ts';
import { histories } from '../lifecycle/testing/history.ts';
import { anEvent } from '../testing/events.ts';
import {
  cursorsContent,
  eventsOf,
  logContent,
  observedContent,
  observedOf,
  shortLog,
  shortObserved,
  type KeptEvent,
} from './content.ts';
import { readEntry } from './kept.ts';
import { add, aLog, settle, waits } from './testing/log.ts';
import { pack, unpack } from './text.ts';

const OPS: StreamName = { notification: 'night', sink: 'ops', type: 'webhook' };
const CHAT: StreamName = { notification: 'night', sink: 'chat', type: 'teamchat' };

const subjectOf = ({ namespace, plan, planUid }: LifecycleEvent) => ({ namespace, name: plan, uid: planUid });

const thereAndBack = (json: unknown): unknown => JSON.parse(JSON.stringify(json));

/** What waits in a log, as plain values. */
const plain = (log: PlanLog): KeptEvent[] =>
  log.entries().map((entry) => ({
    event: log.eventOf(entry),
    acceptedAt: entry.acceptedAt,
    to: waits(log, entry).map(({ to: { notification, sink }, sinkType: type }) => ({
      notification,
      sink,
      type,
    })),
  }));

describe('the content of a journal', () => {
  it('keeps what was observed and what waits, whatever is settled after the log was written, and in which order', () => {
    fc.assert(
      fc.property(histories, fc.infiniteStream(fc.integer({ min: 0, max: 5 })), ({ writes }, draws) => {
        let seen = emptyBaseline('epoch');
        const log = aLog(writes[0]?.plan);
        let any: LifecycleEvent | undefined;
        let content = logContent(log);
        for (const { plan, at } of writes) {
          const { observed, events } = derive(seen, plan, at, { failureAfterMs: Infinity });
          seen = observed;
          any ??= events[0];
          add(log, events, [OPS, CHAT], at);
          if (events.length > 0) content = logContent(log);
          for (const { seq } of log.entries())
            for (const stream of [OPS, CHAT])
              if (draws.next().value === 0) settle(log, seq, streamKey(stream));
          if (content === undefined || any === undefined) continue;
          const cursors = cursorsContent(log, content.streams);
          const events_ = eventsOf(thereAndBack(content), thereAndBack(cursors), subjectOf(any));
          expect([...events_()]).toEqual(plain(log));
        }
        expect(observedOf(thereAndBack(observedContent(seen)))).toEqual(seen);
      }),
      { seed: 20260301, numRuns: 100 },
    );
  });

  it('names each set of subscribers once, and of what a stream skips the ranges', () => {
    const log = aLog();
    const events = Array.from({ length: 300 }, (_, n) => anEvent('PhaseChange', n + 1));
    add(log, events, [OPS, CHAT], 1);
    const { groups, streams } = logContent(log)!;
    log.remove(log.streams.get(streamKey(OPS))!, ({ seq }) => seq > 2 && seq < 280 && seq !== 100);
    expect(groups).toEqual([[0, 1]]);
    expect(streams).toEqual([OPS, CHAT]);
    expect(cursorsContent(log, streams)).toEqual([[1, 3, 99, 101, 279], [1]]);
    log.remove(log.streams.get(streamKey(CHAT))!, () => true);
    expect(cursorsContent(log, streams)).toEqual([[1, 3, 99, 101, 279], []]);
  });

  it('is nothing where nothing waits', () => {
    expect(logContent(aLog())).toBeUndefined();
  });

  it.each([
    ['nothing', 'null'],
    ['no JSON', '{'],
    ['no observation', '{}'],
    ['not what it says', 'deflate-raw+base64:AAAA'],
  ])('cannot be read when it is %s', (_, observed) => {
    const entry = { name: 'b', gen: 1, waiting: 0, observed, sinks: {}, outcomes: [] };
    expect(readEntry(entry, { namespace: 'a', name: 'b', uid: 'c' })).toBeUndefined();
  });
});

describe('layouts 1 and 2', () => {
  const row = ['db', 'rds', 'Running', 'stopping'];
  const { targets: _, ...observed } = emptyBaseline('epoch');
  const event = (seq: number) => {
    const { id, kind, run, cycle, operation, phase, previousPhase, timestamp } = anEvent('Start', seq);
    return { id, seq, kind, run, cycle, operation, phase, previousPhase, timestamp, acceptedAt: seq };
  };
  const root = {
    key: JSON.stringify(['team-a/night/chat', 'uid-1', 'c1', 'shutdown']),
    ...{ status: 'Starting', sent: 'digest', place: { asked: '#ops', channel: 'C1', ts: '1.2' } },
  };
  const rest = { observed: { ...observed, targets: [[...row, 'job']] }, roots: [root], outcomes: ['a line'] };
  const old = (layout: 1 | 2, json: object) =>
    readEntry(
      { layout, name: 'night', gen: 7, waiting: 3, encoding: 'json', content: JSON.stringify(json) },
      { namespace: 'team-a', name: 'night', uid: 'uid-1' },
    );

  it.each([
    [
      1 as const,
      {
        ...rest,
        streams: [OPS, CHAT],
        log: [
          { ...event(1), waits: [1] },
          { ...event(2), waits: [0, 1] },
        ],
      },
    ],
    [
      2 as const,
      {
        ...rest,
        streams: [
          { ...OPS, next: 2 },
          { ...CHAT, next: 1 },
        ],
        groups: [[0, 1]],
        log: [
          { ...event(1), to: 0 },
          { ...event(2), to: 0 },
        ],
      },
    ],
  ])('are read: %i', (layout, json) => {
    const kept = old(layout, json)!;
    expect(kept.gen).toBe(7);
    expect(kept.outcomes).toEqual(['a line']);
    expect(kept.observed.targets).toMatchObject([{ name: 'db', state: 'Running', jobRef: 'job' }]);
    expect([...kept.events()]).toMatchObject([
      { to: [CHAT], acceptedAt: 1, event: { seq: 1, targets: [{ name: 'db', message: 'stopping' }] } },
      { to: [OPS, CHAT], acceptedAt: 2, event: { seq: 2 } },
    ]);
    expect(kept.sinks).toEqual([
      {
        stream: 'night/chat',
        key: '["c1","shutdown"]',
        value: { plan: 'night', status: 'Starting', sent: 'digest', place: root.place },
      },
    ]);
  });

  it('are bounded when they are read: what inflates to more is not unpacked', () => {
    const content = deflateRawSync(Buffer.alloc(64 * 1024 * 1024, ' ')).toString('base64');
    const entry = { layout: 2, name: 'n', gen: 1, waiting: 0, encoding: 'deflate', content } as const;
    expect(readEntry(entry, { namespace: 'a', name: 'n', uid: 'c' })).toBeUndefined();
  });
});

describe('the texts of a journal', () => {
  it('are JSON up to 16 KiB, and deflated above, which they say', async () => {
    const short = JSON.stringify('x'.repeat(10_000));
    expect(await pack(short)).toBe(short);
    const long = JSON.stringify('x'.repeat(20_000));
    expect(await pack(long)).toMatch(/^deflate-raw\+base64:[A-Za-z0-9+/]{20,400}=*$/);
    expect(unpack((await pack(long))!)).toBe('x'.repeat(20_000));
  });

  it('are not written longer than they would be read', async () => {
    expect(await pack(JSON.stringify('x'.repeat(9 * 1024 * 1024)))).toBeUndefined();
    const bomb = deflateRawSync(Buffer.alloc(64 * 1024 * 1024, ' ')).toString('base64');
    expect(bomb.length).toBeLessThan(100_000);
    expect(() => unpack(`deflate-raw+base64:${bomb}`)).toThrow();
  });

  it('are small enough for a plan of 5,000 targets with 256 events that wait', async () => {
    const rows = Array.from({ length: 5_000 }, (_, n) => ({
      name: `instance-${n}-${((n * 2654435761) >>> 0).toString(36)}`,
      ...{ executor: 'ec2', state: 'Running', message: 'waiting for the instance to stop' },
    }));
    const log = aLog();
    let table = rows;
    for (let seq = 1; seq <= 256; seq++) {
      table = table.with(seq, { ...rows[seq]!, state: 'Completed', message: '' });
      add(log, [anEvent('ExecutionProgress', seq, { targets: table })], [OPS], seq);
    }
    const content = logContent(log)!;
    const text = (await pack(JSON.stringify(content)))!;
    expect(text.length).toBeLessThan(200_000);
    const read = [...eventsOf(unpack(text), [[1]], subjectOf(anEvent('Start', 1)))()];
    expect(read.at(-1)?.event).toEqual(log.eventOf(log.entries().at(-1)!));
  });

  it('are brought down by shortening messages: 256 characters, 1,024 of what failed', () => {
    const state = 'Failed';
    const targets = [
      { name: 'db', executor: 'rds', state: 'Running', message: 'x'.repeat(2_000), jobRef: '' },
      { name: 'web', executor: 'ec2', state, message: 'x'.repeat(2_000), jobRef: '' },
    ];
    const observed = shortObserved(
      observedContent({ ...emptyBaseline('epoch'), targets, errorMessage: '😀'.repeat(600) }),
    );
    expect(observed.targets.map(([, , , message]) => message.length)).toEqual([256, 1_024]);
    expect(observed.errorMessage.isWellFormed()).toBe(true);
    expect(observed.errorMessage.length).toBeLessThanOrEqual(1_024);
    const log = aLog();
    const event = { targets, targetExecution: targets[1], errorMessage: 'y'.repeat(2_000) };
    add(log, [anEvent('Failure', 1), anEvent('Failure', 2, event)], [OPS], 1);
    const [first, second] = shortLog(logContent(log)!).events;
    expect(first?.errorMessage).toBeUndefined();
    expect(second?.target?.[3]).toBe(`${'x'.repeat(1_023)}…`);
    expect(second?.errorMessage).toBe(`${'y'.repeat(1_023)}…`);
    expect(JSON.stringify(second?.change).length).toBeLessThan(1_500);
  });
});
