import { expect, test } from 'vitest';
import { ManualClock } from '../testing/clock.ts';
import { WorkQueue } from './work-queue.ts';

const settle = () => new Promise(setImmediate);

/** Keys are `namespace/name`. Work on a key goes on until it is ended. */
function bench(workers: number) {
  const clock = new ManualClock();
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const queue = new WorkQueue<string>({
    clock,
    workers,
    ownerOf: (key) => key.split('/', 1)[0] ?? '',
    work: (key) => {
      begun.push(key);
      return new Promise((resolve) => ends.set(key, resolve));
    },
  });
  const end = async (key: string) => {
    ends.get(key)?.();
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

test('a paused queue starts nothing; idle waits until due keys are processed, close until started work has ended', async () => {
  const { clock, queue, begun, end } = bench(1);
  const done: string[] = [];
  queue.add('a/1');
  queue.add('a/2');
  queue.add('a/3', { afterMs: 10 });
  void queue.idle().then(() => done.push('idle'));
  await end('a/1');
  expect([begun, done]).toEqual([['a/1', 'a/2'], []]);
  queue.pause();
  queue.add('a/1');
  await end('a/2');
  expect([begun.length, done]).toEqual([2, ['idle']]);
  queue.resume();
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
