import { expect, it } from 'vitest';
import { reportOf, summaryOf } from './report.ts';
import { latencyOf, missed, type Figures, type Latencies, type Row } from './row.ts';
import { bytesOf } from './stage.ts';

const FARED = { exits: 0, exitedFor: '', leaseLost: false, stallMs: 20, memoryMb: 120 };
const latencies = (alone: number[], beside: number[], writes = [0], waiting: number[] = []): Latencies => ({
  alone: latencyOf(alone, [], []),
  beside: latencyOf(beside, waiting, writes),
});
const GOOD: Figures = {
  latency: latencies([3, 4, 10], [3, 4, 20]),
  fared: FARED,
  leaked: 0,
  conditions: { victim: 'Ready=True SinksReady', attacker: 'Ready=False Forbidden' },
  notes: [],
};
const ROW: Row = { row: '0', title: 'nothing at all', run: () => Promise.resolve(GOOD) };

it.each<[string, Partial<Figures>, Row['aims']?]>([
  ['', {}],
  ['p99 at most × 2', { latency: latencies([10], [21]) }],
  // Writes are as slow.
  ['', { latency: latencies([10], [60], [20]) }],
  ['p99 at most × 2', { latency: latencies([10], [61], [20]) }],
  ['all messages delivered', { latency: latencies([10], [3], [0], [4]) }],
  ['memory under 400 MB', { fared: { ...FARED, memoryMb: 400 } }],
  ['Lease kept', { fared: { ...FARED, leaseLost: true } }],
  ['no exit', { fared: { ...FARED, exits: 1 } }],
  ['no byte of another tenant', { leaked: 1 }],
  ['memory under 100 MB; no stall above 15 ms', {}, { memoryMb: 100, stallMs: 15 }],
])('the missed aims are named: "%s"', (words, other, aims = {}) => {
  const [row, figures] = [
    { ...ROW, aims },
    { ...GOOD, ...other },
  ];
  expect(missed(figures, aims).join('; ')).toBe(words);
  const said = words === '' ? 'met' : `MISSED: ${words}`;
  expect([reportOf(row, figures), summaryOf([[row, figures]])]).toEqual([
    expect.stringContaining(said),
    expect.stringContaining(said),
  ]);
});

it('a missing message counts with the time that it has waited', () => {
  expect(latencyOf([1, 2], [900], [5])).toEqual({ count: 3, p50: 2, p99: 900, missing: 1, writeP99: 5 });
});

it('each text of another tenant counts, in bytes', () => {
  expect([bytesOf(['abc', 'ü'], 'abcabc ü'), bytesOf(['abc'], 'ab')]).toEqual([8, 0]);
});

it('a row that cannot run says why', () => {
  expect(reportOf(ROW, { skipped: 'no root' })).toContain('skipped: no root');
  expect(summaryOf([[ROW, { skipped: 'no root' }]])).toMatch(/^0 .*skipped$/m);
});
