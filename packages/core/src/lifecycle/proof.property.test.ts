import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../testing/runs.ts';
import { emptyBaseline } from './baseline.ts';
import { derive } from './derive.ts';
import { idOf } from './ids.ts';
import { provenEvents } from './proof.ts';
import { histories, type History } from './testing/history.ts';
import { observedOf } from './testing/processes.ts';

const RUNS = { seed: 20261129, numRuns: runs(6), endOnFailure: true };
const NEVER = { failureAfterMs: Number.MAX_SAFE_INTEGER };

/** Each change of a history with each state that may be stored when it comes. */
function* changesOf(history: History) {
  const states = observedOf(history, emptyBaseline('epoch'), [...history.writes.keys()]);
  for (const [index, { plan, at }] of history.writes.entries()) {
    const before = states[index];
    if (before === undefined) return;
    // The plan has whole seconds.
    const now = at + 250;
    const { events } = derive(before, plan, now, NEVER);
    for (const stored of states.slice(0, index + 1))
      yield { index, events, stored, proven: provenEvents(events, { stored, before }, plan, now, NEVER) };
  }
}

describe('the events that a status proves', () => {
  it('are derived by a process that knows an earlier state, with the same contents and ids, until the status changes', () => {
    let others = 0;
    fc.assert(
      fc.property(histories, (history) => {
        const { writes } = history;
        for (const { index, events, stored, proven } of changesOf(history)) {
          others += events.length - proven.size;
          for (const [place, later] of writes.slice(index).entries()) {
            if (place > 0 && later.did !== 'touch') break;
            // Another process sees it later.
            const { events: again } = derive(stored, later.plan, later.at + 1_500, NEVER);
            for (const event of proven)
              expect(
                again.find((each) => idOf(each) === idOf(event)),
                `${event.kind} of ${index}`,
              ).toEqual({ ...event, seq: expect.any(Number) as number });
          }
        }
      }),
      RUNS,
    );
    expect(others).toBeGreaterThan(0);
  });

  it('are all of a change with a time of their own, if the state before it is stored, but not progress', () => {
    fc.assert(
      fc.property(histories, (history) => {
        for (const { events, stored, proven } of changesOf(history))
          if (stored.seq === (events[0]?.seq ?? 0) - 1)
            expect([...proven]).toEqual(
              events.filter(
                ({ fact, kind, timestamp }) =>
                  fact !== '' && timestamp.endsWith('.000Z') && kind !== 'ExecutionProgress',
              ),
            );
      }),
      RUNS,
    );
  });
});
