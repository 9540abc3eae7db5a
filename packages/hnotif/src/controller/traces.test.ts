import { expect, it } from 'vitest';
import type { Span } from '../observe/traces/span.ts';
import { exportRequest } from '../observe/traces/span.ts';
import { ManualClock } from '../../../core/src/testing/clock.ts';
import { anEvent } from '../../../core/src/testing/events.ts';
import { aSettlement } from '../testing/settlements.ts';
import { Traces } from './traces.ts';

function rig({ ratio = 1, room = Infinity } = {}) {
  const clock = new ManualClock();
  const spans: Span[] = [];
  const traces = new Traces({
    clock,
    ratio,
    spans: { hasRoom: () => spans.length < room, add: (span) => spans.push(span) },
    end: () => Promise.resolve(),
  });
  return { clock, spans, traces };
}

const events = Array.from({ length: 400 }, (_, seq) => anEvent('Start', seq, { id: `event-${seq}` }));

it('a ratio of the traces is sent, whole ones, and the same in each process', () => {
  const sampled = (): string[] => {
    const { spans, traces } = rig({ ratio: 0.25 });
    for (const event of events) traces.settled(aSettlement({ event }));
    return spans.map(({ traceId, name }) => `${traceId} ${name}`);
  };
  const first = sampled();
  const ids = new Set(first.map((span) => span.split(' ')[0]));
  expect(first).toHaveLength(2 * ids.size);
  expect(ids.size).toBeGreaterThan(60);
  expect(ids.size).toBeLessThan(140);
  expect(sampled()).toEqual(first);
});

it('the span of an event is sent with the end of its last delivery', () => {
  const { spans, traces } = rig();
  const settlement = aSettlement();
  const [event] = settlement.events;
  traces.settled({ ...settlement, events: [{ ...event!, open: 1 }] });
  expect(spans.map(({ name }) => name)).toEqual(['deliver webhook']);
  traces.settled(settlement);
  expect(spans.map(({ name }) => name)).toEqual(['deliver webhook', 'deliver webhook', 'Start']);
});

it('deliveries that are dropped together have a span each, with the reason', () => {
  const { spans, traces } = rig();
  const dropped = events.slice(0, 3).map((event) => ({ ...event, since: 0, open: 1 }));
  traces.settled({
    ...aSettlement({ result: 'dropped', reason: 'overflow', requestCount: 2 }),
    ...{ events: dropped, event: dropped[2]! },
  });
  expect(spans.map(({ error, attributes }) => [error, attributes['hnotif.requests']])).toEqual([
    ['overflow', 0],
    ['overflow', 0],
    ['overflow', 2],
  ]);
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(3);
});

it('times are those of the wall clock, also for what began before the process', async () => {
  const { clock, spans, traces } = rig();
  await clock.advance(5_000);
  const settlement = aSettlement();
  const [event] = settlement.events;
  traces.settled({ ...settlement, events: [{ ...event!, since: clock.monotonic() - 60_000 }] });
  expect(spans.map(({ start, end }) => [clock.now() - start, clock.now() - end])).toEqual([
    [60_000, 0],
    [60_000, 0],
  ]);
});

it('the wait before a retry begins with the end of the request before', () => {
  const { spans, traces } = rig();
  const about = aSettlement();
  const entry = { since: 0 };
  const down = { kind: 'transient', reason: 'ServerError', message: 'HTTP 500' } as const;
  traces.attempted(about, down, { entry, began: 10, ready: 11, sent: 12, ended: 20 });
  traces.attempted(
    about,
    { kind: 'delivered', status: 204 },
    { entry, began: 30, ready: 31, sent: 32, ended: 40 },
  );
  const offset = (spans[0]?.start ?? 0) - 0;
  expect(spans.map(({ name, start, end }) => `${name} ${start - offset} ${end - offset}`)).toEqual([
    'wait 0 10',
    'render 10 11',
    'request 12 20',
    'wait 20 30',
    'render 30 31',
    'request 32 40',
  ]);
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(6);
});

it('spans keep their order though the wall clock counts in whole milliseconds and the other one does not', () => {
  const { clock, spans, traces } = rig();
  const wall = clock.now();
  for (const monotonic of [0.9, 1, 1.1, 1.5, 2.4]) {
    clock.now = () => wall + Math.floor(monotonic);
    clock.monotonic = () => monotonic;
    const { length } = spans;
    traces.attempted(
      aSettlement(),
      { kind: 'delivered', status: 204 },
      { entry: { since: 0 }, began: 0.1, ready: 0.2, sent: 0.3, ended: 0.4 },
    );
    const [wait, ...others] = spans.slice(length);
    expect(others.map(({ start }) => Math.round((start - (wait?.start ?? 0)) * 10))).toEqual([1, 3]);
    expect(Math.abs((wait?.start ?? 0) - (spans[0]?.start ?? 0))).toBeLessThan(0.01);
  }
});

it('a span is encoded as the protocol demands, with long texts cut', () => {
  const { traces, spans } = rig();
  traces.settled(aSettlement({ event: anEvent('Start', 1, { cycle: 'c'.repeat(1_000) }) }));
  const text = exportRequest({ 'service.name': 'hnotif' }, '1', [
    { ...spans[1]!, start: 1_767_643_200_000.5, end: 0 },
  ]);
  const [{ scopeSpans }] = (
    JSON.parse(text) as {
      resourceSpans: [{ scopeSpans: [{ spans: Record<string, unknown>[] }] }];
    }
  ).resourceSpans;
  const [span] = scopeSpans[0].spans;
  expect(span).toMatchObject({
    ...{ kind: 1, startTimeUnixNano: '1767643200000500000', endTimeUnixNano: '1767643200000500000' },
    ...{ traceId: expect.stringMatching(/^[0-9a-f]{32}$/) as string },
    ...{ spanId: expect.stringMatching(/^[0-9a-f]{16}$/) as string },
  });
  expect(span?.attributes).toContainEqual({ key: 'hnotif.cycle', value: { stringValue: 'c'.repeat(256) } });
});
