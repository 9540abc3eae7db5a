import { describe, expect, it } from 'vitest';
import { ManualClock, settle } from '../../../core/src/testing/clock.ts';
import { KubeError } from './error.ts';
import { Outage, Retries } from './outage.ts';

const AWAY = new KubeError(0, 'Unreachable', 'no connection');
const never = new AbortController().signal;

/** Those who wait for an API server, on a clock that the test turns. */
class Bench {
  readonly clock = new ManualClock();
  readonly outage = new Outage(this.clock);
  /** How many waits are over. */
  over = 0;

  wait(retries: Retries, error: KubeError, signal = never): void {
    void retries.wait(error, signal).then(() => this.over++);
  }

  retries(): Retries {
    return new Retries(this.clock, this.outage);
  }

  /** Fails to be reached for so many waits. */
  async away(retries: Retries, times: number): Promise<void> {
    for (let time = 0; time < times; time++) {
      this.outage.unanswered();
      this.wait(retries, AWAY);
      await this.clock.advance(this.clock.nextIn ?? 0);
    }
  }

  /** The wait that has just begun, in milliseconds. */
  get next(): number | undefined {
    return this.clock.nextIn;
  }
}

describe('an outage', () => {
  it('ends with the first answer: all who wait for it go on, and leave no timer', async () => {
    const bench = new Bench();
    bench.outage.answered();
    await bench.clock.advance(2_000);
    bench.outage.unanswered();
    bench.wait(bench.retries(), AWAY);
    bench.wait(bench.retries(), AWAY);
    await settle();
    expect(bench.over).toBe(0);
    bench.outage.answered();
    await settle();
    expect([bench.over, bench.clock.timers, bench.outage.ended]).toEqual([2, 0, 1]);
  });

  it.each([
    ['others are answered all the while', 1_999, true],
    ['everything was answered', 60_000, false],
  ])('is none where %s', async (_, silence, unanswered) => {
    const bench = new Bench();
    bench.outage.answered();
    bench.wait(bench.retries(), new KubeError(500, 'InternalError', 'no'));
    // Its wait is over before, or has been cut by nothing.
    const { nextIn = 0 } = bench.clock;
    if (unanswered) bench.outage.unanswered();
    await bench.clock.advance(Math.min(silence, nextIn - 1));
    bench.outage.answered();
    await settle();
    expect([bench.over, bench.outage.ended]).toEqual([0, 0]);
  });

  it('does not end for one who stops: its wait does', async () => {
    const bench = new Bench();
    const stop = new AbortController();
    bench.outage.unanswered();
    bench.wait(bench.retries(), AWAY, stop.signal);
    stop.abort();
    await settle();
    expect([bench.over, bench.clock.timers, bench.outage.ended]).toEqual([1, 0, 0]);
  });
});

describe('one who asks again', () => {
  it('waits longer each time, and begins anew after an outage has ended', async () => {
    const bench = new Bench();
    const retries = bench.retries();
    const waits: (number | undefined)[] = [];
    const tries = async (count: number): Promise<void> => {
      for (let time = 0; time < count; time++) {
        bench.outage.unanswered();
        bench.wait(retries, AWAY);
        waits.push(bench.next);
        await bench.clock.advance(bench.next ?? 0);
      }
    };
    await tries(4);
    bench.outage.answered();
    await tries(2);
    expect(waits).toEqual([1_200, 2_400, 4_800, 9_600, 1_200, 2_400]);
  });

  it.each([
    ['403', new KubeError(403, 'Forbidden', 'no')],
    ['404', new KubeError(404, 'NotFound', 'no')],
    ['an answer that is none', new KubeError(200, 'NotJson', 'no')],
    ['429 that names a time', new KubeError(429, 'TooManyRequests', 'later', 1_000)],
    ['503 that names a time', new KubeError(503, 'ServiceUnavailable', 'later', 1_000)],
  ])(
    'of a server that has come back and answers %s waits no longer than at first, and to the end',
    async (_, error) => {
      const bench = new Bench();
      const retries = bench.retries();
      await bench.away(retries, 5);
      bench.wait(retries, error);
      expect(bench.next).toBe(1_200);
      // Others are answered.
      bench.outage.answered();
      await bench.clock.advance(1_199);
      expect([bench.over, bench.outage.ended]).toEqual([5, 1]);
      await bench.clock.advance(1);
      expect(bench.over).toBe(6);
    },
  );

  it.each([
    ['a time-out', new KubeError(0, 'Timeout', 'no answer')],
    ['500', new KubeError(500, 'InternalError', 'no')],
    ['503', new KubeError(503, 'ServiceUnavailable', 'no')],
    ['429', new KubeError(429, 'TooManyRequests', 'no')],
  ])('of a server that answered %s comes again when it is back', async (_, error) => {
    const bench = new Bench();
    const retries = bench.retries();
    await bench.away(retries, 2);
    bench.wait(retries, error);
    expect(bench.next).toBe(4_800);
    bench.outage.answered();
    await settle();
    expect(bench.over).toBe(3);
  });

  it('of a server that refuses the same request again and again waits longer each time, although it answers others', async () => {
    const bench = new Bench();
    const retries = bench.retries();
    const waits: (number | undefined)[] = [];
    for (let time = 0; time < 4; time++) {
      bench.outage.answered();
      bench.wait(retries, new KubeError(500, 'InternalError', 'no'));
      waits.push(bench.next);
      await bench.clock.advance(bench.next ?? 0);
    }
    expect(waits).toEqual([1_200, 2_400, 4_800, 9_600]);
  });
});
