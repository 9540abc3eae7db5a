import { NO_CONNECTOR, resolveConnector, type ConnectorLookup } from '../resources/connectors.ts';
import type { Plan, PlanTarget } from '../resources/plan.ts';
import type { PlanView } from '../resources/plan-view.ts';

/** By name: a plan may have thousands, and each of its deliveries asks for some. */
const TARGETS = new WeakMap<Plan, ReadonlyMap<string, PlanTarget>>();

/** A plan as a sink sees it at the time of sending. A target that it no longer lists has no connector. */
export const planView = (plan: Plan, lookup: ConnectorLookup): PlanView => ({
  labels: plan.labels,
  annotations: plan.annotations,
  connector(name) {
    const target = targetsOf(plan).get(name);
    return target === undefined ? NO_CONNECTOR : resolveConnector(target.connectorRef, lookup);
  },
});

function targetsOf(plan: Plan): ReadonlyMap<string, PlanTarget> {
  const known = TARGETS.get(plan);
  if (known !== undefined) return known;
  const targets = new Map(plan.targets.map((target) => [target.name, target]));
  TARGETS.set(plan, targets);
  return targets;
}
