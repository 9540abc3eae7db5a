import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idsOf, parseOutcomeLine, type OutcomeLine } from './outcome-line.ts';
import {
  freeSlotsOf,
  lengthOf,
  linesIn,
  linesOf,
  NIGHTS,
  NO_OUTCOMES,
  type Outcomes,
  restoredOutcomes,
  slotsOf,
  withOutcome,
} from './outcomes.ts';

/** The outcomes of a plan from the first one on. */
interface Plan {
  outcomes: Outcomes;
}
const aPlan = (outcomes = NO_OUTCOMES): Plan => ({ outcomes });

/** Returns the slots that have changed. */
function add(plan: Plan, ending: OutcomeLine, keptMs?: number): readonly string[] {
  const changed = new Set<string>();
  plan.outcomes = withOutcome(plan.outcomes, ending, changed, keptMs);
  return [...changed];
}

type Stored = Parameters<typeof restoredOutcomes>[0];
const stored = ({ outcomes }: Plan): Stored => linesIn(outcomes, slotsOf(outcomes)) as Stored;
const linesFor = ({ outcomes }: Plan): readonly string[] => linesOf(outcomes);
function lineIn(plan: Plan, name: string): string | undefined {
  const [list, slot = ''] = name.split(' ') as ['outcomes' | 'nights', string];
  return stored(plan)[list]?.[slot];
}

it('the outcome of a delivery is a line for people, and can be parsed', () => {
  const plan = aPlan();
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
  for (const ending of endings) add(plan, ending);
  expect(lineIn(plan, 'nights 1')).toBe(`${at} #13 Start night/ops dropped expired (300)`);
  expect(lineIn(plan, 'nights 3')).toBe(
    `${at} #15 Success night/ops dropped expired (9) [abcdefghij23 zzzzzzzzzz77]`,
  );
  expect(linesFor(plan).map((line) => parseOutcomeLine(line))).toEqual(endings);
  for (const line of ['', 'x', `${at} #x Start night/ops failed`, 'x'.repeat(100_000)])
    expect(parseOutcomeLine(line)).toBeUndefined();
});

it('the requests of a delivery take few bytes of its line, and a line without them, or with others, can be read', () => {
  const plan = aPlan();
  const at = '2026-01-05T20:00:00.000Z';
  const line = { at, seq: 1, event: 'Start', stream: 'night/ops', count: 1, result: 'delivered', reason: '' };
  const event = { time: at, operation: 'shutdown', phase: 'Hibernating' };
  const [id, requests] = ['bbbbbbbbbbbb', [{ tookMs: 12, status: 200 }]];
  add(plan, { ...line, ids: ['aaaaaaaaaaaa'], facts: { id, event } });
  add(plan, { ...line, ids: ['cccccccccccc'], facts: { id, requests, event } });
  const [older = '', newer = ''] = linesFor(plan);
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
    const plan = aPlan();
    const slots = Array.from({ length: 29 }, (_, n) => add(plan, { ...progress, at: at(n), seq: n })[0]);
    expect(slots.slice(18, 22)).toEqual(['outcomes 18', 'outcomes 19', 'outcomes 0', 'outcomes 1']);
    add(plan, { ...progress, at: 'now', seq: 30, count: 40, result: 'dropped', reason: 'overflow' });
    expect(linesFor(plan)).toHaveLength(20);
    expect(lineIn(plan, 'outcomes 8')).toBe(`${at(28)} #28 ExecutionProgress night/ops delivered`);
    expect(lineIn(plan, 'outcomes 9')).toBe('now #30 ExecutionProgress night/ops dropped overflow (40)');
  });

  it('of the last nights are kept apart from progress: the last 64, and twenty whatever their age', () => {
    const plan = aPlan();
    for (let n = 0; n < 100; n++) {
      add(plan, { ...ending, at: at(n / 100), seq: n });
      add(plan, { ...progress, at: at(n / 100), seq: n });
    }
    expect(Object.keys(stored(plan).nights ?? {})).toHaveLength(NIGHTS.most);
    // An hour later: what is too old leaves in the write that stores the new line.
    const changed = add(plan, { ...ending, at: at(3_600), seq: 200 }, 60_000);
    expect(linesFor(plan)).toHaveLength(20 + NIGHTS.least);
    const removed = linesIn(plan.outcomes, changed).nights ?? {};
    expect(Object.values(removed).filter((line) => line === null)).toHaveLength(NIGHTS.most - NIGHTS.least);
    const restored = aPlan(restoredOutcomes(stored(plan)));
    expect(linesFor(restored)).toEqual(linesFor(plan));
    expect(new Set(freeSlotsOf(restored.outcomes))).toEqual(new Set(freeSlotsOf(plan.outcomes)));
  });

  it('have the facts of the event once for all its sinks, and once more for each loss', () => {
    const plan = aPlan();
    const event = { time: at(1), operation: 'shutdown', phase: 'Error', error: 'no "rights" [x] {y}' };
    const failure = { ...ending, event: 'Failure', ids: ['aaaaaaaaaaaa'] };
    const of = (sink: string, result: string): OutcomeLine => ({
      ...{ ...failure, at: at(2), seq: 7, stream: `night/${sink}`, result },
      ...{
        reason: result === 'failed' ? 'TooLong' : '',
        facts: { id: 'bbbbbbbbbbbb', requestCount: 2, event },
      },
    });
    for (const line of [of('a', 'delivered'), of('b', 'delivered'), of('c', 'failed')]) add(plan, line);
    const read = linesFor(plan).map((line) => parseOutcomeLine(line)?.facts);
    const own = { id: 'bbbbbbbbbbbb', requestCount: 2 };
    expect(read).toEqual([{ ...own, event: { ...event, time: '1970-01-01T00:00:01Z' } }, own, read[2]]);
    expect(read[2]).toEqual(read[0]);
  });

  it('keep losses longer: the newest ten, but not of progress, and not of deleted sinks', () => {
    const plan = aPlan();
    const lost = { ...ending, result: 'failed', reason: 'TooLong', ids: ['abcdefghij23'] };
    const gone = { ...lost, result: 'dropped', reason: 'unsubscribed' };
    const all = [
      ...[lost, gone, { ...lost, event: 'PhaseChange' }],
      ...Array.from({ length: 10 }, () => lost),
      ...Array.from({ length: 84 }, () => ending),
    ];
    all.forEach((each, seq) => add(plan, { ...each, at: at(seq), seq }));
    const kept = linesFor(plan).map((line) => parseOutcomeLine(line)?.seq);
    expect(kept.sort((a = 0, b = 0) => a - b)).toEqual([
      // Progress has its own list.
      2,
      ...Array.from({ length: 10 }, (_, n) => 3 + n),
      ...Array.from({ length: 54 }, (_, n) => 43 + n),
    ]);
    const restored = aPlan(restoredOutcomes(stored(plan)));
    for (let seq = 100; seq < 200; seq++) add(restored, { ...ending, at: at(seq), seq });
    expect(linesFor(restored).filter((line) => line.includes('Start night/ops failed'))).toHaveLength(10);
  });

  it('keep losses longer only until they have arrived', () => {
    const ids = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb'];
    const plan = aPlan();
    const lost = { ...ending, result: 'dropped', reason: 'expired', event: 'Success' };
    add(plan, { ...lost, at: at(1), seq: 1, ids: ids.slice(0, 1) });
    add(plan, { ...lost, at: at(2), seq: 2, count: 5, ids });
    add(plan, { ...lost, at: at(3), seq: 3, stream: 'night/other', ids: ids.slice(0, 1) });
    const changed = add(plan, { ...ending, at: at(4), seq: 4, ids: ids.slice(0, 1) });
    expect(changed).toEqual(['nights 3', 'nights 1']);
    expect(lineIn(plan, 'nights 1')).toBe(`${at(2)} #2 Success night/ops dropped expired (4) [bbbbbbbbbbbb]`);
    const restored = aPlan(restoredOutcomes(stored(plan)));
    for (const each of [plan, restored]) {
      for (let seq = 5; seq < 100; seq++) add(each, { ...ending, at: at(seq), seq });
      const kept = linesFor(each).filter((line) => line.includes('expired'));
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
    const first = aPlan();
    let slot = '';
    for (let seq = 0; seq < count; seq++) [slot = ''] = add(first, { ...progress, at: at(seq), seq });
    const { outcomes } = stored(first);
    const wrong = { nonsense: 'x', 20: 'z', '01': 'y', '-1': 'y' };
    const second = aPlan(restoredOutcomes({ outcomes: { ...outcomes, ...wrong } }));
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
        const plan = aPlan();
        let store: Record<string, Record<string, string | null>> = {};
        let [hours, last] = [0, ''];
        for (const [seq, { event, result, hours: more, error }] of lines.entries()) {
          hours += more;
          const facts = { event: { time: at(0), operation: 'shutdown', phase: 'Error', error } };
          const reason = result === 'failed' ? 'TooLong' : '';
          const ids = ['a'.repeat(12)];
          const each = { ...progress, at: at(hours * 3_600), seq, event, result, reason, ids, facts };
          const changed = add(plan, each);
          if (event !== 'ExecutionProgress') last = `${each.at} #${seq} `;
          for (const [list, patch] of Object.entries(linesIn(plan.outcomes, changed)))
            store = { ...store, [list]: { ...store[list], ...patch } };
        }
        const nights = Object.values(store.nights ?? {}).filter((kept) => kept !== null);
        expect(nights.length).toBeLessThanOrEqual(NIGHTS.most);
        if (nights.length > NIGHTS.least) expect(lengthOf(plan.outcomes)).toBeLessThanOrEqual(NIGHTS.length);
        expect(nights.every((kept) => kept.length <= 4_096)).toBe(true);
        if (last !== '') expect(nights.some((kept) => kept.startsWith(last))).toBe(true);
        const kept = Object.values(store).flatMap((list) =>
          Object.values(list).filter((each) => each !== null),
        );
        expect(kept.sort()).toEqual([...linesFor(plan)].sort());
      }),
    );
  });
});
