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
