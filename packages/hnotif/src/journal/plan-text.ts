import * as z from 'zod';
import type { Subject } from '@hnotif/core/lifecycle';
import { parsePlan, type Plan } from '@hnotif/core/resources';
import { ifValid, unpack } from './text.ts';

/** A plan whose deliveries wait, as its entry stores it: if it is deleted, they are sent with this state. */
export interface StoredPlanState {
  readonly plan: Plan;
  /** When hnotif noticed that the plan was deleted (milliseconds since the epoch); undefined: it exists. */
  readonly deletedAt: number | undefined;
}

/**
 * The fields of the plan's manifest that messages show. The messages of targets are in the log. The times of the present run are stored
 * with the deletion only: until then each status would change them. `short`: without targets.
 */
export function planText({ plan, deletedAt }: StoredPlanState, short: boolean): string {
  const { labels, annotations, targets, retries, status } = plan;
  if (deletedAt === undefined)
    return JSON.stringify({ metadata: { labels, annotations }, ...(!short && { spec: { targets } }) });
  const metadata = { deletionTimestamp: new Date(deletedAt).toISOString(), labels, annotations };
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
  metadata: z.looseObject({ deletionTimestamp: z.iso.datetime().optional() }),
  spec: z.unknown().optional(),
  status: z.unknown().optional(),
});

/** Reads the text. Without one that is valid, labels, annotations and connectors of the plan are not known. */
export function readPlan(text: string | undefined, { namespace, name, uid }: Subject): StoredPlanState {
  const stored = STORED.safeParse(ifValid(() => unpack(text ?? ''))).data;
  const plan = parsePlan({ ...stored, metadata: { ...stored?.metadata, namespace, name, uid } });
  const at = stored?.metadata.deletionTimestamp;
  return { plan, deletedAt: at === undefined ? undefined : Date.parse(at) };
}
