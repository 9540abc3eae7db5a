import { expect, it } from 'vitest';
import { differencesOf, tableOf, type Outcome } from './case.ts';

const done = (...seen: (readonly [string, string])[]): Outcome => ({ kind: 'done', seen });

it('shows only the observations that are missing on one plane, or differ', () => {
  const embedded = new Map([
    ['same', done(['a', '1'])],
    ['other', done(['a', '1'], ['b', '2'], ['c', 'x|y\nz'])],
    ['fails', done(['a', '1'])],
    ['without', { kind: 'skipped', why: 'no command' }],
  ]);
  const real = new Map([
    ['same', done(['a', '1'])],
    ['other', done(['a', '1'], ['b', '3'])],
    ['fails', { kind: 'failed', why: 'no answer' }],
    ['without', { kind: 'skipped', why: 'no command' }],
  ]);
  expect(tableOf(differencesOf(embedded, real)).split('\n')).toEqual([
    '| case | embedded | real |',
    '| --- | --- | --- |',
    '| other: b | 2 | 3 |',
    '| other: c | x\\|y z | – |',
    '| fails: a | 1 | – |',
    '| fails | – | failed: no answer |',
  ]);
  expect(tableOf(differencesOf(real, real))).toBe('Nothing differed.');
});
