import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Dot, Row } from '@hnotif/core/page';
import { dotsAt, fittingWidth, placeDots, placeMarks, placeSpans, ticksOf, WIDTHS } from './timeline.ts';

const WINDOW = { from: 0, to: 1_000 };
const BOX = { width: 500, height: 40 };

const dot = (id: string, at: number, state: Dot['state'] = 'delivered'): Dot => ({
  ...{ id, seq: 1, event: 'Start', notification: 'n', sink: 's', state, at, count: 1, why: '' },
});

const rowOf = (...dots: readonly Dot[]): Row => ({
  ...{ namespace: 'ns', plan: 'p', phase: 'Active', operation: '', spans: [], marks: [] },
  dots: new Map(dots.map((each) => [each.id, each])),
});

describe('the dots of a row', () => {
  it('stand at their times, and those outside are left out', () => {
    const placed = placeDots(
      rowOf(dot('before', -1), dot('a', 0), dot('b', 500), dot('after', 1_001)),
      WINDOW,
      BOX,
    );
    expect(placed.map(({ dot: { id }, x }) => [id, x]).sort()).toEqual([
      ['a', 0],
      ['b', 250],
    ]);
  });

  it('that would stand on each other stand above each other, three at most', () => {
    const all = ['a', 'b', 'c', 'd', 'e'].map((id) => dot(id, 500));
    const placed = placeDots(rowOf(...all), WINDOW, BOX);
    const drawn = placed.filter(({ isUnder }) => !isUnder);
    expect(new Set(drawn.map(({ y }) => y)).size).toBe(3);
    expect(drawn).toHaveLength(3);
  });

  it('that are wrong are drawn over those that are not, and are never hidden by them', () => {
    const good = Array.from({ length: 9 }, (_, at) => dot(`good ${at}`, 500));
    const placed = placeDots(rowOf(...good, dot('bad', 500, 'failed')), WINDOW, BOX);
    expect(placed.at(-1)).toMatchObject({ dot: { id: 'bad' }, isUnder: false });
  });

  it('are found under the pointer, the nearest first', () => {
    const placed = placeDots(rowOf(dot('a', 500), dot('b', 510), dot('far', 900)), WINDOW, BOX);
    expect(dotsAt(placed, 254, 26).map(({ dot: { id } }) => id)).toEqual(['b', 'a']);
    expect(dotsAt(placed, 350, 20)).toEqual([]);
  });
});

describe('the phases of a row', () => {
  it('fill the time without a gap, the last one until now', () => {
    const spans = [
      { phase: 'Active', from: -500 },
      { phase: 'Hibernating', from: 400 },
    ];
    expect(placeSpans(spans, WINDOW, 900, BOX)).toEqual([
      { phase: 'Active', x: 0, width: 200 },
      { phase: 'Hibernating', x: 200, width: 250 },
    ]);
  });

  it('that ended before are left out', () => {
    const spans = [
      { phase: 'Active', from: -500 },
      { phase: 'Error', from: -100 },
    ];
    expect(placeSpans(spans, WINDOW, 900, BOX).map(({ phase }) => phase)).toEqual(['Error']);
  });
});

it('the events in the window are lines', () => {
  const marks = [
    { kind: 'Start', at: 100 },
    { kind: 'Failure', at: 2_000 },
  ] as const;
  expect(placeMarks(marks, WINDOW, BOX)).toEqual([{ mark: marks[0], x: 50 }]);
});

it('the ticks of the axis are apart from each other, and in the window', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...WIDTHS),
      fc.integer({ min: 200, max: 4_000 }),
      fc.nat(1e12),
      ({ ms }, width, from) => {
        const ticks = ticksOf({ from, to: from + ms }, width);
        expect(ticks.every((at) => at >= from && at < from + ms)).toBe(true);
        // The label of the last one is not cut off.
        expect(((from + ms - (ticks.at(-1) ?? from)) / ms) * width).toBeGreaterThan(60);
        const gaps = ticks.slice(1).map((at, before) => ((at - (ticks[before] ?? 0)) / ms) * width);
        expect(gaps.every((gap) => gap >= 60)).toBe(true);
      },
    ),
  );
});

describe('what fits', () => {
  const now = 100 * 3_600_000;
  it.each([
    ['nothing', [], 60_000],
    ['a delivery of this minute', [now - 30_000], 60_000],
    ['one of ten minutes ago', [now - 600_000], 1_200_000],
    ['only one of yesterday', [now - 86_400_000], 60_000],
  ])('for %s', (_, times, width) => {
    expect(fittingWidth([rowOf(...times.map((at) => dot(String(at), at)))], now)).toBe(width);
  });
});
