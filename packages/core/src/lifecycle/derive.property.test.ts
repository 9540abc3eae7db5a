import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { derive, type Derived } from './derive.ts';
import type { DerivedEvent } from './event.ts';
import { idOf } from './ids.ts';
import { emptyBaseline, silentBaseline } from './baseline.ts';
import type { Observed } from './observed.ts';
import { rolledBack } from './past.ts';
import { expectedOf, line, roughLine, netOf } from './testing/expected.ts';
import { plainHistories, histories, type History, type Write } from './testing/history.ts';
import { runs } from '../testing/runs.ts';

const RUNS = { seed: 20260301, numRuns: runs(40), endOnFailure: true };
const NEVER = { failureAfterMs: Number.MAX_SAFE_INTEGER };

/** Feeds `writes` to derive one by one; what came of each. */
function watch(writes: readonly Write[], from: Observed = emptyBaseline('epoch')): Derived[] {
  let observed = from;
  return writes.map(({ plan, at }) => {
    const derived = derive(observed, plan, at, NEVER);
    observed = derived.observed;
    return derived;
  });
}

const eventsOf = (steps: readonly Derived[]): DerivedEvent[] => steps.flatMap(({ events }) => events);

const linesOf = (steps: readonly Derived[]): string[][] => steps.map(({ events }) => events.map(line));

/** Without the number of the run: after a return it may be another one. */
const plainLine = (event: DerivedEvent): string => line({ ...event, run: 0 });

const expectedFrom = (history: History, first: number): string[][] =>
  history.writes.slice(first).map((_, index) => expectedOf(history, first + index));

/** A history and some of its writes, as one sees it who looks away now and then. */
const glimpses = plainHistories.chain((history) =>
  fc
    .array(fc.integer({ min: 1, max: 3 }), {
      minLength: history.writes.length,
      maxLength: history.writes.length,
    })
    .map((draws) => {
      const indices = history.writes.flatMap((_, index) => (draws[index] === 1 ? index : []));
      const seen = history.writes.filter((_, index) => draws[index] === 1);
      const asText = `${fc.stringify(history)}, seen ${indices.join()}`;
      return { history, seen, [fc.toStringMethod]: () => asText };
    }),
);

describe('a history seen whole', () => {
  it("gives exactly the events of the operator's script, each with its write", () => {
    fc.assert(
      fc.property(histories, (history) => {
        const steps = watch(history.writes);
        expect(linesOf(steps)).toEqual(expectedFrom(history, 0));
        expect(steps.map(({ missedRuns }) => missedRuns)).toEqual(steps.map(() => 0));
      }),
      RUNS,
    );
  });

  it('gives the same from a journal, which keeps what was observed as JSON', () => {
    fc.assert(
      fc.property(histories, ({ writes }) => {
        let observed = emptyBaseline('epoch');
        const steps = writes.map(({ plan, at }) => {
          const derived = derive(JSON.parse(JSON.stringify(observed)) as Observed, plan, at, NEVER);
          observed = derived.observed;
          return derived;
        });
        expect(steps).toEqual(watch(writes));
      }),
      { ...RUNS, numRuns: runs(15) },
    );
  });

  it('gives from a silent baseline, taken anywhere, what comes after it', () => {
    fc.assert(
      fc.property(histories, fc.nat(), (history, n) => {
        const { writes } = history;
        const index = n % writes.length;
        const first = writes[index];
        if (first === undefined) return;
        const baseline = silentBaseline(first.plan, 'epoch', first.at, NEVER);
        const steps = watch(writes.slice(index + 1), { ...baseline, run: first.run });
        expect(linesOf(steps)).toEqual(expectedFrom(history, index + 1));
      }),
      RUNS,
    );
  });
});

describe('a history with one write unseen', () => {
  it('gives the net events, whichever write it was, and the others as if nothing had been', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const { writes } = history;
        const whole = watch(writes);
        for (const [index, unseen] of writes.entries()) {
          const next = writes[index + 1];
          if (next === undefined) return;
          const expected = [
            netOf(history, writes[index - 1], unseen, next),
            ...expectedFrom(history, index + 2),
          ];
          const steps = watch(writes.slice(index + 1), whole[index - 1]?.observed);
          expect(linesOf(steps), `unseen: ${index} ${unseen.did}`).toEqual(expected);
        }
      }),
      { ...RUNS, numRuns: runs(20) },
    );
  });
});

describe('a history with any writes unseen', () => {
  it('never gives more than the whole history, and ends with the right end', () => {
    fc.assert(
      fc.property(glimpses, ({ history, seen }) => {
        const whole = new Map<string, number>();
        for (const event of eventsOf(watch(history.writes))) add(whole, roughLine(event), 1);
        const steps = watch(seen);
        for (const event of eventsOf(steps)) add(whole, roughLine(event), -1);
        expect([...whole].filter(([, left]) => left < 0)).toEqual([]);

        let end = '';
        for (const [index, write] of seen.entries()) {
          const ends = steps[index]?.events.filter(({ kind }) => kind === 'Success' || kind === 'Failure');
          end = ends?.at(-1)?.kind ?? end;
          const before = seen[index - 1];
          if (write.did === 'fail' && write.retries >= history.retries) expect(end).toBe('Failure');
          // Out of Suspended only the history tells whether the run came to its end or was put to rest.
          if (
            write.did === 'succeed' &&
            (before?.status.phase !== 'Suspended' || write.recorded === 'success')
          )
            expect(end).toBe('Success');
        }
      }),
      { ...RUNS, numRuns: runs(60) },
    );
  });

  it('keeps the laws: numbers without gaps, ids of their own, Start first, one Success until a Recovery', () => {
    fc.assert(
      fc.property(glimpses, ({ seen }) => {
        const events = eventsOf(watch(seen));
        expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
        expect(new Set(events.map(idOf)).size).toBe(events.length);
        const started = new Set<number>([0]);
        const closed = new Set<number>();
        for (const { kind, run } of events) {
          if (kind === 'Start') {
            expect(started).not.toContain(run);
            started.add(run);
          }
          expect(started).toContain(run);
          if (kind === 'Recovery') closed.delete(run);
          if (kind === 'Success') {
            expect(closed).not.toContain(run);
            closed.add(run);
          }
        }
      }),
      RUNS,
    );
  });

  it('gives nothing for an object that was seen before, or is older than the last one', () => {
    fc.assert(
      fc.property(glimpses, ({ seen }) => {
        const steps = watch(seen);
        for (const [index, { observed }] of steps.entries()) {
          for (const { plan, at } of seen.slice(0, index + 1)) {
            const again = derive(observed, plan, at, NEVER);
            expect(again.events).toEqual([]);
            expect(again.observed).toBe(observed);
          }
        }
      }),
      { ...RUNS, numRuns: runs(15) },
    );
  });
});

const add = (counts: Map<string, number>, key: string, by: number): void => {
  counts.set(key, (counts.get(key) ?? 0) + by);
};

describe('a history that goes back', () => {
  /** A history, how many of its writes were seen, and the write to which it goes back. */
  const returns = plainHistories.chain((history) =>
    fc
      .tuple(fc.nat(history.writes.length - 1), fc.nat(history.writes.length - 1))
      .map(([a, b]) => ({ history, from: Math.min(a, b), seen: Math.max(a, b) })),
  );

  it('from a stale cache tells nothing again, and then continues as it would have', () => {
    fc.assert(
      fc.property(returns, ({ history: { writes }, from, seen }) => {
        const before = watch(writes.slice(0, seen + 1));
        const known = before.at(-1)?.observed ?? emptyBaseline('epoch');
        const again = watch(writes.slice(from, seen + 1), rolledBack(known));
        expect(linesOf(again).flat()).toEqual([]);
        const rest = writes.slice(seen + 1);
        const [after, otherwise] = [again.at(-1)?.observed, known].map((observed) => watch(rest, observed));
        expect(eventsOf(after ?? []).map(plainLine)).toEqual(eventsOf(otherwise ?? []).map(plainLine));
      }),
      RUNS,
    );
  });

  it('to a backup, whose versions are lower, tells nothing of the past', () => {
    fc.assert(
      fc.property(returns, ({ history: { writes }, from, seen }) => {
        const known = watch(writes.slice(0, seen + 1)).at(-1)?.observed ?? emptyBaseline('epoch');
        const restored = writes.slice(from, seen + 1).map((write, index) => ({
          ...write,
          plan: { ...write.plan, resourceVersion: String(index + 1) },
        }));
        const peak = { ...known, rv: '1000000' };
        expect(linesOf(watch(restored, rolledBack(peak))).flat()).toEqual([]);
      }),
      RUNS,
    );
  });
});
