import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../core/src/testing/clock.ts';
import { Durability, type WriteProblem } from './durability.ts';

const FORBIDDEN: WriteProblem = { reason: 'Forbidden', message: 'no right to patch journals' };
const QUOTA: WriteProblem = { reason: 'Forbidden', message: 'exceeded quota: journals' };

/** A journal's durability, and the state of its Lease. */
class Bench {
  readonly clock = new ManualClock();
  readonly told: (WriteProblem | undefined)[] = [];
  renewed = true;
  readonly durability = new Durability(
    this.clock,
    () => this.renewed,
    (trouble) => this.told.push(trouble),
  );

  /** Each write fails for `ms` milliseconds. Resolves with the waits (milliseconds). */
  async fails(ms: number): Promise<number[]> {
    const end = this.clock.monotonic() + ms;
    const waits: number[] = [];
    for (;;) {
      const wait = this.durability.failed(FORBIDDEN);
      waits.push(wait);
      if (this.clock.monotonic() + wait > end) return waits;
      await this.clock.advance(wait);
    }
  }
}

describe('durability', () => {
  it('is lost after half a minute of errors, and not earlier', async () => {
    const bench = new Bench();
    const waits = await bench.fails(29_999);
    expect(bench.durability.hasGivenUp).toBe(false);
    // The pauses grow. The last one ends with the grace period.
    expect(waits.slice(0, 4)).toEqual([1_200, 2_400, 4_800, 9_600]);
    await bench.clock.advance(waits.at(-1) ?? 0);
    expect(bench.clock.monotonic()).toBe(30_000);
    bench.durability.failed(FORBIDDEN);
    expect(bench.durability.hasGivenUp).toBe(true);
    expect(bench.told).toEqual([FORBIDDEN]);
    bench.durability.succeeded();
    expect(bench.durability.hasGivenUp).toBe(false);
    expect(bench.told).toEqual([FORBIDDEN, undefined]);
  });

  it('is lost at once if writes are refused permanently', () => {
    const bench = new Bench();
    expect(bench.durability.refused(QUOTA)).toBe(30_000);
    expect(bench.durability.hasGivenUp).toBe(true);
    expect(bench.told).toEqual([QUOTA]);
  });
});

describe('while the Lease cannot be renewed', () => {
  it('is not lost by errors, however long they last; it is lost if they continue after a renewal', async () => {
    const bench = new Bench();
    bench.renewed = false;
    const waits = await bench.fails(600_000);
    expect(bench.durability.hasGivenUp).toBe(false);
    expect(bench.told).toEqual([]);
    // After the grace period no wait is shortened.
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(800);
    expect(waits.length).toBeLessThan(40);
    bench.renewed = true;
    bench.durability.failed(FORBIDDEN);
    expect(bench.told).toEqual([FORBIDDEN]);
  });

  it('is not lost by a refusal, and the next attempt comes sooner', () => {
    const bench = new Bench();
    bench.renewed = false;
    expect(bench.durability.refused(QUOTA)).toBe(1_200);
    expect([bench.durability.hasGivenUp, bench.told]).toEqual([false, []]);
    bench.renewed = true;
    bench.durability.refused(QUOTA);
    expect([bench.durability.hasGivenUp, bench.told]).toEqual([true, [QUOTA]]);
  });

  it('remains lost, if it was lost before', () => {
    const bench = new Bench();
    bench.durability.refused(QUOTA);
    bench.renewed = false;
    bench.durability.failed(FORBIDDEN);
    expect([bench.durability.hasGivenUp, bench.told]).toEqual([true, [QUOTA]]);
  });

  it('is lost for an entry that is too large: this needs no answer of a server', () => {
    const bench = new Bench();
    bench.renewed = false;
    bench.durability.giveUp(QUOTA);
    expect(bench.durability.hasGivenUp).toBe(true);
  });
});
