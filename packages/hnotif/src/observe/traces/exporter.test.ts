import { expect, it } from 'vitest';
import { ManualClock, settle } from '../../../../core/src/testing/clock.ts';
import { SpanExporter } from './exporter.ts';
import type { Span } from './span.ts';

const span: Span = {
  ...{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), name: 'wait', start: 1, end: 2, attributes: {} },
};

/** An exporter whose requests the test answers. */
function rig() {
  const clock = new ManualClock();
  const counts: Record<string, number> = {};
  const changes: string[] = [];
  const requests: {
    readonly spans: number;
    readonly signal: AbortSignal;
    readonly answer: (refused: number) => void;
    readonly fail: () => void;
  }[] = [];
  const exporter = new SpanExporter({
    clock,
    send: (spans, signal) =>
      new Promise((answer, reject) => {
        const fail = (): void => {
          reject(new Error('down'));
        };
        signal.addEventListener('abort', fail);
        requests.push({ spans: spans.length, signal, answer, fail });
      }),
    count: (result, spans) => {
      counts[result] = (counts[result] ?? 0) + spans;
    },
    changed: (error) => changes.push(error?.message ?? 'again'),
  });
  const add = (spans: number): void => {
    for (let n = 0; n < spans; n++) exporter.add(span);
  };
  return { clock, counts, changes, requests, exporter, add };
}

it('a few spans are sent together after five seconds, many at once, one request at a time', async () => {
  const { clock, counts, requests, add } = rig();
  add(3);
  await clock.advance(4_999);
  expect(requests).toEqual([]);
  await clock.advance(1);
  expect(requests.map(({ spans }) => spans)).toEqual([3]);
  add(600);
  await settle();
  expect(requests).toHaveLength(1);
  requests[0]?.answer(0);
  await settle();
  expect(requests.map(({ spans }) => spans)).toEqual([3, 256]);
  requests[1]?.answer(0);
  await settle();
  requests[2]?.answer(6);
  await settle();
  expect(requests.map(({ spans }) => spans)).toEqual([3, 256, 256]);
  expect(counts).toEqual({ sent: 3 + 256 + 250, refused: 6 });
});

it('a request does not begin in the turn in which a span is added', () => {
  const { requests, add } = rig();
  add(256);
  expect(requests).toEqual([]);
});

it('a collector that never answers costs spans: what has no room is dropped and counted', async () => {
  const { counts, requests, exporter, add } = rig();
  add(256);
  await settle();
  add(2_048 + 10);
  await settle();
  expect(requests).toHaveLength(1);
  expect(counts).toEqual({ overflow: 10 });
  expect(exporter.hasRoom()).toBe(false);
});

it('a batch that fails is dropped; the next one waits for its time, and each change is told once', async () => {
  const { clock, counts, changes, requests, add } = rig();
  add(600);
  await settle();
  requests[0]?.fail();
  await settle();
  expect(requests).toHaveLength(1);
  await clock.advance(5_000);
  requests[1]?.fail();
  await settle();
  expect(changes).toEqual(['down']);
  await clock.advance(5_000);
  requests[2]?.answer(0);
  await settle();
  expect(changes).toEqual(['down', 'again']);
  expect(counts).toEqual({ failed: 512, sent: 88 });
});

it('a stop sends what waits, and ends with its time', async () => {
  const { clock, counts, requests, exporter, add } = rig();
  add(300);
  await settle();
  add(1);
  const enough = new AbortController();
  let closed = false;
  void exporter.close(enough.signal).then(() => (closed = true));
  requests[0]?.answer(0);
  await settle();
  expect(requests.map(({ spans }) => spans)).toEqual([256, 45]);
  expect(closed).toBe(false);
  enough.abort();
  await settle();
  expect(closed).toBe(true);
  expect(requests[1]?.signal.aborted).toBe(true);
  expect(counts).toEqual({ sent: 256, failed: 45 });
  add(1);
  expect(counts).toEqual({ sent: 256, failed: 45, overflow: 1 });
  expect(clock.timers).toBe(0);
});

it('a stop does not try the rest after a failure', async () => {
  const { counts, requests, exporter, add } = rig();
  add(300);
  await settle();
  const closed = exporter.close(new AbortController().signal);
  requests[0]?.fail();
  await closed;
  expect(requests).toHaveLength(1);
  expect(counts).toEqual({ failed: 300 });
});
