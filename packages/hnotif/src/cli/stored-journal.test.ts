import { expect, it } from 'vitest';
import { rawJournal } from '../journal/testing/raw-journal.ts';
import { storedJournal } from './stored-journal.ts';

it('shares the entries that the same writer has not written again', () => {
  const before = storedJournal(rawJournal('j', 1, { stays: 1, changes: 1, goes: 1 }));
  const now = storedJournal(rawJournal('j', 2, { stays: 1, changes: 2, comes: 1 }), before);
  expect([...now.plans.keys()]).toEqual(['stays', 'changes', 'comes']);
  expect(now.entry('stays')).toBe(before.entry('stays'));
  expect(now.entry('changes')).toMatchObject({ name: 'changes', gen: 2 });
  const other = storedJournal(rawJournal('j', 3, { stays: 1 }, { term: 2 }), now);
  expect(other.entry('stays')).not.toBe(now.entry('stays'));
  expect(other.entry('stays')).toEqual(now.entry('stays'));
});

it('reads no entry of another layout, though it was read before', () => {
  const before = storedJournal(rawJournal('j', 1, { stays: 1 }));
  const raw = rawJournal('j', 2, { stays: 1 });
  const newer = storedJournal({ ...raw, spec: { ...(raw as { spec: object }).spec, version: 99 } }, before);
  expect([...newer.plans]).toEqual([['stays', undefined]]);
});
