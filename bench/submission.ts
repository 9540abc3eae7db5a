import { systemClock as clock } from '@hnotif/core/clock';
import type { LivePlan } from '../packages/hnotif/src/dispatch/delivery.ts';
import type { Dispatcher } from '../packages/hnotif/src/dispatch/dispatcher.ts';
import type { Routed } from '../packages/hnotif/src/dispatch/log-entry.ts';
import type { PlanLog } from '../packages/hnotif/src/dispatch/plan-log.ts';
import type { Accepted as Submission } from '../packages/hnotif/src/testing/journals.ts';

export type { Submission };

/** Submits to the dispatcher without a journal: accepted events may be sent at once. */
export interface Handover {
  /** A plan's events, each for its sinks. */
  readonly accept: (plan: LivePlan, routed: readonly Routed[]) => void;
  /** An event for one sink. */
  readonly submit: (submission: Submission) => void;
}

export function handover(dispatcher: Dispatcher): Handover {
  /** By plan uid. */
  const logs = new Map<string, PlanLog>();
  const accept = (plan: LivePlan, routed: readonly Routed[]): void => {
    const { uid } = plan.current;
    const log = logs.get(uid) ?? dispatcher.open(plan);
    logs.set(uid, log);
    const by = { acceptedAt: clock.now(), since: clock.monotonic(), restored: false };
    dispatcher.append(log, routed, by);
    dispatcher.release(log, Infinity);
  };
  return {
    accept,
    submit({ plan, event, to: { notification, sink }, sinkType: type }) {
      accept(plan, [{ event, to: [{ notification, sink, type }] }]);
    },
  };
}
