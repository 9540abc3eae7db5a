import { expect, test } from 'vitest';
import { anEvent } from '../../../testing/events.ts';
import { fold, type Root } from './root.ts';
import { memoryOf, recordOf } from './root-store.ts';

const AT = {
  address: { namespace: 'team-a', notification: 'n', sink: 's' },
  planUid: 'uid-1',
  key: '["c1","shutdown"]',
};

const rootOf = (count: number, state: (i: number) => string): Root => {
  const targets = Array.from({ length: count }, (_, i) => ({
    ...{ name: `t${i}`, executor: 'rds', state: state(i), message: '' },
  }));
  return fold(undefined, anEvent('Success', 1, { targets, startedAt: '2026-01-05T19:00:00.000Z' }));
};
const record = (desired: Root) => ({ desired, sent: 'x', location: undefined });
const read = (value: unknown) => recordOf(AT, JSON.parse(JSON.stringify(value)));

test('a stored root is read unchanged', () => {
  const root = rootOf(3, (i) => (i === 0 ? 'Failed' : 'Completed'));
  expect(read(memoryOf(record(root)))?.desired).toEqual(root);
});

/** A record of an older version, which had only the number of targets, and how many of them have ended. */
function earlier(root: Root): object {
  const { shown, ...rest } = memoryOf(record(root));
  const { tally: _, ...old } = shown;
  return { ...rest, shown: old };
}

test.each([
  ['all of whose targets are kept', 4],
  ['that keeps the first of them', 300],
])('a root of an earlier version %s is counted again', (_, count) => {
  const root = rootOf(count, (i) => (i === 1 ? 'Failed' : i === 2 ? 'Aborted' : 'Completed'));
  expect(earlier(root)).toMatchObject({ shown: { total: count, done: count } });
  expect(read(earlier(root))?.desired.shown.tally).toMatchObject({
    ...{ total: count, completed: count - 2, failed: 1, aborted: 1 },
  });
});
