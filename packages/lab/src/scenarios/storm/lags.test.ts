import { expect, test } from 'vitest';
import { Lags, type Moment } from './lags.ts';

function bench(): { lags: Lags; pass: (ms: number, deaf?: number) => void } {
  let now: Moment = { at: 0, deaf: 0 };
  return {
    lags: new Lags(() => now),
    pass: (ms, deaf = 0) => {
      now = { at: now.at + ms, deaf: now.deaf + deaf };
    },
  };
}

test('a write waits until it, or a later one of the same object, is reported', () => {
  const { lags, pass } = bench();
  lags.wrote('a', 1);
  pass(100);
  lags.wrote('a', 2);
  pass(50, 20);
  lags.changed('a', 1);
  expect(lags).toMatchObject({ waiting: 1, longest: 150, longestDeaf: 20 });
  pass(300);
  lags.changed('a', 2);
  expect(lags).toMatchObject({ waiting: 0, longest: 350, longestDeaf: 20 });
});

test('a write that is reported before its answer has come does not wait', () => {
  const { lags } = bench();
  lags.changed('a', 5);
  lags.wrote('a', 5);
  expect(lags.waiting).toBe(0);
  lags.wrote('a', 6);
  expect(lags.waiting).toBe(1);
});

test('a deletion waits if the object was reported, or is reported later', () => {
  const { lags, pass } = bench();
  lags.changed('a', 1);
  lags.removed('a');
  lags.wrote('b', 2);
  lags.removed('b');
  expect(lags.waiting).toBe(1);
  pass(10);
  lags.changed('b', 2);
  expect(lags.waiting).toBe(2);
  lags.deleted('a');
  pass(10);
  lags.deleted('b');
  expect(lags).toMatchObject({ waiting: 0, longest: 20 });
});

test('a deletion that is reported before its answer has come does not wait', () => {
  const { lags } = bench();
  lags.changed('a', 1);
  lags.deleted('a');
  lags.removed('a');
  expect(lags.waiting).toBe(0);
});
