import { expect, it } from 'vitest';
import { JOURNAL_VERSION, type Journal } from '@hnotif/core/resources';
import { resolve, resolveRemoval } from './conflict.ts';

const stamp = (gen: number, holder: string, term: number) => ({ gen, writer: { holder, term } });
const sent = { ...stamp(5, 'me', 2), instance: 'hnotif' };
/** The stored version when we began. */
const left = stamp(4, 'other', 1);
const fault = { reason: 'Unreachable', message: 'no' };

const there = (of: Partial<Journal>) => ({
  kind: 'there' as const,
  journal: {
    ...{ namespace: 'team-a', name: 'j', resourceVersion: '9', instance: 'hnotif', version: JOURNAL_VERSION },
    ...{ ...left, plans: new Map(), ...of },
  },
});

it.each([
  ['our own write', stamp(5, 'me', 2), 'committed'],
  ['one of ours without an answer', stamp(4, 'me', 2), 'late'],
  ['one that was tried before and came late', stamp(3, 'me', 2), 'late'],
  ['a leader that came after us', stamp(1, 'other', 3), 'fenced'],
  ['what a leader before us had left', left, 'again'],
  ['what a leader before us has written since', stamp(5, 'other', 1), 'adopt'],
  ['what another leader before us has written since', stamp(4, 'another', 1), 'adopt'],
  ['another writer in our term (no election)', stamp(5, 'other', 2), 'adopt'],
  ['our own process name in an earlier term', stamp(5, 'me', 1), 'adopt'],
  ['another layout', { version: 99 }, 'fenced'],
  ['the journal of another instance', { instance: 'another' }, 'refused'],
])('%s', (_, of, kind) => {
  expect(resolve(sent, there(of), left).kind).toBe(kind);
});

it('our last write, though another version: again', () => {
  const last = stamp(4, 'me', 2);
  expect(resolve(sent, there(last), last).kind).toBe('again');
});

it('a first stamp of another writer: adopt', () => {
  expect(resolve(sent, there(left), undefined).kind).toBe('adopt');
});

it('an answer needs no comparison', () => {
  expect(resolve(sent, { kind: 'written', resourceVersion: '9' }, left)).toEqual({
    ...{ kind: 'committed', resourceVersion: '9' },
  });
  for (const kind of ['failed', 'refused'] as const)
    expect(resolve(sent, { kind, ...fault }, left)).toEqual({ kind, why: fault });
  expect(resolve(sent, { kind: 'there', journal: undefined }, left)).toEqual({ kind: 'deleted' });
});

it('a deletion has not failed when there is no object, or after a conflict', () => {
  const after = (written?: Parameters<typeof resolve>[1]) => resolveRemoval(sent, written, left);
  expect(after()).toEqual({ kind: 'deleted' });
  expect(after({ kind: 'written', resourceVersion: '' })).toEqual({ kind: 'deleted' });
  expect(after({ kind: 'there', journal: undefined, fault })).toEqual({ kind: 'deleted' });
  expect(after(there({})).kind).toBe('again');
  expect(after({ ...there({}), fault })).toEqual({ kind: 'failed', why: fault });
  for (const kind of ['failed', 'refused'] as const)
    expect(after({ kind, ...fault })).toEqual({ kind: 'failed', why: fault });
});
