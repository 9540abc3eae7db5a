import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { derive } from './derive.ts';
import type { LifecycleEvent } from './event.ts';
import { emptyBaseline, silentBaseline, type Observed } from './observed.ts';
import { expectedOf, line, netOf } from './testing/expected.ts';
import { histories, type History, type Write } from './testing/history.ts';

const SEED = {
  seed: Number(process.env.SEED ?? 20260301),
  numRuns: Number(process.env.RUNS ?? 400),
  endOnFailure: true,
};
const NEVER = { failureAfterMs: Number.MAX_SAFE_INTEGER };

/** Feeds `writes` to derive one by one; the events of each. */
function watch(writes: readonly Write[], from: Observed = emptyBaseline('epoch')) {
  let observed = from;
  return writes.map(({ plan, at }) => {
    const derived = derive(observed, plan, at, NEVER);
    observed = derived.observed;
    return derived;
  });
}

const eventsOf = (steps: ReturnType<typeof watch>): LifecycleEvent[] => steps.flatMap(({ events }) => events);

const wholeOf = (history: History): string[] =>
  history.writes.flatMap((_, index) => expectedOf(history, index));

describe('a history seen whole', () => {
  it("gives exactly the events that the operator's script tells of, each with its write", () => {
    fc.assert(
      fc.property(histories, (history) => {
        const steps = watch(history.writes);
        expect(steps.map(({ events }) => events.map(line))).toEqual(
          history.writes.map((_, index) => expectedOf(history, index)),
        );
        expect(steps.every(({ missedRuns }) => missedRuns === 0)).toBe(true);
      }),
      SEED,
    );
  });
});

describe('a history with one write unseen', () => {
  it('gives the net events, whichever write it was', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const { writes } = history;
        for (const [index, unseen] of writes.entries()) {
          const next = writes[index + 1];
          const expected = [
            ...writes.slice(0, index).map((_, before) => expectedOf(history, before)),
            ...(next === undefined ? [] : [netOf(history, writes[index - 1], unseen, next)]),
            ...writes.slice(index + 2).map((_, after) => expectedOf(history, index + 2 + after)),
          ];
          const steps = watch(writes.filter((write) => write !== unseen));
          expect(
            steps.map(({ events }) => events.map(line)),
            `unseen: ${index} ${unseen.did}`,
          ).toEqual(expected);
        }
      }),
      { ...SEED, numRuns: Number(process.env.RUNS ?? 150) },
    );
  });
});
