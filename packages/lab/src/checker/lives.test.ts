import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Absence, Epoch, Kill } from '../record.ts';
import { livesOf } from './lives.ts';

/** The time without a leader after a kill: late writes come before its end (milliseconds). */
const LEASE_MS = 3_000;

/** The beginning of a process: how long it takes to read the journals, to serve, and to write a missing entry. */
interface Start {
  readonly reads: number;
  readonly serves: number;
  readonly writes: number;
}

/** The end of a process, after it could write for this long. A write that was on its way may come `late`, or never. */
interface End {
  readonly after: number;
  readonly late: number | undefined;
}

const start: fc.Arbitrary<Start> = fc.record({
  reads: fc.nat({ max: 500 }),
  serves: fc.nat({ max: 2_000 }),
  writes: fc.nat({ max: 3_000 }),
});
const end: fc.Arbitrary<End> = fc.record({
  after: fc.nat({ max: 4_000 }),
  late: fc.option(fc.nat({ max: 2_500 }), { nil: undefined }),
});

/**
 * The journal of a plan is deleted at 0, while the first process serves. That one is killed or paused, the second one is killed, the third
 * one stays. Returns the record, and which of the two ends lost the past of the plan.
 */
function play(ends: readonly [End, End], starts: readonly [Start, Start], writes: number, isPaused: boolean) {
  const kills: Kill[] = [];
  const lost: boolean[] = [];
  /** When the entry was there again, and by whom. */
  let written: { readonly at: number; readonly term: number } | undefined;
  const write = (at: number, term: number): void => {
    if (written === undefined || at < written.at) written = { at, term };
  };
  let canWriteFrom = 0;
  let takes = writes;
  let late: { readonly after: number; readonly term: number } | undefined;
  for (const [index, { after, late: lateBy }] of ends.entries()) {
    const term = index + 1;
    const at = canWriteFrom + after;
    if (takes <= after) write(canWriteFrom + takes, term);
    else if (lateBy !== undefined && !(isPaused && index === 0)) write(at + lateBy, term);
    const { reads, serves, writes: next } = starts[index] ?? { reads: 0, serves: 0, writes: 0 };
    const readAt = at + LEASE_MS + reads;
    lost.push(written === undefined || written.at > readAt);
    const servedAt = readAt + serves;
    if (isPaused && index === 0 && lateBy !== undefined && takes > after)
      late = { after: servedAt + lateBy, term };
    // A process that is killed before it serves has no time of its own.
    kills.push({ at, servedAt, slackMs: 0, fell: false, term });
    [canWriteFrom, takes] = [readAt, next];
  }
  write(canWriteFrom + takes, ends.length + 1);
  if (late !== undefined) write(late.after, late.term);
  const [first, second] = kills;
  if (first === undefined || second === undefined || written === undefined) throw new Error('no end');
  const isOne = second.at < (first.servedAt ?? 0);
  const record = isOne ? [{ ...first, servedAt: second.servedAt }, second] : kills;
  const stored = { seq: 0, waiting: {} };
  const absence: Absence = { from: 0, to: written.at, plans: { orders: { stored, again: written } } };
  const lives = livesOf(
    { name: 'orders', labels: {}, retries: 0, writes: [] },
    { kills: record, absences: [absence], gaps: [] },
  );
  return { lives: lives.length, losses: isOne ? Number(lost.some(Boolean)) : lost.filter(Boolean).length };
}

describe('the lives of a plan whose journal was deleted', () => {
  it('are one more for each process that read no entry', () => {
    fc.assert(
      fc.property(
        fc.tuple(end, end),
        fc.tuple(start, start),
        fc.nat({ max: 3_000 }),
        fc.boolean(),
        (ends, starts, writes, isPaused) => {
          // What a paused process writes is overwritten by the next one.
          fc.pre(!isPaused || starts[0].writes <= ends[1].after);
          const { lives, losses } = play(ends, starts, writes, isPaused);
          expect(lives).toBe(1 + losses);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('of a deleted plan may have lost all that was written in the gaps that lead to its deletion', () => {
    const gap = (from: number, to: number, why: 'kill' | 'refusal' = 'kill') => ({ from, to, why });
    const forgotten = (...gaps: ReturnType<typeof gap>[]): number | undefined =>
      livesOf(
        { name: 'orders', labels: {}, retries: 0, writes: [], deleted: { from: 100, to: 101 } },
        { kills: [], absences: [], gaps },
      ).at(-1)?.forgotten;
    // The process between the two gaps was killed before it had written what it saw.
    expect(forgotten(gap(40, 95), gap(90, 110))).toBe(40);
    expect(forgotten(gap(40, 80), gap(90, 110))).toBe(90);
    expect(forgotten(gap(40, 95), gap(90, 99))).toBe(Infinity);
    expect(forgotten(gap(40, 95), gap(90, 110, 'refusal'))).toBe(Infinity);
  });

  it('of a deleted plan has lost what waited if a kill follows within a second: nothing waits for its journal', () => {
    const stored = { seq: 3, epoch: 'a', waiting: { log: [3] } };
    const lost = (killedAt: number): unknown =>
      livesOf(
        { name: 'orders', labels: {}, retries: 0, writes: [], deleted: { from: 100, to: 101 } },
        {
          kills: [{ at: killedAt, servedAt: killedAt + 3_000, term: 1, slackMs: 0, fell: false }],
          absences: [{ from: 200, to: 205, plans: { orders: { stored } } }],
          gaps: [],
        },
      ).at(-1)?.lost;
    expect(lost(900)).toEqual(stored);
    expect(lost(9_000)).toBeUndefined();
  });

  it('are one if a later process wrote the same epoch: it had read the entry before it was deleted', () => {
    const kills = [{ at: 10, servedAt: 30, term: 1, slackMs: 0, fell: false }];
    const lives = (lastTerm: number, ...later: Epoch[]): number => {
      const stored = { seq: 1, epoch: 'a', waiting: {} };
      // A late write of the killed process.
      const plans = { orders: { stored, again: { at: 16, term: 1 } } };
      const epochs = [{ epoch: 'a', at: 1, term: 1, lastTerm }, ...later];
      return livesOf(
        { name: 'orders', labels: {}, retries: 0, writes: [], epochs },
        { kills, absences: [{ from: 15, to: 41, plans }], gaps: [] },
      ).length;
    };
    const next = { epoch: 'b', at: 40, term: 2, lastTerm: 2 };
    expect(lives(2)).toBe(1);
    expect(lives(2, next)).toBe(1);
    expect(lives(1, next)).toBe(2);
  });

  it('are two if two deletions find the same epoch: only the second one has lost it', () => {
    // The first process was killed after it had written the entry again, the second one before it wrote anything.
    const kills = [
      { at: 20, servedAt: 30, term: 1, slackMs: 0, fell: false },
      { at: 40, servedAt: 50, term: 2, slackMs: 0, fell: false },
    ];
    const absence = (from: number, to: number, again: number, term: number) => ({
      ...{ from, to },
      plans: { orders: { stored: { seq: 1, epoch: 'a', waiting: {} }, again: { at: again, term } } },
    });
    const epochs = [
      { epoch: 'a', at: 1, term: 1, lastTerm: 1 },
      { epoch: 'b', at: 51, term: 3, lastTerm: 3 },
    ];
    const lives = livesOf(
      { name: 'orders', labels: {}, retries: 0, writes: [], epochs },
      { kills, absences: [absence(15, 22, 21, 1), absence(35, 52, 51, 3)], gaps: [] },
    );
    expect(lives.map(({ from, until }) => [from, until])).toEqual([
      [-Infinity, 45],
      [45, Infinity],
    ]);
  });
});
