import { describe, expect, it, test } from 'vitest';
import { progressBar, tallyOf, tallyText } from './tally.ts';
import { aTarget } from '../sinks/teamchat/presets/testing/sources.ts';

/** So many targets in each state. */
const inStates = (states: Readonly<Record<string, number>>) =>
  tallyOf(
    Object.entries(states).flatMap(([state, count]) =>
      Array.from({ length: count }, () => aTarget('t', state)),
    ),
  );

describe('a bar', () => {
  test.each([
    [{}, ''],
    [{ Pending: 4 }, '[░░░░░░░░░░] 0/4 completed, 4 pending'],
    [{ Completed: 1, Running: 2 }, '[███░░░░░░░] 1/3 completed, 2 running'],
    [{ Completed: 99, Odd: 1 }, '[█████████░] 99/100 completed'],
    [{ Completed: 7 }, '[██████████] 7/7 completed'],
  ])('of %j is %s', (states, bar) => {
    expect(progressBar(inStates(states))).toBe(bar);
  });

  it('counts completed targets; other ends are in words', () => {
    expect(progressBar(inStates({ Completed: 1, Failed: 2, Aborted: 1 }))).toBe(
      '[██░░░░░░░░] 1/4 completed, 2 failed, 1 aborted',
    );
  });
});

test('a tally names the targets that are not completed by their states', () => {
  expect(tallyText(inStates({ Completed: 1, Failed: 3 }))).toBe('1/4 completed, 3 failed');
  expect(tallyText(inStates({}))).toBe('');
});
