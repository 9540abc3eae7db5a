import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ManualClock, settle } from '../testing/clock.ts';
import type { TokenRequest } from '../fair/token-bucket.ts';
import { RateLimiter } from './rate-limiter.ts';

const rate = (key: string, perSecond: number, burst: number) => ({ key, perSecond, burst });
const never = { owner: 'team-a', signal: new AbortController().signal };

function rig() {
  const clock = new ManualClock();
  const buckets = new RateLimiter(clock);
  const taken: string[] = [];
  const take = async (name: string, ...rates: ReturnType<typeof rate>[]): Promise<void> => {
    if (await buckets.take(rates, never)) taken.push(name);
  };
  return { clock, buckets, taken, take };
}

describe('a token bucket', () => {
  it('gives its burst at once, synchronously', () => {
    const { buckets } = rig();
    const own = rate('own', 1, 3);
    expect([1, 2, 3].map(() => buckets.take([own], never))).toEqual([true, true, true]);
    expect(buckets.take([own], never)).toBeInstanceOf(Promise);
  });

  it('fills at its rate, up to its burst', async () => {
    const { clock, buckets } = rig();
    const own = rate('own', 50 / 60, 2);
    void buckets.take([own], never);
    void buckets.take([own], never);
    await clock.advance(3_600_000);
    expect([1, 2, 3].map(() => buckets.take([own], never) === true)).toEqual([true, true, false]);
  });

  it('serves waiting requests in order of arrival, with one timer', async () => {
    const { clock, taken, take } = rig();
    const own = rate('own', 1, 1);
    for (const name of ['a', 'b', 'c']) void take(name, own);
    await settle();
    expect(taken).toEqual(['a']);
    expect(clock.timers).toBe(1);
    await clock.advance(1_000);
    expect(taken).toEqual(['a', 'b']);
    await clock.advance(1_000);
    expect(taken).toEqual(['a', 'b', 'c']);
    expect(clock.timers).toBe(0);
  });

  it('uses a changed rate for later tokens', async () => {
    const { clock, buckets } = rig();
    void buckets.take([rate('own', 0.001, 1)], never);
    expect(buckets.take([rate('own', 10, 1)], never)).toBeInstanceOf(Promise);
    await clock.advance(100);
    expect(buckets.take([rate('own', 10, 1)], never)).not.toBe(true);
    await clock.advance(1_000);
    expect(buckets.take([rate('own', 10, 1)], never)).toBe(true);
  });
});

describe('a request of several buckets', () => {
  it('takes a token of each bucket, or none', async () => {
    const { clock, buckets, taken, take } = rig();
    const shared = rate('shared', 1, 1);
    void buckets.take([shared], never);
    void take('a', rate('a', 0.001, 1), shared);
    await clock.advance(999);
    expect(taken).toEqual([]);
    await clock.advance(1);
    expect(taken).toEqual(['a']);
  });

  it('that lacks one of its tokens lets others go first, and keeps its place', async () => {
    const { clock, buckets, taken, take } = rig();
    const shared = rate('shared', 1, 1);
    const slow = rate('slow', 0.25, 1);
    void buckets.take([slow], never);
    void buckets.take([shared], never);
    void take('slow', slow, shared);
    for (const name of ['b', 'c', 'd', 'e', 'f']) void take(name, rate(name, 1, 1), shared);
    await clock.advance(3_000);
    expect(taken).toEqual(['b', 'c', 'd']);
    await clock.advance(1_000);
    expect(taken.at(-1)).toBe('slow');
    await clock.advance(2_000);
    expect(taken).toEqual(['b', 'c', 'd', 'slow', 'e', 'f']);
  });

  it('shares a bucket with the largest rate and burst of all sinks that use it', () => {
    const { buckets } = rig();
    const ask = (who: string, burst: number) =>
      buckets.take([rate(who, 1, 100), rate('shared', burst, burst)], never) === true;
    expect([ask('a', 1), ask('a', 1)]).toEqual([true, false]);
    const other = rig().buckets;
    const both = (who: string, burst: number) =>
      other.take([rate(who, 1, 100), rate('shared', burst, burst)], never) === true;
    expect([both('a', 3), both('b', 1), both('b', 1), both('a', 3)]).toEqual([true, true, true, false]);
  });

  it('is divided between namespaces, and then between the sinks of one', () => {
    const { buckets } = rig();
    const shared = rate('shared', 6, 1);
    const ofSink = (name: string) => [rate(name, 60, 60), shared];
    const teamB = { ...never, owner: 'team-b' };
    void buckets.take(ofSink('a'), never);
    expect(buckets.shareOf(ofSink('a'), 'team-a')).toEqual({ perSecond: 6, owners: 1, sinks: 1 });
    // Several requests of one sink count once.
    for (const name of ['a', 'b', 'b', 'c']) void buckets.take(ofSink(name), never);
    expect(buckets.shareOf(ofSink('a'), 'team-a')).toEqual({ perSecond: 2, owners: 1, sinks: 3 });
    void buckets.take(ofSink('d'), teamB);
    expect(buckets.shareOf(ofSink('a'), 'team-a')).toEqual({ perSecond: 1, owners: 2, sinks: 3 });
    expect(buckets.shareOf(ofSink('d'), 'team-b')).toEqual({ perSecond: 3, owners: 2, sinks: 1 });
    buckets.close();
  });

  it('is not affected for long by the rate of a deleted sink', async () => {
    const { clock, buckets } = rig();
    const shared = (perSecond: number, burst: number) => rate('shared', perSecond, burst);
    void buckets.take([rate('gone', 100, 10), shared(100, 10)], never);
    const stays = [rate('stays', 100, 10), shared(1, 1)];
    for (let hour = 0; hour < 3; hour++) {
      void buckets.take(stays, never);
      await clock.advance(3_600_000);
    }
    expect([1, 2].map(() => buckets.take(stays, never) === true)).toEqual([true, false]);
  });

  it('with a larger burst gets the difference to the burst that others have used', () => {
    const { buckets } = rig();
    const both = (who: string, burst: number) =>
      buckets.take([rate(who, 1, 100), rate('shared', 1, burst)], never) === true;
    expect([both('a', 2), both('a', 2), both('b', 4), both('b', 4), both('b', 4)]).toEqual([
      ...[true, true, true, true, false],
    ]);
  });
});

describe('a wait', () => {
  it('ends with its signal and takes nothing', async () => {
    const { clock, buckets, taken, take } = rig();
    const own = rate('own', 1, 1);
    void buckets.take([own], never);
    const stop = new AbortController();
    const given = buckets.take([own], { owner: 'team-a', signal: stop.signal });
    void take('next', own);
    stop.abort();
    expect(await given).toBe(false);
    await clock.advance(1_000);
    expect(taken).toEqual(['next']);
    expect(buckets.take([own], { owner: 'team-a', signal: AbortSignal.abort() })).toBe(false);
  });

  it('ends when the buckets are closed', async () => {
    const { clock, buckets } = rig();
    const own = rate('own', 1, 1);
    void buckets.take([own], never);
    const given = buckets.take([own], never);
    buckets.close();
    expect(await given).toBe(false);
    expect(clock.timers).toBe(0);
  });
});

it('buckets that are full again are forgotten', async () => {
  const { clock, buckets } = rig();
  for (let round = 0; round < 5; round++) {
    for (let sink = 0; sink < 1_000; sink++) void buckets.take([rate(`${round}-${sink}`, 1, 1)], never);
    await clock.advance(10_000);
  }
  expect(buckets.size).toBeLessThan(2_100);
});

it('buckets that do not fill are limited, too: the namespace with the most loses its oldest ones in which nothing waits', () => {
  const { buckets } = rig();
  const slow = (key: string) => [rate(key, 1e-9, 1)];
  const ofB = { ...never, owner: 'team-b' };
  void buckets.take(slow('b'), ofB);
  for (let request = 1; request <= 2; request++) void buckets.take(slow('waits'), never);
  for (let sink = 0; sink < 20_000; sink++) void buckets.take(slow(`a${sink}`), never);
  expect(buckets.size).toBeLessThan(16_400);
  expect(['b', 'waits', 'a19999', 'a0'].map((key) => buckets.take(slow(key), ofB) === true)).toEqual([
    ...[false, false, false],
    true,
  ]);
});

it('never gives more than burst plus rate times time, and serves all requests in the end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 3_000 })), { maxLength: 40 }),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 4 }),
      async (steps, burst, perSecond) => {
        const { clock, buckets, take, taken } = rig();
        const begun = clock.monotonic();
        for (const [who, wait] of steps) {
          void take(String(who), rate(String(who), 2, 2), rate('shared', perSecond, burst));
          await clock.advance(wait);
          const seconds = (clock.monotonic() - begun) / 1_000;
          expect(taken.length).toBeLessThanOrEqual(burst + perSecond * seconds + 1e-6);
        }
        await clock.advance(60_000);
        expect(taken).toHaveLength(steps.length);
        expect(clock.timers).toBe(0);
        buckets.close();
      },
    ),
    { seed: 20260105, numRuns: 60 },
  );
});

describe('ranks', () => {
  it('messages go before older updates, and one token in four is for an update', async () => {
    const { clock, buckets } = rig();
    const own = rate('own', 1, 1);
    void buckets.take([own], never);
    const served: string[] = [];
    const wait = async (name: string, rank: 'message' | 'update'): Promise<void> => {
      if (await buckets.take([own], { ...never, priority: rank })) served.push(name);
    };
    for (const name of ['u1', 'u2']) void wait(name, 'update');
    for (const name of ['m1', 'm2', 'm3', 'm4', 'm5']) void wait(name, 'message');
    await clock.advance(10_000);
    expect(served).toEqual(['m1', 'm2', 'u1', 'm3', 'm4', 'm5', 'u2']);
  });
});

describe('owners', () => {
  /** Requests of sinks with a bucket of their own and a shared one, as chats have them. Names are `owner/sink`, and more after a space. */
  function turns(perSecond = 1, ownPerSecond = perSecond) {
    const { clock, buckets } = rig();
    const served: string[] = [];
    const ratesOf = (name: string) => [
      rate(name.split(' ', 1)[0] ?? '', ownPerSecond, 1),
      rate('shared', perSecond, 1),
    ];
    const ask = (name: string, more: Partial<TokenRequest> = {}): void => {
      const [owner = ''] = name.split('/');
      void Promise.resolve(buckets.take(ratesOf(name), { ...never, owner, ...more })).then((isTaken) => {
        if (isTaken) served.push(name);
      });
    };
    const askOften = (name: string, times: number, more: Partial<TokenRequest> = {}): void => {
      for (let n = 1; n <= times; n++) ask(`${name} ${n}`, more);
    };
    /** Who got how many tokens. */
    const counts = (): Record<string, number> => {
      const sinks = served.map((name) => name.split(' ', 1)[0] ?? '');
      return Object.fromEntries(
        [...new Set(sinks)].map((sink) => [sink, sinks.filter((s) => s === sink).length]),
      );
    };
    return { clock, buckets, served, ratesOf, ask, askOften, counts };
  }

  it('that share a bucket take turns, however many requests of one owner wait', async () => {
    const { clock, buckets } = rig();
    const shared = rate('shared', 1, 1);
    void buckets.take([shared], never);
    const served: string[] = [];
    for (const owner of ['a', 'a', 'a', 'a', 'b', 'b'])
      void Promise.resolve(buckets.take([shared], { ...never, owner })).then(() => served.push(owner));
    await clock.advance(4_000);
    expect(served).toEqual(['a', 'b', 'a', 'b']);
  });

  it.each([
    ['the rate of the shared bucket', 1],
    ['a higher rate', 60],
    ['a lower rate', 0.9],
  ])('let their sinks take turns, and keep the order of each sink: %s', async (_, ownPerSecond) => {
    const { clock, served, ask, askOften } = turns(1, ownPerSecond);
    askOften('a/busy', 20);
    await clock.advance(3_000);
    const before = served.length;
    for (const n of [1, 2]) ask(`a/quick ${n}`);
    await clock.advance(2_000);
    expect(served.slice(before)).toContain('a/quick 1');
    await clock.advance(30_000);
    const quick = served.filter((name) => name.startsWith('a/quick'));
    const busy = served.filter((name) => name.startsWith('a/busy'));
    expect(quick).toEqual(['a/quick 1', 'a/quick 2']);
    expect(busy).toEqual(Array.from({ length: 20 }, (__, n) => `a/busy ${n + 1}`));
  });

  it('let the updates of their sinks take turns, too', async () => {
    const { clock, served, ask, askOften } = turns();
    askOften('a/busy', 10, { priority: 'update' });
    ask('a/quick', { priority: 'update' });
    await clock.advance(2_000);
    expect(served).toContain('a/quick');
  });

  it('get no more by having more sinks', async () => {
    const { clock, served, askOften } = turns();
    for (let sink = 0; sink < 10; sink++) askOften(`a/${sink}`, 10);
    askOften('b/one', 40);
    await clock.advance(40_000);
    expect(served.filter((name) => name.startsWith('b/')).length).toBeGreaterThanOrEqual(19);
    expect(served.filter((name) => name.startsWith('a/')).length).toBeGreaterThanOrEqual(19);
  });

  it('and their sinks get what shareOf says', async () => {
    const { clock, buckets, ratesOf, askOften, counts } = turns(4);
    askOften('a/x', 1_000);
    askOften('a/y', 500);
    askOften('b/z', 1_000);
    const shares = ['a/x', 'a/y', 'b/z'].map(
      (name) => buckets.shareOf(ratesOf(name), name.charAt(0)).perSecond,
    );
    expect(shares).toEqual([1, 1, 2]);
    await clock.advance(100_000);
    const got = counts();
    for (const [index, name] of ['a/x', 'a/y', 'b/z'].entries())
      expect(Math.abs((got[name] ?? 0) - (shares[index] ?? 0) * 100)).toBeLessThanOrEqual(2);
  });

  it('do not wait for a request that was called off', async () => {
    const { clock, buckets, served, ratesOf, ask, askOften } = turns();
    const enough = new AbortController();
    askOften('a/busy', 3);
    ask('a/gone', { signal: enough.signal });
    expect(buckets.shareOf(ratesOf('a/busy'), 'a').sinks).toBe(2);
    enough.abort();
    expect(buckets.shareOf(ratesOf('a/busy'), 'a').sinks).toBe(1);
    await clock.advance(2_000);
    expect(served).toEqual(['a/busy 1', 'a/busy 2', 'a/busy 3']);
    await clock.advance(10_000);
    expect(clock.timers).toBe(0);
  });

  it('keep their turns when the timers are late', async () => {
    const { clock, served, ask, askOften } = turns();
    askOften('a/busy', 20);
    ask('b/one 1');
    clock.pass(1_500);
    ask('a/quick');
    await clock.advance(500);
    await clock.advance(2_000);
    expect(served.slice(1, 4).sort()).toEqual(['a/busy 2', 'a/quick', 'b/one 1']);
  });

  it('are charged for a turn that the own bucket of a sink gave', async () => {
    const { clock, buckets } = rig();
    const served: string[] = [];
    const ask = (owner: string, own: string, ownPerSecond: number): void =>
      void Promise.resolve(
        buckets.take([rate(own, ownPerSecond, 1), rate('shared', 1, 1)], { ...never, owner }),
      ).then(() => served.push(own));
    // The shared bucket has its token first, and waits for that of the sink.
    for (let n = 0; n < 2; n++) ask('a', 'slow', 0.4);
    await clock.advance(2_500);
    expect(served).toEqual(['slow', 'slow']);
    ask('a', 'other', 60);
    ask('b', 'quick', 60);
    await clock.advance(2_000);
    expect(served.slice(2)).toEqual(['quick', 'other']);
  });
});

describe('a pause', () => {
  it('gives nothing until its end, then one token, and more at the rate', async () => {
    const { clock, buckets, taken, take } = rig();
    const own = rate('own', 1, 10);
    void buckets.take([own], never);
    buckets.pause('own', 60_000);
    for (const name of ['a', 'b', 'c']) void take(name, own);
    buckets.pause('own', 30_000);
    await clock.advance(59_999);
    expect(taken).toEqual([]);
    await clock.advance(1);
    expect(taken).toEqual(['a']);
    await clock.advance(1_000);
    expect(taken).toEqual(['a', 'b']);
    buckets.pause('nobody', 1_000);
    await clock.advance(1_000);
    expect(taken).toEqual(['a', 'b', 'c']);
    expect(clock.timers).toBe(0);
  });
});

it('no request waits for ever, whatever buckets are shared at whatever rates', async () => {
  const sink = fc.record({
    own: fc.constantFrom('a', 'b', 'c'),
    shared: fc.constantFrom('x', 'y'),
    perSecond: fc.constantFrom(0.5, 1, 5),
    burst: fc.integer({ min: 1, max: 4 }),
    wait: fc.nat({ max: 1_500 }),
    rank: fc.constantFrom('message' as const, 'update' as const),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(sink, { minLength: 1, maxLength: 40 }), async (asks) => {
      const { clock, buckets } = rig();
      let served = 0;
      for (const { own, shared, perSecond, burst, wait, rank } of asks) {
        const rates = [rate(own, perSecond, burst), rate(shared, perSecond / 2, burst)];
        void Promise.resolve(buckets.take(rates, { ...never, priority: rank })).then(() => served++);
        await clock.advance(wait);
      }
      await clock.advance(600_000);
      expect(served).toBe(asks.length);
      expect(clock.timers).toBe(0);
    }),
    { seed: 20260105, numRuns: 150 },
  );
});
