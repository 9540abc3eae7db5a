import { describe, expect, it } from 'vitest';
import { idsOf, Outcomes, parseOutcomeLine, type OutcomeLine } from './outcomes.ts';

/** Returns the slots that have changed. */
function add(outcomes: Outcomes, ending: OutcomeLine): readonly string[] {
  const changed = new Set<string>();
  outcomes.add(ending, changed);
  return [...changed];
}

const stored = (outcomes: Outcomes): Record<string, string> => outcomes.in(new Set(outcomes.slots));
const lineIn = (outcomes: Outcomes, slot: string): string | undefined => stored(outcomes)[slot];

it('the outcome of a delivery is a line for people, and can be parsed', () => {
  const outcomes = new Outcomes();
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
  for (const ending of endings) add(outcomes, ending);
  expect(lineIn(outcomes, '1')).toBe(`${at} #13 Start night/ops dropped expired (300)`);
  expect(lineIn(outcomes, '3')).toBe(
    `${at} #15 Success night/ops dropped expired (9) [abcdefghij23 zzzzzzzzzz77]`,
  );
  expect(outcomes.lines.map((line) => parseOutcomeLine(line))).toEqual(endings);
  for (const line of ['', 'x', `${at} #x Start night/ops failed`, 'x'.repeat(100_000)])
    expect(parseOutcomeLine(line)).toBeUndefined();
});

describe('the outcomes of deliveries', () => {
  const ending = { event: 'Start', stream: 'night/ops', count: 1, result: 'delivered', reason: '' };
  const at = (seq: number): string => new Date(seq * 1_000).toISOString();

  it('are the last twenty, in slots that are used in turn', () => {
    const outcomes = new Outcomes();
    const slots = Array.from({ length: 29 }, (_, n) => add(outcomes, { ...ending, at: at(n), seq: n })[0]);
    expect(slots.slice(18, 22)).toEqual(['18', '19', '0', '1']);
    add(outcomes, { ...ending, at: 'now', seq: 30, count: 40, result: 'dropped', reason: 'overflow' });
    expect(outcomes.lines).toHaveLength(20);
    expect(lineIn(outcomes, '8')).toBe(`${at(28)} #28 Start night/ops delivered`);
    expect(lineIn(outcomes, '9')).toBe('now #30 Start night/ops dropped overflow (40)');
  });

  it('keep losses longer: the newest ten, but not of progress, and not of deleted sinks', () => {
    const outcomes = new Outcomes();
    const lost = { ...ending, result: 'failed', reason: 'TooLong', ids: ['abcdefghij23'] };
    const gone = { ...lost, result: 'dropped', reason: 'unsubscribed' };
    const all = [
      ...[lost, gone, { ...lost, event: 'PhaseChange' }],
      ...Array.from({ length: 10 }, () => lost),
      ...Array.from({ length: 40 }, () => ending),
    ];
    all.forEach((each, seq) => add(outcomes, { ...each, at: at(seq), seq }));
    const kept = outcomes.lines.map((line) => parseOutcomeLine(line)?.seq);
    expect(kept.sort((a = 0, b = 0) => a - b)).toEqual([
      ...Array.from({ length: 10 }, (_, n) => 3 + n),
      ...Array.from({ length: 10 }, (_, n) => 43 + n),
    ]);
    const restored = new Outcomes();
    restored.restore(stored(outcomes));
    for (let seq = 60; seq < 100; seq++) add(restored, { ...ending, at: at(seq), seq });
    expect(restored.lines.filter((line) => line.includes('failed'))).toHaveLength(10);
  });

  it('keep losses longer only until they have arrived', () => {
    const ids = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb'];
    const outcomes = new Outcomes();
    const lost = { ...ending, result: 'dropped', reason: 'expired', event: 'Success' };
    add(outcomes, { ...lost, at: at(1), seq: 1, ids: ids.slice(0, 1) });
    add(outcomes, { ...lost, at: at(2), seq: 2, count: 5, ids });
    add(outcomes, { ...lost, at: at(3), seq: 3, stream: 'night/other', ids: ids.slice(0, 1) });
    const changed = add(outcomes, { ...ending, at: at(4), seq: 4, ids: ids.slice(0, 1) });
    expect(changed).toEqual(['3', '1']);
    expect(lineIn(outcomes, '1')).toBe(`${at(2)} #2 Success night/ops dropped expired (4) [bbbbbbbbbbbb]`);
    const restored = new Outcomes();
    restored.restore(stored(outcomes));
    for (const each of [outcomes, restored]) {
      for (let seq = 5; seq < 40; seq++) add(each, { ...ending, at: at(seq), seq });
      const kept = each.lines.filter((line) => line.includes('expired'));
      expect(kept.map((line) => parseOutcomeLine(line)?.seq)).toEqual([2, 3]);
    }
  });

  it('have the ids of all deliveries that ended together; if they are many, of those that say how runs went', () => {
    const kinds = ['Start', 'ExecutionProgress', 'Success'] as const;
    const events = kinds.map((kind, n) => ({ kind, id: `${n}`.repeat(52) }));
    expect(idsOf(events)).toEqual(['0', '1', '2'].map((letter) => letter.repeat(12)));
    const many = Array.from({ length: 9 }, () => events[1]!);
    expect(idsOf([...many, ...events])).toEqual(['0'.repeat(12), '2'.repeat(12)]);
    expect(idsOf(Array.from({ length: 1_000 }, () => events[0]!))).toHaveLength(8);
  });

  it.each([3, 20, 29])('continue after the newest of %i that an earlier process wrote', (count) => {
    const first = new Outcomes();
    let slot = '';
    for (let seq = 0; seq < count; seq++) [slot = ''] = add(first, { ...ending, at: at(seq), seq });
    const second = new Outcomes();
    second.restore({ ...stored(first), nonsense: 'x', 20: 'z', '01': 'y', '-1': 'y' });
    expect(stored(second)).toEqual(stored(first));
    expect(add(second, { ...ending, at: at(count), seq: count })).toEqual([String((Number(slot) + 1) % 20)]);
  });
});
