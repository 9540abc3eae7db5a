import { expect, it } from 'vitest';
import { resolveConflict } from './conflict.ts';

const stamp = (gen: number, holder: string, term: number) => ({ gen, writer: { holder, term } });
const sent = stamp(5, 'me', 2);
/** The stored version when we began. */
const left = stamp(4, 'other', 1);

it.each([
  ['our own write', stamp(5, 'me', 2), 'committed'],
  ['an earlier one of ours', stamp(4, 'me', 2), 'again'],
  ['one that was tried before and came late', stamp(3, 'me', 2), 'again'],
  ['a leader that came after us', stamp(1, 'other', 3), 'fenced'],
  ['what a leader before us had left', left, 'again'],
  ['what a leader before us has written since', stamp(5, 'other', 1), 'adopt'],
  ['what another leader before us has written since', stamp(4, 'another', 1), 'adopt'],
  ['another writer in our term (no election)', stamp(5, 'other', 2), 'adopt'],
  ['our own process name in an earlier term', stamp(5, 'me', 1), 'adopt'],
])('%s', (_, there, verdict) => {
  expect(resolveConflict(there, sent, left)).toBe(verdict);
});

it('a first stamp of another writer: adopt', () => {
  expect(resolveConflict(left, sent, undefined)).toBe('adopt');
});
