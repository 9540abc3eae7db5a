import * as z from 'zod';
import type { Subject } from '../lifecycle/event-json.ts';
import { parsePlan } from '../resources/parse-plan.ts';
import type { Plan } from '../resources/plan.ts';
import { unpack } from './text.ts';

/** A plan that was deleted while deliveries waited. */
export interface DeletedPlan {
  /** Its last state. */
  readonly plan: Plan;
  /** When hnotif noticed that it was deleted (milliseconds since the epoch). */
  readonly at: number;
}

/**
 * The text of a deleted plan in its entry: the fields of its manifest that messages show. `short`: without targets. The messages of targets
 * are in the log.
 */
export function deletedText({ plan, at }: DeletedPlan, short: boolean): string {
  const { labels, annotations, targets, retries, status } = plan;
  const metadata = { deletionTimestamp: new Date(at).toISOString(), labels, annotations };
  if (short) return JSON.stringify({ metadata });
  const executions = status.executions.map(({ target, executor, state, startedAt, finishedAt }) => ({
    ...{ target, executor, state, startedAt, finishedAt },
  }));
  return JSON.stringify({
    metadata,
    spec: { targets, behavior: { retries } },
    status: { currentCycleID: status.cycleId, currentOperation: status.operation, executions },
  });
}

const STORED = z.object({
  metadata: z.looseObject({ deletionTimestamp: z.iso.datetime() }),
  spec: z.unknown(),
  status: z.unknown(),
});

/** Reads the text. Without one that is valid, labels, annotations and connectors of the plan are not known, and it was deleted now. */
export function deletedPlan(text: string | undefined, subject: Subject, now: number): DeletedPlan {
  const { namespace, name, uid } = subject;
  const stored = text === undefined ? undefined : STORED.safeParse(parsed(text)).data;
  const plan = parsePlan({ ...stored, metadata: { ...stored?.metadata, namespace, name, uid } });
  return { plan, at: stored === undefined ? now : Date.parse(stored.metadata.deletionTimestamp) };
}

function parsed(text: string): unknown {
  try {
    return unpack(text);
  } catch {
    return undefined;
  }
}
