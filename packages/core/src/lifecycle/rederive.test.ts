import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePlan } from '../resources/parse-plan.ts';
import type { Plan } from '../resources/plan.ts';
import type { EventKind } from '../resources/kinds.ts';
import { derive } from './derive.ts';
import type { DerivedEvent } from './event.ts';
import { idOf } from './ids.ts';
import { emptyBaseline } from './baseline.ts';
import type { Observed } from './observed.ts';
import { begin, fail, initialStatus, poll, retry, succeed, type OperatorStatus } from './operator.ts';
import { rederive } from './rederive.ts';
import { histories } from './testing/history.ts';
import { runs } from '../testing/runs.ts';

const T0 = Date.parse('2026-03-01T19:00:00Z');
const MINUTE = 60_000;
const DB = [{ name: 'db', type: 'rds' }];
const NEVER = { failureAfterMs: Number.MAX_SAFE_INTEGER };
const LENGTH = 12;

/** A process that sees each write, and what it has told. */
class Watcher {
  readonly told: DerivedEvent[] = [];
  plan!: Plan;
  observed: Observed = emptyBaseline('epoch');
  status: OperatorStatus = { ...initialStatus, phase: 'Active' };
  at = T0;

  /** One write of the operator, a minute after the last one. */
  write(step: (status: OperatorStatus, at: number) => OperatorStatus): void {
    this.at += MINUTE;
    this.status = step(this.status, this.at);
    const metadata = { namespace: 'shop', name: 'night', uid: 'uid-1', resourceVersion: String(this.at) };
    this.see(parsePlan({ metadata, spec: { behavior: { retries: 0 } }, status: this.status }), this.at);
  }

  see(plan: Plan, at: number): void {
    this.at = at;
    this.plan = plan;
    const { observed, events } = derive(this.observed, plan, at, NEVER);
    this.observed = observed;
    this.told.push(...events);
  }

  /** The events of this kind that the status still tells: the cycle and operation of each. */
  again(kind: EventKind): readonly string[] {
    const find = rederive(this.plan, this.observed, this.at);
    return this.told
      .filter((event) => event.kind === kind)
      .flatMap((event) => {
        const found = find(kind, idOf(event).slice(0, LENGTH), event.seq);
        if (found === undefined) return [];
        expect(found.event.id).toBe(idOf(event));
        return [`${found.event.cycle} ${found.event.operation}`];
      });
  }
}

function night(): Watcher {
  const watcher = new Watcher();
  watcher.write((status) => status);
  watcher.write((status, at) => begin(status, 'shutdown', 'c1', DB, at));
  watcher.write((status, at) => poll(status, [{ target: 'db', state: 'Completed' }], at));
  watcher.write(succeed);
  return watcher;
}

describe('what a plan’s status still tells', () => {
  it('is the whole of a night that has ended, with the ids, the times and the phases that it had', () => {
    const watcher = night();
    const find = rederive(watcher.plan, watcher.observed, watcher.at);
    for (const event of watcher.told.filter(
      ({ kind, phase }) => kind !== 'PhaseChange' || phase === 'Hibernated',
    )) {
      const { event: found } = find(event.kind, idOf(event).slice(0, LENGTH), event.seq) ?? {};
      expect(found).toMatchObject({ ...event, id: idOf(event), seq: found?.seq });
    }
    expect(watcher.told.map(({ kind }) => kind)).toContain('ExecutionProgress');
  });

  it('is the Start and the Success of an earlier run, from the history; its targets’ progress is not', () => {
    const watcher = night();
    watcher.write((status, at) => begin(status, 'wakeup', 'c1', DB, at));
    expect(watcher.again('Success')).toEqual(['c1 shutdown']);
    expect(watcher.again('Start')).toContain('c1 wakeup');
    expect(watcher.again('ExecutionProgress')).toEqual([]);
  });

  it('is a Failure until the retry, and then the Recovery', () => {
    const watcher = new Watcher();
    watcher.write((status, at) => begin(status, 'shutdown', 'c1', DB, at));
    watcher.write((status, at) =>
      fail(poll(status, [{ target: 'db', state: 'Failed' }], at), 'no rights', at),
    );
    expect(watcher.again('Failure')).toEqual(['c1 shutdown']);
    watcher.write(retry);
    expect(watcher.again('Failure')).toEqual([]);
    expect(watcher.again('Recovery')).toEqual(['c1 shutdown']);
  });

  it('is found by its number where the operator writes no times', () => {
    const watcher = new Watcher();
    const timeless = (status: OperatorStatus): OperatorStatus => ({ ...status, lastTransitionTime: null });
    watcher.write((status, at) => timeless(begin(status, 'shutdown', 'c1', DB, at)));
    expect(watcher.again('Start')).toEqual(['c1 shutdown']);
  });

  it('is nothing of another plan, or of an id that it never had', () => {
    const { plan, observed, at, told } = night();
    const find = rederive({ ...plan, uid: 'other' }, observed, at);
    for (const event of told)
      expect(find(event.kind, idOf(event).slice(0, LENGTH), event.seq)).toBeUndefined();
  });
});

it('an event is never found under an id that it did not have, whatever the operator did', () => {
  let found = 0;
  fc.assert(
    fc.property(histories, ({ writes }) => {
      const watcher = new Watcher();
      for (const { plan, at } of writes) {
        watcher.see(plan, at);
        const find = rederive(plan, watcher.observed, at);
        for (const event of watcher.told) {
          const again = find(event.kind, idOf(event).slice(0, LENGTH), event.seq)?.event;
          if (again === undefined) continue;
          found++;
          expect(again.id).toBe(idOf(event));
          expect(factsOf(again)).toEqual(factsOf(event));
        }
      }
    }),
    { seed: 20260301, numRuns: runs(20), endOnFailure: true },
  );
  expect(found).toBeGreaterThan(1_000);
});

const factsOf = ({ kind, planUid, cycle, operation, targetExecution }: DerivedEvent): readonly unknown[] => [
  kind,
  planUid,
  cycle,
  operation,
  targetExecution?.name,
  targetExecution?.state,
];
