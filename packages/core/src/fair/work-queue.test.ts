import { expect, test } from 'vitest';
import { ManualClock } from '../testing/clock.ts';
import { TokenBucket } from './token-bucket.ts';
import { WorkQueue, type Rest, type WorkQueueOptions } from './work-queue.ts';

const settle = () => new Promise(setImmediate);

/** Keys are `namespace/name`. Work on a key goes on until it is ended. */
function bench(workers: number, more: Partial<WorkQueueOptions<string>> = {}, clock = new ManualClock()) {
  const begun: string[] = [];
  const ends = new Map<string, (rest?: Rest) => void>();
  const queue = new WorkQueue<string>({
    clock,
    workers,
    ...more,
    ownerOf: (key) => key.split('/', 1)[0] ?? '',
    work: (key) => {
      begun.push(key);
      return new Promise((resolve) => ends.set(key, resolve));
    },
  });
  const end = async (key: string, rest?: Rest) => {
    ends.get(key)?.(rest);
    await settle();
  };
  return { clock, queue, begun, end };
}

test('only a few keys are processed at once; urgent ones come first, and namespaces take turns', async () => {
  const { queue, begun, end } = bench(2);
  for (const key of ['a/1', 'a/2', 'a/3', 'a/4', 'b/1']) queue.add(key);
  queue.add('c/new', { urgent: true });
  queue.add('a/4', { urgent: true });
  expect(begun).toEqual(['a/1', 'a/2']);
  for (const key of ['a/1', 'a/2', 'c/new', 'a/4', 'b/1', 'a/3']) await end(key);
  expect(begun.slice(2)).toEqual(['c/new', 'a/4', 'b/1', 'a/3']);
});

test('a key is queued once, and is processed again if it was added meanwhile', async () => {
  const { queue, begun, end } = bench(2);
  queue.add('a/1');
  queue.add('a/1');
  queue.add('a/1', { urgent: true });
  expect(begun).toEqual(['a/1']);
  await end('a/1');
  expect(begun).toEqual(['a/1', 'a/1']);
  await end('a/1');
  expect(begun).toHaveLength(2);
});

test('of two times the earlier one counts, also for a key in process', async () => {
  const { clock, queue, begun, end } = bench(1);
  queue.add('a/1', { afterMs: 100 });
  queue.add('a/1', { afterMs: 300 });
  queue.add('a/1', { afterMs: 50 });
  await clock.advance(49);
  expect(begun).toEqual([]);
  await clock.advance(1);
  expect([begun.length, clock.timers]).toEqual([1, 0]);
  queue.add('a/1', { afterMs: 20 });
  queue.add('a/1', { afterMs: 30 });
  await clock.advance(10);
  await end('a/1');
  expect(begun).toHaveLength(1);
  await clock.advance(10);
  expect(begun).toHaveLength(2);
  queue.add('b/1', { afterMs: 1_000 });
  queue.add('b/1');
  await end('a/1');
  expect([begun.at(-1), clock.timers]).toEqual(['b/1', 0]);
});

test('a key whose timer is late is in work at once when it is added: idle waits for it', async () => {
  const { clock, queue, begun, end } = bench(1);
  const done: string[] = [];
  queue.add('a/1', { afterMs: 10 });
  clock.pass(20);
  queue.add('a/1');
  void queue.idle().then(() => done.push('idle'));
  await settle();
  expect([begun, done, clock.timers]).toEqual([['a/1'], [], 0]);
  await end('a/1');
  expect([begun, done]).toEqual([['a/1'], ['idle']]);
});

test('a removed key is not processed, unless it is added again', async () => {
  const { clock, queue, begun, end } = bench(1);
  queue.add('a/1');
  for (const [key, afterMs] of [
    ['a/1', 0],
    ['a/2', 0],
    ['a/3', 10],
  ] as const) {
    queue.add(key, { afterMs });
    queue.remove(key);
  }
  await end('a/1');
  await clock.advance(10);
  expect([begun, clock.timers]).toEqual([['a/1'], 0]);
  queue.add('a/1');
  expect(begun).toEqual(['a/1', 'a/1']);
});

test('idle waits until due keys are processed, close until started work has ended', async () => {
  const { clock, queue, begun, end } = bench(1);
  const done: string[] = [];
  queue.add('a/1');
  queue.add('a/2');
  queue.add('a/3', { afterMs: 10 });
  void queue.idle().then(() => done.push('idle'));
  await end('a/1');
  expect([begun, done]).toEqual([['a/1', 'a/2'], []]);
  await end('a/2');
  expect([begun.length, done]).toEqual([2, ['idle']]);
  queue.add('a/1');
  await clock.advance(10);
  expect(begun).toEqual(['a/1', 'a/2', 'a/1']);
  void queue.close().then(() => done.push('closed'));
  queue.add('a/4');
  queue.add('a/5', { afterMs: 10 });
  await settle();
  expect([done, clock.timers]).toEqual([['idle'], 0]);
  await end('a/1');
  expect([begun.length, done]).toEqual([3, ['idle', 'closed']]);
});

test('a key that rests needs no worker, and is due again after the rest, not sooner', async () => {
  const { clock, queue, begun, end } = bench(1);
  const over = new Promise<void>((resolve) => clock.after(100, resolve));
  for (const key of ['a/1', 'a/2']) queue.add(key);
  await end('a/1', { over });
  expect(begun).toEqual(['a/1', 'a/2']);
  queue.add('a/1', { urgent: true });
  await end('a/2');
  await clock.advance(99);
  expect(begun).toHaveLength(2);
  await clock.advance(1);
  expect(begun).toEqual(['a/1', 'a/2', 'a/1']);
  await end('a/1');
  expect(begun).toHaveLength(3);
});

test('a flush ends when nothing is due any more, or when work has failed; it waits neither for a time nor for a token', async () => {
  const clock = new ManualClock();
  const lazy = { workers: 0, bucket: new TokenBucket(clock, 1, 1) };
  const { queue, begun, end } = bench(1, { lazy }, clock);
  let flushed = 0;
  const flush = () => queue.flush('a/1').then(() => flushed++);
  await flush();
  queue.add('a/1', { afterMs: 1_000 });
  void flush();
  queue.add('a/1', { afterMs: 1_000 });
  await end('a/1');
  expect([begun.length, flushed]).toEqual([2, 1]);
  await end('a/1');
  expect([begun.length, flushed]).toEqual([2, 2]);
  for (const end_ of [() => end('a/1', { over: new Promise(() => undefined) }), () => queue.close()]) {
    queue.add('a/1');
    void flush();
    await end_();
  }
  await settle();
  expect([flushed, clock.timers]).toEqual([4, 0]);
});

test('keys that are not urgent have fewer workers, and each takes a token', async () => {
  const clock = new ManualClock();
  const lazy = { workers: 2, bucket: new TokenBucket(clock, 10, 3) };
  const { queue, begun, end } = bench(4, { lazy }, clock);
  for (const key of ['a/1', 'a/2', 'a/3', 'a/4']) queue.add(key);
  expect(begun).toEqual(['a/1', 'a/2']);
  queue.add('a/4', { urgent: true });
  expect(begun).toEqual(['a/1', 'a/2', 'a/4']);
  await end('a/1');
  expect(begun.at(-1)).toBe('a/3');
  await end('a/2');
  queue.add('a/5');
  await clock.advance(99);
  expect(begun).toHaveLength(4);
  await clock.advance(1);
  expect([begun.at(-1), clock.timers]).toEqual(['a/5', 0]);
});

test('workers are shared: one namespace alone gets half of them', async () => {
  const { queue, begun, end } = bench(4, { isShared: true });
  for (const key of ['a/1', 'a/2', 'a/3', 'b/1']) queue.add(key, { urgent: true });
  expect(begun).toEqual(['a/1', 'a/2', 'b/1']);
  await end('a/1');
  expect(begun.at(-1)).toBe('a/3');
});
