import { NO_CONNECTOR, resolveConnector, type ConnectorLookup } from '../resources/connectors.ts';
import type { Execution, Plan, PlanTarget } from '../resources/plan.ts';
import type { PlanView } from '../resources/plan-view.ts';

/** By name: a plan may have thousands, and each of its deliveries asks for some. */
const TARGETS = new WeakMap<Plan, ReadonlyMap<string, PlanTarget>>();
const EXECUTIONS = new WeakMap<Plan, ReadonlyMap<string, Execution>>();

/** A plan as a sink sees it at the time of sending. A target that it no longer lists has no connector. */
export const planView = (plan: Plan, lookup: ConnectorLookup): PlanView => ({
  labels: plan.labels,
  annotations: plan.annotations,
  retries: plan.retries,
  connector(name) {
    const target = known(TARGETS, plan, () => plan.targets.map((each) => [each.name, each])).get(name);
    return target === undefined ? NO_CONNECTOR : resolveConnector(target.connectorRef, lookup);
  },
  work(name, { cycle, operation }) {
    const { cycleId, operation: present, executions } = plan.status;
    if (cycleId !== cycle || present !== operation) return undefined;
    return known(EXECUTIONS, plan, () => executions.map((each) => [each.target, each])).get(name);
  },
});

function known<V>(
  all: WeakMap<Plan, ReadonlyMap<string, V>>,
  plan: Plan,
  rows: () => readonly (readonly [string, V])[],
): ReadonlyMap<string, V> {
  const before = all.get(plan);
  if (before !== undefined) return before;
  const made = new Map(rows());
  all.set(plan, made);
  return made;
}
