import { describe, expect, it } from 'vitest';
import { gapsOf } from './gaps.ts';

const KILL = { at: 100_000, servedAt: 104_000, slackMs: 1_000, fell: false };

describe('the gap of a watch after a compaction', () => {
  const forgotten = { kind: 'lost', what: 'old versions are compacted', from: 104_010, to: 104_012 } as const;

  it('lasts until the next list of plans, even if it began between a list and its watch', () => {
    const looks = [104_000, 105_200, 105_201];
    expect(gapsOf([], [forgotten], [], looks)).toEqual([{ from: 103_010, to: 105_200, why: 'watch' }]);
  });

  it('lasts to the end if plans were never listed again', () => {
    expect(gapsOf([], [forgotten], [], [104_000])).toEqual([
      { from: 103_010, to: Number.MAX_SAFE_INTEGER, why: 'watch' },
    ]);
  });
});

describe('the gap of a kill', () => {
  it('lasts from a second before the kill until the next process has listed', () => {
    expect(gapsOf([KILL], [], [], [104_000])).toEqual([{ from: 99_000, to: 104_000, why: 'kill' }]);
  });

  it('begins when watches ended, if they were not open again', () => {
    const late = { kind: 'late', what: 'watches end', from: 90_000, to: 90_001 } as const;
    expect(gapsOf([KILL], [late], [], [104_000])).toEqual([{ from: 89_000, to: 104_000, why: 'kill' }]);
    expect(gapsOf([KILL], [late], [], [90_500, 104_000])).toEqual([
      { from: 99_000, to: 104_000, why: 'kill' },
    ]);
  });

  it('begins when the process was paused, if it had no time since then', () => {
    const pause = {
      kind: 'pause',
      what: 'the leader is paused for a moment',
      from: 95_000,
      to: 99_900,
    } as const;
    expect(gapsOf([KILL], [pause], [], [])).toEqual([{ from: 94_000, to: 104_000, why: 'kill' }]);
    expect(gapsOf([KILL], [{ ...pause, to: 98_900 }], [], [])).toEqual([
      { from: 99_000, to: 104_000, why: 'kill' },
    ]);
  });

  it('begins when journal writes were refused, if they still were', () => {
    const refusal = { kind: 'refusal', what: 'journals are refused', from: 98_000, to: 101_000 } as const;
    const gaps = gapsOf([KILL], [refusal], [], [104_000]);
    expect(gaps).toContainEqual({ from: 97_000, to: 104_000, why: 'kill' });
    expect(gaps).toContainEqual({ from: 98_000, to: 101_000, why: 'refusal' });
  });
});
