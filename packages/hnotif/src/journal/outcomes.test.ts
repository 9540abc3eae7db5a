import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idsOf, parseOutcomeLine, type OutcomeLine } from './outcome-line.ts';
import { NIGHTS, Outcomes } from './outcomes.ts';

/** Returns the slots that have changed. */
function add(outcomes: Outcomes, ending: OutcomeLine): readonly string[] {
  const changed = new Set<string>();
  outcomes.add(ending, changed);
  return [...changed];
}

type Stored = Parameters<Outcomes['restore']>[0];
const stored = (outcomes: Outcomes): Stored => outcomes.in(new Set(outcomes.slots)) as Stored;
function lineIn(outcomes: Outcomes, name: string): string | undefined {
  const [list, slot = ''] = name.split(' ') as ['outcomes' | 'nights', string];
  return stored(outcomes)[list]?.[slot];
}

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
  expect(lineIn(outcomes, 'nights 1')).toBe(`${at} #13 Start night/ops dropped expired (300)`);
  expect(lineIn(outcomes, 'nights 3')).toBe(
    `${at} #15 Success night/ops dropped expired (9) [abcdefghij23 zzzzzzzzzz77]`,
  );
  expect(outcomes.lines.map((line) => parseOutcomeLine(line))).toEqual(endings);
  for (const line of ['', 'x', `${at} #x Start night/ops failed`, 'x'.repeat(100_000)])
    expect(parseOutcomeLine(line)).toBeUndefined();
});

it('the requests of a delivery take few bytes of its line, and a line without them, or with others, can be read', () => {
  const outcomes = new Outcomes();
  const at = '2026-01-05T20:00:00.000Z';
  const line = { at, seq: 1, event: 'Start', stream: 'night/ops', count: 1, result: 'delivered', reason: '' };
  const event = { time: at, operation: 'shutdown', phase: 'Hibernating' };
  const [id, requests] = ['bbbbbbbbbbbb', [{ tookMs: 12, status: 200 }]];
  add(outcomes, { ...line, ids: ['aaaaaaaaaaaa'], facts: { id, event } });
  add(outcomes, { ...line, ids: ['cccccccccccc'], facts: { id, requests, event } });
  const [older = '', newer = ''] = outcomes.lines;
  expect(newer.length - older.length).toBeLessThanOrEqual(10);
  expect(parseOutcomeLine(older)?.facts?.requests).toBeUndefined();
  expect(parseOutcomeLine(newer)?.facts?.requests).toEqual(requests);
  for (const other of ['5', '"nonsense"', '["12"]', `"${'1, '.repeat(900)}1"`]) {
    const read = parseOutcomeLine(newer.replace('"12"', other));
    expect(read?.facts).toMatchObject({ id, event: { phase: 'Hibernating' } });
    expect(read?.facts?.requests).toBeUndefined();
  }
});

it('a line with many slashes takes no long time', () => {
  const line = (stream: string): string => `2026-01-05T20:00:00.000Z #12 Success ${stream} !`;
  for (const slashes of ['/'.repeat(400_000), `a${'/'.repeat(400_000)}`])
    expect(parseOutcomeLine(line(slashes))).toBeUndefined();
});

describe('the outcomes of deliveries', () => {
  const progress = {
    ...{ event: 'ExecutionProgress', stream: 'night/ops', count: 1, result: 'delivered', reason: '' },
  };
  const ending = { ...progress, event: 'Start' };
  const at = (seq: number): string => new Date(seq * 1_000).toISOString();

  it('of progress are the last twenty, in slots that are used in turn', () => {
    const outcomes = new Outcomes();
    const slots = Array.from({ length: 29 }, (_, n) => add(outcomes, { ...progress, at: at(n), seq: n })[0]);
    expect(slots.slice(18, 22)).toEqual(['outcomes 18', 'outcomes 19', 'outcomes 0', 'outcomes 1']);
    add(outcomes, { ...progress, at: 'now', seq: 30, count: 40, result: 'dropped', reason: 'overflow' });
    expect(outcomes.lines).toHaveLength(20);
    expect(lineIn(outcomes, 'outcomes 8')).toBe(`${at(28)} #28 ExecutionProgress night/ops delivered`);
    expect(lineIn(outcomes, 'outcomes 9')).toBe('now #30 ExecutionProgress night/ops dropped overflow (40)');
  });

  it('of the last nights are kept apart from progress: the last 64, and twenty whatever their age', () => {
    const outcomes = new Outcomes(60_000);
    for (let n = 0; n < 100; n++) {
      add(outcomes, { ...ending, at: at(n / 100), seq: n });
      add(outcomes, { ...progress, at: at(n / 100), seq: n });
    }
    expect(Object.keys(stored(outcomes).nights ?? {})).toHaveLength(NIGHTS.most);
    // An hour later: what is too old leaves in the write that stores the new line.
    const changed = add(outcomes, { ...ending, at: at(3_600), seq: 200 });
    expect(outcomes.lines).toHaveLength(20 + NIGHTS.least);
    const removed = outcomes.in(new Set(changed)).nights ?? {};
    expect(Object.values(removed).filter((line) => line === null)).toHaveLength(NIGHTS.most - NIGHTS.least);
    const restored = new Outcomes();
    restored.restore(stored(outcomes));
    expect(restored.lines).toEqual(outcomes.lines);
    expect(new Set(restored.free)).toEqual(new Set(outcomes.free));
  });

  it('have the facts of the event once for all its sinks, and once more for each loss', () => {
    const outcomes = new Outcomes();
    const event = { time: at(1), operation: 'shutdown', phase: 'Error', error: 'no "rights" [x] {y}' };
    const failure = { ...ending, event: 'Failure', ids: ['aaaaaaaaaaaa'] };
    const of = (sink: string, result: string): OutcomeLine => ({
      ...{ ...failure, at: at(2), seq: 7, stream: `night/${sink}`, result },
      ...{
        reason: result === 'failed' ? 'TooLong' : '',
        facts: { id: 'bbbbbbbbbbbb', requestCount: 2, event },
      },
    });
    for (const line of [of('a', 'delivered'), of('b', 'delivered'), of('c', 'failed')]) add(outcomes, line);
    const read = outcomes.lines.map((line) => parseOutcomeLine(line)?.facts);
    const own = { id: 'bbbbbbbbbbbb', requestCount: 2 };
    expect(read).toEqual([{ ...own, event: { ...event, time: '1970-01-01T00:00:01Z' } }, own, read[2]]);
    expect(read[2]).toEqual(read[0]);
  });

  it('keep losses longer: the newest ten, but not of progress, and not of deleted sinks', () => {
    const outcomes = new Outcomes();
    const lost = { ...ending, result: 'failed', reason: 'TooLong', ids: ['abcdefghij23'] };
    const gone = { ...lost, result: 'dropped', reason: 'unsubscribed' };
    const all = [
      ...[lost, gone, { ...lost, event: 'PhaseChange' }],
      ...Array.from({ length: 10 }, () => lost),
      ...Array.from({ length: 84 }, () => ending),
    ];
    all.forEach((each, seq) => add(outcomes, { ...each, at: at(seq), seq }));
    const kept = outcomes.lines.map((line) => parseOutcomeLine(line)?.seq);
    expect(kept.sort((a = 0, b = 0) => a - b)).toEqual([
      // Progress has its own list.
      2,
      ...Array.from({ length: 10 }, (_, n) => 3 + n),
      ...Array.from({ length: 54 }, (_, n) => 43 + n),
    ]);
    const restored = new Outcomes();
    restored.restore(stored(outcomes));
    for (let seq = 100; seq < 200; seq++) add(restored, { ...ending, at: at(seq), seq });
    expect(restored.lines.filter((line) => line.includes('Start night/ops failed'))).toHaveLength(10);
  });

  it('keep losses longer only until they have arrived', () => {
    const ids = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb'];
    const outcomes = new Outcomes();
    const lost = { ...ending, result: 'dropped', reason: 'expired', event: 'Success' };
    add(outcomes, { ...lost, at: at(1), seq: 1, ids: ids.slice(0, 1) });
    add(outcomes, { ...lost, at: at(2), seq: 2, count: 5, ids });
    add(outcomes, { ...lost, at: at(3), seq: 3, stream: 'night/other', ids: ids.slice(0, 1) });
    const changed = add(outcomes, { ...ending, at: at(4), seq: 4, ids: ids.slice(0, 1) });
    expect(changed).toEqual(['nights 3', 'nights 1']);
    expect(lineIn(outcomes, 'nights 1')).toBe(
      `${at(2)} #2 Success night/ops dropped expired (4) [bbbbbbbbbbbb]`,
    );
    const restored = new Outcomes();
    restored.restore(stored(outcomes));
    for (const each of [outcomes, restored]) {
      for (let seq = 5; seq < 100; seq++) add(each, { ...ending, at: at(seq), seq });
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
    for (let seq = 0; seq < count; seq++) [slot = ''] = add(first, { ...progress, at: at(seq), seq });
    const second = new Outcomes();
    const { outcomes } = stored(first);
    second.restore({ outcomes: { ...outcomes, nonsense: 'x', 20: 'z', '01': 'y', '-1': 'y' } });
    expect(stored(second)).toEqual(stored(first));
    const next = (Number(slot.slice('outcomes '.length)) + 1) % 20;
    expect(add(second, { ...progress, at: at(count), seq: count })).toEqual([`outcomes ${next}`]);
  });

  it('of nights never exceed their bounds, keep the newest, and are written as they are kept', () => {
    const text = fc.string({ unit: 'binary', maxLength: 300 });
    const line = fc.record({
      event: fc.constantFrom('Start', 'Success', 'Failure', 'ExecutionProgress'),
      result: fc.constantFrom('delivered', 'failed'),
      hours: fc.nat(40),
      error: text,
    });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 150 }), (lines) => {
        const outcomes = new Outcomes();
        let store: Record<string, Record<string, string | null>> = {};
        let [hours, last] = [0, ''];
        for (const [seq, { event, result, hours: more, error }] of lines.entries()) {
          hours += more;
          const facts = { event: { time: at(0), operation: 'shutdown', phase: 'Error', error } };
          const reason = result === 'failed' ? 'TooLong' : '';
          const ids = ['a'.repeat(12)];
          const each = { ...progress, at: at(hours * 3_600), seq, event, result, reason, ids, facts };
          const changed = new Set<string>();
          outcomes.add(each, changed);
          if (event !== 'ExecutionProgress') last = `${each.at} #${seq} `;
          for (const [list, patch] of Object.entries(outcomes.in(changed)))
            store = { ...store, [list]: { ...store[list], ...patch } };
        }
        const nights = Object.values(store.nights ?? {}).filter((kept) => kept !== null);
        expect(nights.length).toBeLessThanOrEqual(NIGHTS.most);
        if (nights.length > NIGHTS.least) expect(outcomes.length).toBeLessThanOrEqual(NIGHTS.length);
        expect(nights.every((kept) => kept.length <= 4_096)).toBe(true);
        if (last !== '') expect(nights.some((kept) => kept.startsWith(last))).toBe(true);
        const kept = Object.values(store).flatMap((list) =>
          Object.values(list).filter((each) => each !== null),
        );
        expect(kept.sort()).toEqual([...outcomes.lines].sort());
      }),
    );
  });
});
