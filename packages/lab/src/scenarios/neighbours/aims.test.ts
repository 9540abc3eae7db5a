import { expect, it } from 'vitest';
import { latencyFigures, missed, reportOf, summaryOf, type Figures, type Row } from './row.ts';
import { bytesOf } from './stage.ts';

const latencies = (alone: number[], beside: number[], writes = [0], waiting: number[] = []) =>
  latencyFigures({ arrived: alone, waiting: [], writes: [] }, { arrived: beside, waiting, writes });
const GOOD: Figures = {
  ...latencies([3, 4, 10], [3, 4, 20]),
  ...{ 'stall (ms)': 20, 'memory (MiB)': 120, exits: 0, 'Leases lost': 0, 'leaked bytes': 0 },
};
const ROW: Row = { row: '0', title: 'nothing at all' };

it.each<[string, Partial<Figures>, Row['aims']?]>([
  ['', {}],
  ['ratio above 2', latencies([10], [21])],
  // Writes are as slow.
  ['', latencies([10], [60], [20])],
  ['ratio above 2', latencies([10], [61], [20])],
  ['ratio above 2', latencies([10], [])],
  ['not arrived above 0', latencies([10], [3], [0], [4])],
  ['memory (MiB) above 400', { 'memory (MiB)': 401 }],
  ['Leases lost above 0', { 'Leases lost': 1 }],
  ['exits above 0', { exits: 1 }],
  ['leaked bytes above 0', { 'leaked bytes': 1 }],
  ['stall (ms) above 15; memory (MiB) above 100', {}, { 'memory (MiB)': 100, 'stall (ms)': 15 }],
])('the missed aims are named: "%s"', (words, other, aims = {}) => {
  const [row, result] = [
    { ...ROW, aims },
    { figures: { ...GOOD, ...other }, words: [] },
  ];
  expect(missed(result.figures, aims).join('; ')).toBe(words);
  const said = words === '' ? 'met' : `MISSED: ${words}`;
  expect([reportOf(row, result), summaryOf([[row, result]])]).toEqual([
    expect.stringContaining(said),
    expect.stringContaining(said),
  ]);
});

it('a missing message counts with the time that it has waited', () => {
  expect(latencies([10], [1, 2], [5], [900])).toMatchObject({ 'not arrived': 1, 'beside p99': 900 });
});

it('each text of another tenant counts, in bytes', () => {
  expect([bytesOf(['abc', 'ü'], 'abcabc ü'), bytesOf(['abc'], 'ab')]).toEqual([8, 0]);
});

it('a row that cannot run says why', () => {
  expect(reportOf(ROW, { skipped: 'no root' })).toContain('skipped: no root');
  expect(summaryOf([[ROW, { skipped: 'no root' }]])).toMatch(/^0 .*skipped$/m);
});
