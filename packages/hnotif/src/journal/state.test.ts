import { describe, expect, it } from 'vitest';
import { emptyBaseline } from '../lifecycle/observed.ts';
import { idsOf, parseOutcomeLine, JournalState } from './state.ts';
import { aLog } from './testing/log.ts';

const aState = (): JournalState => new JournalState(emptyBaseline('epoch'), aLog());

it('how deliveries ended is a line for people, and is read back from it', () => {
  const state = aState();
  const at = '2026-01-05T20:00:00.000Z';
  const endings = [
    { at, seq: 12, event: 'Success', stream: 'night/ops', count: 1, result: 'delivered', reason: '' },
    { at, seq: 13, event: 'Start', stream: 'night/ops', count: 300, result: 'dropped', reason: 'expired' },
    {
      ...{ at, seq: 14, event: 'Start', stream: 'night/ops', count: 1, result: 'failed', reason: 'TooLong' },
      ids: ['abcdefghij23'],
    },
    {
      ...{
        at,
        seq: 15,
        event: 'Success',
        stream: 'night/ops',
        count: 9,
        result: 'dropped',
        reason: 'expired',
      },
      ids: ['abcdefghij23', 'zzzzzzzzzz77'],
    },
  ];
  for (const ending of endings) state.addOutcome(ending);
  expect(state.outcomes.get('1')).toBe(`${at} #13 Start night/ops dropped expired (300)`);
  expect(state.outcomes.get('3')).toBe(
    `${at} #15 Success night/ops dropped expired (9) [abcdefghij23 zzzzzzzzzz77]`,
  );
  expect([...state.outcomes.values()].map(parseOutcomeLine)).toEqual(endings);
  for (const line of ['', 'x', `${at} #x Start night/ops failed`, 'x'.repeat(100_000)])
    expect(parseOutcomeLine(line)).toBeUndefined();
});

describe('what sinks remember of a plan', () => {
  const namesOf = (state: JournalState, stream?: string): string[] =>
    state.memories(stream).map((memory) => `${memory.stream} ${memory.key}`);

  it('does not pile up, however many sinks come and go', () => {
    const state = aState();
    const all = Array.from({ length: 2_000 }, (_, n) => {
      const changed = state.remember({ stream: `n/ops-${n}`, key: 'c1', value: n });
      expect([...changed]).toEqual(n < 256 ? [`n/ops-${n}`] : [`n/ops-${n}`, `n/ops-${n - 256}`]);
      return `n/ops-${n} c1`;
    });
    expect(namesOf(state)).toEqual(all.slice(-256));
  });

  it('is of one sink the eight newest values, whichever of them was saved again', () => {
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

  it('is thinned out to the newest value of each sink', () => {
    const state = aState();
    for (const [stream, key] of [
      ['n/ops', 'c1'],
      ['n/other', 'c1'],
      ['n/other', 'c2'],
      ['n/ops', 'c2'],
    ] as const)
      state.remember({ stream, key, value: 1 });
    expect(state.dropOldValues()).toBe(true);
    expect(namesOf(state)).toEqual(['n/other c2', 'n/ops c2']);
    expect(state.dropOldValues()).toBe(false);
  });
});

describe('how deliveries ended', () => {
  const ending = { event: 'Start', stream: 'night/ops', count: 1, result: 'delivered', reason: '' };
  const at = (seq: number): string => new Date(seq * 1_000).toISOString();

  it('is kept of the last twenty, in slots that are used in turn', () => {
    const state = aState();
    const slots = Array.from({ length: 29 }, (_, n) => state.addOutcome({ ...ending, at: at(n), seq: n })[0]);
    expect(slots.slice(18, 22)).toEqual(['18', '19', '0', '1']);
    state.addOutcome({ ...ending, at: 'now', seq: 30, count: 40, result: 'dropped', reason: 'overflow' });
    expect(state.outcomes.size).toBe(20);
    expect(state.outcomes.get('8')).toBe(`${at(28)} #28 Start night/ops delivered`);
    expect(state.outcomes.get('9')).toBe('now #30 Start night/ops dropped overflow (40)');
  });

  it('of losses is kept longer: the newest ten, but not of progress, and not of sinks that are gone', () => {
    const state = aState();
    const lost = { ...ending, result: 'failed', reason: 'TooLong', ids: ['abcdefghij23'] };
    const gone = { ...lost, result: 'dropped', reason: 'unsubscribed' };
    const all = [
      ...[lost, gone, { ...lost, event: 'PhaseChange' }],
      ...Array.from({ length: 10 }, () => lost),
      ...Array.from({ length: 40 }, () => ending),
    ];
    all.forEach((each, seq) => state.addOutcome({ ...each, at: at(seq), seq }));
    const kept = [...state.outcomes.values()].map((line) => parseOutcomeLine(line)?.seq);
    expect(kept.sort((a = 0, b = 0) => a - b)).toEqual([
      ...Array.from({ length: 10 }, (_, n) => 3 + n),
      ...Array.from({ length: 10 }, (_, n) => 43 + n),
    ]);
    const restored = aState();
    restored.restoreOutcomes(Object.fromEntries(state.outcomes));
    for (let seq = 60; seq < 100; seq++) restored.addOutcome({ ...ending, at: at(seq), seq });
    expect([...restored.outcomes.values()].filter((line) => line.includes('failed'))).toHaveLength(10);
  });

  it('of losses is kept longer only until they have arrived', () => {
    const ids = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb'];
    const state = aState();
    const lost = { ...ending, result: 'dropped', reason: 'expired', event: 'Success' };
    state.addOutcome({ ...lost, at: at(1), seq: 1, ids: ids.slice(0, 1) });
    state.addOutcome({ ...lost, at: at(2), seq: 2, count: 5, ids });
    state.addOutcome({ ...lost, at: at(3), seq: 3, stream: 'night/other', ids: ids.slice(0, 1) });
    const changed = state.addOutcome({ ...ending, at: at(4), seq: 4, ids: ids.slice(0, 1) });
    expect(changed).toEqual(['3', '1']);
    expect(state.outcomes.get('1')).toBe(`${at(2)} #2 Success night/ops dropped expired (4) [bbbbbbbbbbbb]`);
    const restored = aState();
    restored.restoreOutcomes(Object.fromEntries(state.outcomes));
    for (const each of [state, restored]) {
      for (let seq = 5; seq < 40; seq++) each.addOutcome({ ...ending, at: at(seq), seq });
      const kept = [...each.outcomes.values()].filter((line) => line.includes('expired'));
      expect(kept.map((line) => parseOutcomeLine(line)?.seq)).toEqual([2, 3]);
    }
  });

  it('has the ids of all that ended together; of many, of what tells how runs went', () => {
    const kinds = ['Start', 'ExecutionProgress', 'Success'] as const;
    const events = kinds.map((kind, n) => ({ kind, id: `${n}`.repeat(52) }));
    expect(idsOf(events)).toEqual(['0', '1', '2'].map((letter) => letter.repeat(12)));
    const many = Array.from({ length: 9 }, () => events[1]!);
    expect(idsOf([...many, ...events])).toEqual(['0'.repeat(12), '2'.repeat(12)]);
    expect(idsOf(Array.from({ length: 1_000 }, () => events[0]!))).toHaveLength(8);
  });

  it.each([3, 20, 29])('goes on after the newest of %i, as an earlier process left them', (count) => {
    const first = aState();
    let slot = '';
    for (let seq = 0; seq < count; seq++) [slot = ''] = first.addOutcome({ ...ending, at: at(seq), seq });
    const second = aState();
    second.restoreOutcomes({ ...Object.fromEntries(first.outcomes), nonsense: 'x', 20: 'z' });
    expect(second.outcomes).toEqual(first.outcomes);
    expect(second.addOutcome({ ...ending, at: at(count), seq: count })).toEqual([
      String((Number(slot) + 1) % 20),
    ]);
  });
});
