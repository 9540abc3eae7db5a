import { describe, expect, it } from 'vitest';
import type { HistoryOperation } from '../resources/plan.ts';
import { endOf, succeeded } from './history.ts';

const ROW: HistoryOperation = {
  operation: 'wakeup',
  startTime: '2026-03-02T05:00:00Z',
  endTime: '2026-03-02T05:10:00Z',
  success: true,
  errorMessage: '',
  targetResults: [{ target: 'db', executor: 'rds', state: 'Completed', message: '' }],
};

const withState = (state: string): HistoryOperation => ({
  ...ROW,
  targetResults: ROW.targetResults.map((result) => ({ ...result, state })),
});

describe('a row of the history', () => {
  it('tells of a success only when it says so and nothing was left to run', () => {
    expect(succeeded(ROW)).toBe(true);
    expect(succeeded({ ...ROW, success: false })).toBe(false);
    expect(succeeded({ ...ROW, success: undefined })).toBe(false);
    expect(succeeded(withState('Pending'))).toBe(false);
    expect(succeeded(withState('Running'))).toBe(false);
    expect(succeeded(withState('Aborted'))).toBe(true);
  });

  it('has another end when it is written for another failure, for the success, or for a re-run', () => {
    const ends = [
      ROW,
      { ...ROW, endTime: '2026-03-02T05:11:00Z' },
      { ...ROW, startTime: '2026-03-02T05:05:00Z' },
      withState('Pending'),
    ].map(endOf);
    expect(new Set(ends).size).toBe(ends.length);
    expect(endOf({ ...ROW })).toBe(endOf(ROW));
  });
});
