import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextTurn } from '../clock.ts';
import { ManualClock } from '../testing/clock.ts';
import { excessOf } from './excess.ts';
import { FairQueue } from './queue.ts';
import { FairSemaphore } from './semaphore.ts';
import { Share } from './share.ts';
import { TokenBucket } from './token-bucket.ts';

describe('Share', () => {
  it('gives half of all to one owner, a third each to two', () => {
    const share = new Share(60);
    const fill = (owner: string) => {
      while (share.admits(owner)) share.take(owner);
    };
    fill('a');
    expect(share.held('a')).toBe(30);
    fill('b');
    expect(share.held('b')).toBe(15);
    share.give('a', 10);
    fill('b');
    expect(share.held('b')).toBe(20);
  });

  it('has room for a new owner while there are fewer owners than units', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(8), { maxLength: 300 }), (wishes) => {
        const share = new Share(16);
        for (const owner of wishes) if (share.admits(`${owner}`)) share.take(`${owner}`);
        expect(share.admits('newcomer')).toBe(true);
      }),
    );
  });

  it('gives an owner that holds nothing more than its share, if it is free', () => {
    const share = new Share(10);
    share.take('a', 4);
    expect(share.admits('b', 6)).toBe(true);
    expect(share.admits('b', 7)).toBe(false);
  });
});

describe('excessOf', () => {
  const excess = (most: number, ...items: string[]) => excessOf(items, most, (item) => item.charAt(0));

  it('are the oldest of the owner that has the most', () => {
    expect(excess(4, 'a1', 'b1', 'a2', 'a3', 'a4', 'b2')).toEqual(['a1', 'a2']);
    expect(excess(3, 'a1', 'a2', 'b1', 'b2', 'c1')).toEqual(['a1', 'b1']);
    expect(excess(3, 'a1', 'a2', 'b1')).toEqual([]);
  });

  it('leave as many as may stay, and all of an owner with no more than its part', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(8)), fc.integer({ min: 0, max: 60 }), (owners, most) => {
        const items = owners.map((owner, at) => ({ owner: `${owner}`, at }));
        const gone = new Set(excessOf(items, most, ({ owner }) => owner));
        expect(items.length - gone.size).toBe(Math.min(most, items.length));
        const part = Math.floor(most / new Set(owners).size);
        for (const { owner } of gone)
          expect(items.filter((item) => item.owner === owner).length).toBeGreaterThan(part);
      }),
    );
  });
});

describe('FairQueue', () => {
  const drain = (queue: FairQueue<number>): string =>
    Array.from({ length: queue.size }, () => queue.take()?.owner).join('');

  it('takes turns between owners, and keeps the order within one', () => {
    const queue = new FairQueue<number>();
    for (let i = 0; i < 4; i++) queue.add('a', i);
    queue.add('b', 10);
    queue.add('b', 11);
    expect(queue.take()).toEqual({ owner: 'a', item: 0 });
    expect(drain(queue)).toBe('babaa');
  });

  it('gives no credit for turns that an owner could not take', () => {
    const queue = new FairQueue<string>();
    const isEligible = (item: string): boolean => item !== 'blocked';
    queue.add('a', 'blocked');
    for (let i = 0; i < 1_000; i++) {
      queue.add('b', `b${i}`);
      queue.take(1, isEligible);
    }
    for (let i = 0; i < 10; i++) {
      queue.add('a', `a${i}`);
      queue.add('b', `b${i}`);
    }
    const owners = Array.from({ length: 10 }, () => queue.take(1, isEligible)?.owner);
    expect(owners.filter((owner) => owner === 'b').length).toBeGreaterThanOrEqual(4);
  });

  it('lets a new owner wait for one item at most', () => {
    const queue = new FairQueue<number>();
    for (let i = 0; i < 100; i++) queue.add('a', i);
    for (let i = 0; i < 50; i++) queue.take();
    queue.add('b', 0);
    expect([queue.take()?.owner, queue.take()?.owner]).toContain('b');
  });

  it('remembers the cost of an owner, also while none of its items waits', () => {
    const queue = new FairQueue<number>();
    queue.add('a', 0);
    queue.add('b', 0);
    queue.take();
    queue.charge('a', 9);
    queue.add('a', 1);
    for (let i = 1; i < 9; i++) queue.add('b', i);
    expect(drain(queue)).toBe('bbbbbbbbba');
  });

  it('holds an item once, however often it is added', () => {
    const queue = new FairQueue<number>();
    for (let times = 0; times < 2; times++) queue.add('a', 1);
    expect([queue.size, queue.waiting('a')]).toEqual([1, 1]);
    queue.take();
    expect([queue.size, queue.owners]).toEqual([0, 0]);
  });

  it('skips owners and items that are not eligible', () => {
    const queue = new FairQueue<number>();
    queue.add('a', 1);
    queue.add('b', 2);
    queue.add('b', 3);
    expect(queue.take(1, (item) => item > 2)?.item).toBe(3);
    expect(queue.take(1, (_, owner) => owner !== 'a')?.item).toBe(2);
    expect(queue.take(1, (_, owner) => owner !== 'a')).toBeUndefined();
  });

  it('puts items back before the others of their owner', () => {
    const queue = new FairQueue<number>();
    const takeAll = () => Array.from({ length: queue.size }, () => queue.take()?.item ?? 0);
    for (const item of [1, 2]) queue.add('a', item);
    const taken = takeAll();
    for (const item of [3, 4]) queue.add('a', item);
    queue.putBack('a', taken);
    expect([queue.size, takeAll()]).toEqual([4, [1, 2, 3, 4]]);
    queue.putBack('a', taken);
    queue.putBack('b', []);
    expect([queue.owners, takeAll()]).toEqual([1, [1, 2]]);
  });

  describe('with parts', () => {
    const partsOf = (items: readonly string[]) => {
      const queue = new FairQueue<string>({ partOf: (item) => item.charAt(0) });
      for (const item of items) queue.add('a', item);
      const takeAll = () => Array.from({ length: queue.size }, () => queue.take()?.item);
      return { queue, takeAll };
    };

    it('takes turns between the parts of an owner, and keeps the order within one', () => {
      const { queue, takeAll } = partsOf(['x1', 'x2', 'x3', 'y1', 'y2', 'z1']);
      expect([queue.size, queue.waiting('a'), queue.parts('a'), queue.parts('b')]).toEqual([6, 6, 3, 0]);
      expect([...queue.itemsOf('a')]).toEqual(['x1', 'x2', 'x3', 'y1', 'y2', 'z1']);
      expect(takeAll()).toEqual(['x1', 'y1', 'z1', 'x2', 'y2', 'x3']);
      expect([queue.size, queue.waiting('a'), queue.parts('a')]).toEqual([0, 0, 0]);
    });

    it('gives an owner no more turns for more parts', () => {
      const { queue } = partsOf(['x1', 'y1', 'z1']);
      for (const item of ['x4', 'x5', 'x6']) queue.add('b', item);
      const owners = Array.from({ length: 6 }, () => queue.take()?.owner);
      expect(owners.join('')).toBe('ababab');
    });

    it('keeps the turn of a part that has no eligible item', () => {
      const { queue, takeAll } = partsOf(['x1', 'y1', 'y2']);
      expect(queue.take(1, (item) => !item.startsWith('x'))?.item).toBe('y1');
      expect(takeAll()).toEqual(['x1', 'y2']);
    });

    it('deletes an item, and the part with its last one', () => {
      const { queue, takeAll } = partsOf(['x1', 'x2', 'y1']);
      expect([queue.delete('a', 'x1'), queue.delete('a', 'x1'), queue.delete('a', 'z1')]).toEqual([
        ...[true, false, false],
      ]);
      expect([queue.delete('a', 'y1'), queue.parts('a'), queue.size]).toEqual([true, 1, 1]);
      expect(takeAll()).toEqual(['x2']);
    });

    it('takes one item out of turn, and charges its owner and its part for it', () => {
      const { queue } = partsOf(['x1', 'x2', 'y1']);
      queue.add('b', 'z1');
      queue.add('b', 'z2');
      // The second time it is not there.
      for (let times = 0; times < 2; times++) queue.takeItem('a', 'x1');
      expect(Array.from({ length: 4 }, () => queue.take()?.item)).toEqual(['z1', 'y1', 'z2', 'x2']);
    });

    it('puts items back before the others of their part', () => {
      const { queue, takeAll } = partsOf(['x1', 'y1']);
      const taken = ['x1', 'y1'];
      expect(takeAll()).toEqual(taken);
      for (const item of ['y2', 'x2']) queue.add('a', item);
      queue.putBack('a', taken);
      expect([queue.size, queue.waiting('a')]).toEqual([4, 4]);
      expect(takeAll()).toEqual(['x1', 'y1', 'x2', 'y2']);
    });
  });

  it('gives owners equal parts, whatever the cost of their items', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 20, max: 200 }), { minLength: 2, maxLength: 6 }), (wants) => {
        const queue = new FairQueue<number>();
        wants.forEach((want, owner) => {
          for (let i = 0; i < want; i++) queue.add(`${owner}`, i);
        });
        const got = new Map<string, number>();
        for (let i = 0; i < 20 * wants.length; i++) {
          const owner = queue.take()?.owner ?? '';
          got.set(owner, (got.get(owner) ?? 0) + 1);
        }
        expect([...got.values()]).toEqual(wants.map(() => 20));
      }),
    );
  });
});

describe('FairSemaphore', () => {
  it('keeps room for others, and serves the owner that holds least', async () => {
    const semaphore = new FairSemaphore(6);
    const granted: string[] = [];
    const ask = (owner: string) => {
      const answer = semaphore.acquire(owner);
      if (answer instanceof Promise) void answer.then((held) => granted.push(`${owner} ${held}`));
      return answer;
    };
    expect([ask('a'), ask('a'), ask('a')]).toEqual([true, true, true]);
    expect(ask('a')).toBeInstanceOf(Promise);
    expect([semaphore.heldBy('a'), semaphore.waiting('a')]).toEqual([3, 1]);
    expect(ask('b')).toBe(true);
    expect(ask('c')).toBe(true);
    expect(ask('b')).toBeInstanceOf(Promise);
    semaphore.release('a');
    await Promise.resolve();
    expect(granted).toEqual(['b true']);
  });

  it('ends a wait by its signal, and all waits by close', async () => {
    const semaphore = new FairSemaphore(1);
    expect(semaphore.acquire('a')).toBe(true);
    const enough = new AbortController();
    const first = semaphore.acquire('a', enough.signal);
    const second = semaphore.acquire('b');
    enough.abort();
    expect(await first).toBe(false);
    semaphore.close();
    expect(await second).toBe(false);
    expect(semaphore.acquire('c')).toBe(false);
    semaphore.release('a');
    expect(semaphore.unused).toBe(true);
  });

  it('serves only a limited number of waiting requests in one turn of the event loop, and the others later', async () => {
    const semaphore = new FairSemaphore(8, 2);
    let granted = 0;
    for (let asked = 0; asked < 9; asked++)
      void Promise.resolve(semaphore.acquire('a')).then(() => granted++);
    await nextTurn();
    expect(granted).toBe(4);
    for (let held = 0; held < 4; held++) semaphore.release('a');
    await Promise.resolve();
    expect(granted).toBe(6);
    await nextTurn();
    expect(granted).toBe(8);
    for (let held = 0; held < 4; held++) semaphore.release('a');
    await nextTurn();
    expect(granted).toBe(9);
    expect(semaphore.held).toBe(1);
  });

  it('never holds more than its limit, and starves no owner', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.array(fc.nat(5), { maxLength: 100 }), (limit, asks) => {
        const semaphore = new FairSemaphore(limit);
        const held: string[] = [];
        let waits = 0;
        for (const ask of asks) {
          const owner = `${ask}`;
          if (semaphore.acquire(owner) === true) held.push(owner);
          else waits++;
          expect(semaphore.held).toBeLessThanOrEqual(limit);
        }
        const before = semaphore.held;
        for (const owner of held) semaphore.release(owner);
        // A waiting owner got the released permit.
        expect(semaphore.held).toBeGreaterThanOrEqual(Math.min(waits, 1, before));
      }),
    );
  });
});

it('TokenBucket says how long to wait for a token', async () => {
  const clock = new ManualClock();
  const bucket = new TokenBucket(clock, 2, 1);
  expect([bucket.waitMs, bucket.tryTake(), bucket.waitMs, bucket.tryTake()]).toEqual([0, true, 500, false]);
  await clock.advance(500);
  expect([bucket.waitMs, bucket.tryTake()]).toEqual([0, true]);
  bucket.pause(10_000);
  expect([bucket.waitMs, bucket.tryTake()]).toEqual([10_000, false]);
});

it('TokenBucket serves requests that wait after a token was taken before them', async () => {
  const clock = new ManualClock();
  const bucket = new TokenBucket(clock, 1, 2);
  expect([bucket.tryTake(), bucket.tryTake()]).toEqual([true, true]);
  const waiting = bucket.take({ owner: 'a', signal: new AbortController().signal });
  clock.pass(2_000);
  expect(bucket.tryTake()).toBe(true);
  expect(await waiting).toBe(true);
});

it('TokenBucket skips updates that lack a token of another bucket, and serves others', async () => {
  const clock = new ManualClock();
  const all = new TokenBucket(clock, 1, 1);
  const updates = new TokenBucket(clock, 0.1, 1);
  const served: string[] = [];
  const ask = (name: string, buckets: TokenBucket[], priority: 'message' | 'update') =>
    void Promise.resolve(
      TokenBucket.takeAll(buckets, { owner: 'a', signal: new AbortController().signal, priority }),
    ).then(() => served.push(`${name} ${clock.monotonic() / 1_000}`));
  expect([all.tryTake(), updates.tryTake()]).toEqual([true, true]);
  ask('card 1', [all, updates], 'update');
  ask('card 2', [all, updates], 'update');
  for (const name of ['one', 'two']) ask(name, [all], 'message');
  await clock.advance(2_000);
  ask('free card', [all], 'update');
  await clock.advance(1_000);
  expect(served).toEqual(['one 1', 'two 2', 'free card 3']);
  await clock.advance(17_000);
  expect(served.slice(3)).toEqual(['card 1 10', 'card 2 20']);
});

it('TokenBucket serves a waiting request at the end of a pause, also of a pause of 0 ms', async () => {
  const clock = new ManualClock();
  const bucket = new TokenBucket(clock, 1, 1);
  bucket.tryTake();
  const waiting = bucket.take({ owner: 'a', signal: new AbortController().signal });
  await clock.advance(1);
  bucket.pause(0);
  expect(await waiting).toBe(true);
});

it('TokenBucket serves a waiting request although its timer fires early, at whatever moment of it the token comes', async () => {
  /** Time goes on while the program runs, and timers count whole milliseconds. */
  class RunningClock extends ManualClock {
    earlyMs = 0;
    #reads = 0;

    override monotonic(): number {
      return super.monotonic() + this.#reads++ * 0.001;
    }

    override after(ms: number, run: () => void): () => void {
      return super.after(ms - this.earlyMs, run);
    }
  }
  for (let earlyMs = 0; earlyMs < 0.1; earlyMs += 0.0005) {
    const clock = new RunningClock();
    const bucket = new TokenBucket(clock, 1, 1);
    bucket.tryTake();
    clock.earlyMs = earlyMs;
    let isServed = false;
    void Promise.resolve(bucket.take({ owner: 'a', signal: new AbortController().signal })).then(
      () => (isServed = true),
    );
    await clock.advance(5_000);
    expect(isServed, `${earlyMs} ms early`).toBe(true);
  }
});

it('TokenBucket serves every request in the end, whatever was taken, paused or cancelled meanwhile', async () => {
  const step = fc.record({
    buckets: fc.subarray([0, 1, 2, 3], { minLength: 1 }),
    act: fc.constantFrom('pause', 'giveBack', 'tryTake', ...Array<'take'>(7).fill('take')),
    priority: fc.constantFrom('message', 'update'),
    owner: fc.constantFrom('a', 'b', 'c'),
    isCalledOff: fc.boolean(),
    isLate: fc.boolean(),
    ms: fc.nat(3_000),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const clock = new ManualClock();
      const all = [
        [1, 1],
        [0.8, 1],
        [5, 5],
        [0.3, 2],
      ].map(([perSecond = 1, burst = 1]) => new TokenBucket(clock, perSecond, burst));
      let waiting = 0;
      for (const { buckets, act, priority, owner, isCalledOff, isLate, ms } of steps) {
        const own = buckets.flatMap((index) => all[index] ?? []);
        if (act === 'pause') own[0]?.pause(ms);
        else if (act === 'giveBack') own[0]?.giveBack();
        else if (act === 'tryTake') own[0]?.tryTake();
        else {
          const enough = new AbortController();
          waiting++;
          const taken = TokenBucket.takeAll(own, { owner, priority, signal: enough.signal });
          void Promise.resolve(taken).then(() => waiting--);
          if (isCalledOff) enough.abort();
        }
        // Timers fire late while the event loop is busy.
        if (isLate) clock.pass(ms);
        else await clock.advance(ms);
      }
      await clock.advance(1_000_000);
      expect(waiting).toBe(0);
    }),
    { numRuns: 300 },
  );
});
