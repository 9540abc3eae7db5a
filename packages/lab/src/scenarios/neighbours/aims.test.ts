import { describe, expect, it } from 'vitest';
import { missed, stallOf } from './aims.ts';
import { latencyOf } from './latency.ts';
import { bytesOf } from './leaks.ts';
import { reportOf, summaryOf } from './report.ts';
import type { Figures, Latencies, Row } from './row.ts';

const FARED = { exits: 0, exitedFor: '', leaseLost: false, stallMs: 20, healthMs: 30, memoryMb: 120 };
const latencies = (alone: number[], beside: number[], bare = [1]): Latencies => ({
  alone: latencyOf(alone, [], []),
  beside: latencyOf(beside, [], []),
  bare: latencyOf(bare, [], []),
});
const GOOD: Figures = {
  latency: latencies([3, 4, 10], [3, 4, 20]),
  fared: FARED,
  leaked: 0,
  conditions: { victim: 'Ready=True SinksReady', attacker: 'Ready=False Forbidden' },
  notes: [],
  harnessStallMs: 5,
};
const ROW: Row = { row: '0', title: 'nothing at all', run: () => Promise.resolve(GOOD) };

describe('the aims', () => {
  it('are met by a controller that is not attacked', () => {
    expect(missed(GOOD)).toEqual([]);
  });

  it.each<[string, Partial<Figures>]>([
    ['p99 at most × 2', { latency: latencies([10], [21]) }],
    ['all messages delivered', { latency: { ...latencies([10], []), beside: latencyOf([3], [4], []) } }],
    ['memory under 400 MB', { fared: { ...FARED, memoryMb: 400 } }],
    ['Lease kept', { fared: { ...FARED, leaseLost: true } }],
    ['no exit', { fared: { ...FARED, exits: 1 } }],
    ['no byte of another tenant', { leaked: 1 }],
  ])('name the missed one: %s', (words, other) => {
    expect(missed({ ...GOOD, ...other })).toEqual([words]);
    expect(reportOf(ROW, { ...GOOD, ...other })).toContain(`MISSED: ${words}`);
    expect(summaryOf([[ROW, { ...GOOD, ...other }]])).toContain(`MISSED: ${words}`);
  });

  it('are met if a bare client is as slow', () => {
    expect(missed({ ...GOOD, latency: latencies([10], [60], [30]) })).toEqual([]);
    expect(missed({ ...GOOD, latency: latencies([10], [61], [30]) })).toEqual(['p99 at most × 2']);
  });

  it('of a row replace the defaults', () => {
    const aims = { memoryMb: 100, stallMs: 15 };
    expect(missed(GOOD, aims)).toEqual(['memory under 100 MB', 'no stall above 15 ms']);
  });

  it('use the longer of two measures of a stall; the stall of the measuring process is subtracted', () => {
    expect(stallOf(GOOD)).toBe(25);
    expect(stallOf({ ...GOOD, harnessStallMs: 20 })).toBe(20);
  });
});

it('count a missing message with the time that it has waited', () => {
  expect(latencyOf([1, 2], [900], [5])).toEqual({ count: 3, p50: 2, p99: 900, missing: 1, writeP99: 5 });
});

it('count each text of another tenant, in bytes', () => {
  expect(bytesOf(['abc', 'ü'], 'abcabc ü')).toBe(8);
  expect(bytesOf(['abc'], 'ab')).toBe(0);
});

it('say in the report why a row cannot run', () => {
  expect(reportOf(ROW, { skipped: 'no root' })).toContain('skipped: no root');
  expect(summaryOf([[ROW, { skipped: 'no root' }]])).toMatch(/^0 .*skipped$/m);
});
