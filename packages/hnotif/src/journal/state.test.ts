import { describe, expect, it } from 'vitest';
import { emptyBaseline } from '@hnotif/core/lifecycle';
import { JournalState } from './state.ts';
import { aLog } from './testing/log.ts';

const aState = (): JournalState => new JournalState(emptyBaseline('epoch'), aLog());

describe('the stored values of a plan’s sinks', () => {
  const namesOf = (state: JournalState, stream?: string): string[] =>
    state.memories(stream).map((memory) => `${memory.stream} ${memory.key}`);

  it('do not grow without limit, however many sinks are created and deleted', () => {
    const state = aState();
    const all = Array.from({ length: 2_000 }, (_, n) => {
      const changed = state.remember({ stream: `n/ops-${n}`, key: 'c1', value: n });
      expect([...changed]).toEqual(n < 256 ? [`n/ops-${n}`] : [`n/ops-${n}`, `n/ops-${n - 256}`]);
      return `n/ops-${n} c1`;
    });
    expect(namesOf(state)).toEqual(all.slice(-256));
  });

  it('are the eight newest of one sink, whichever was saved again', () => {
    const state = aState();
    for (let cycle = 1; cycle <= 9; cycle++) state.remember({ stream: 'n/chat', key: `c${cycle}`, value: 1 });
    state.remember({ stream: 'n/other', key: 'c1', value: 1 });
    state.remember({ stream: 'n/chat', key: 'c2', value: 2 });
    state.remember({ stream: 'n/chat', key: 'c10', value: 1 });
    expect(namesOf(state, 'n/chat')).toEqual(
      ['c3', 'c4', 'c5', 'c6', 'c7', 'c8', 'c9', 'c10'].map((key) => `n/chat ${key}`),
    );
    expect([...state.remember({ stream: 'n/chat', key: 'c2', value: 3 })]).toEqual([]);
    expect([...state.remember({ stream: 'n/chat', key: 'c3', value: 4 })]).toEqual(['n/chat']);
    expect(state.recall('n/chat', 'c2')).toBeUndefined();
    expect(state.recall('n/chat', 'c3')?.value).toBe(4);
    expect(namesOf(state, 'n/chat')).toHaveLength(8);
    expect(state.recall('n/other', 'c1')?.value).toBe(1);
  });

  it('can be reduced to the newest value of each sink', () => {
    const state = aState();
    for (const [stream, key] of [
      ['n/ops', 'c1'],
      ['n/other', 'c1'],
      ['n/other', 'c2'],
      ['n/ops', 'c2'],
    ] as const)
      state.remember({ stream, key, value: 1 });
    const isOpen = ({ stream }: { readonly stream: string }): boolean => stream === 'n/ops';
    expect(state.dropOldValues(isOpen)).toBe(true);
    expect(namesOf(state)).toEqual(['n/ops c1', 'n/other c2', 'n/ops c2']);
    expect(state.dropOldValues(isOpen)).toBe(true);
    expect(namesOf(state)).toEqual(['n/other c2', 'n/ops c2']);
    expect(state.dropOldValues(isOpen)).toBe(false);
  });
});

describe('the texts of an entry', () => {
  it('are written while all of them can be read together, also those of earlier writes', async () => {
    const state = aState();
    const write = async (stream: string, length: number) => {
      state.remember({ stream, key: 'c1', value: 'x'.repeat(length) });
      state.changes.streams.add(stream);
      const { value } = state.draft(false).next();
      const write = await state.complete(value!, Infinity);
      if (write !== undefined) state.committed(write);
      return write?.patch;
    };
    expect(await write('n/a', 5_000_000)).toMatchObject({ gen: 1 });
    expect(await write('n/b', 5_000_000)).toBeUndefined();
    expect(await write('n/a', 1_000)).toMatchObject({ gen: 2 });
    const { observed } = state;
    const theirs = { lengths: new Map([['sinks n/c', 9_000]]), sizes: new Map([['sinks n/c', 7_000_000]]) };
    state.found({ gen: 3, observed, ...theirs });
    expect(await write('n/b', 2_000_000)).toBeUndefined();
    expect(await write('n/b', 1_000_000)).toMatchObject({ gen: 4 });
    state.changes.streams.add('n/c');
    expect(await write('n/b', 1_000_000)).toMatchObject({ gen: 5, sinks: { 'n/c': null } });
    expect(await write('n/b', 2_000_000)).toMatchObject({ gen: 6 });
    state.found({ gen: 7, observed, ...theirs });
    state.lost();
    expect(await write('n/b', 2_000_000)).toMatchObject({ gen: 8 });
  });
});
