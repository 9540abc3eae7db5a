import { randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { systemClock } from '../../packages/hnotif/src/clock.ts';
import { Intake } from '../../packages/hnotif/src/controller/intake.ts';
import { ObjectStore } from '../../packages/hnotif/src/cluster/store.ts';
import { DEFAULT_FAILURE_AFTER_MS } from '../../packages/hnotif/src/lifecycle/derive.ts';
import { createLog } from '../../packages/hnotif/src/observe/log.ts';
import { createMetrics } from '../../packages/hnotif/src/observe/metrics.ts';
import { parsePlan } from '../../packages/hnotif/src/resources/parse-plan.ts';
import type { Plan } from '../../packages/hnotif/src/resources/plan.ts';
import { noJournals } from '../../packages/hnotif/src/testing/journals.ts';
import { Routes } from '../../packages/hnotif/src/routing/routes.ts';
import type { Scale } from './objects.ts';
import { aPlan } from './plan.ts';

/** Bytes of heap that one plan takes for as long as it is there. */
interface Kept {
  /** As the reflector keeps it. */
  readonly parsed: number;
  /** What the next state is compared with. */
  readonly observed: number;
  /** Its labels in the index. */
  readonly routed: number;
}

/** Takes so many plans in, as the service does after a list, and looks at the heap after each step. */
export function keptPerPlan(scale: Scale): Kept {
  const routes = new Routes();
  const intake = new Intake({
    clock: systemClock,
    log: createLog({ format: 'json', level: 'silent' }),
    metrics: createMetrics('0.0.0'),
    routes,
    journals: noJournals(() => undefined),
    installedAt: undefined,
    failureAfterMs: DEFAULT_FAILURE_AFTER_MS,
    newEpoch: randomUUID,
  });
  const store = new ObjectStore<Plan>({ changed: () => undefined, deleted: () => undefined });
  const steps = [heap()];
  for (let index = 0; index < scale.plans; index++)
    store.put(parsePlan(JSON.parse(JSON.stringify(asListed(index, scale)))));
  steps.push(heap());
  for (const plan of store.objects()) intake.changed(plan, true);
  steps.push(heap());
  for (const plan of store.objects()) routes.setPlan(plan);
  steps.push(heap());
  const [parsed = 0, observed = 0, routed = 0] = steps
    .slice(1)
    .map((bytes, step) => (bytes - (steps[step] ?? 0)) / scale.plans);
  if (routes.plans !== scale.plans) throw new Error('a plan is missing');
  intake.close();
  return { parsed, observed, routed };
}

function asListed(index: number, scale: Scale): object {
  const plan = aPlan(index, scale) as { metadata: object };
  return { ...plan, metadata: { ...plan.metadata, resourceVersion: String(index + 1) } };
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heap(): number {
  collect();
  return process.memoryUsage().heapUsed;
}
