import { NO_CONNECTOR, resolveConnector, type ConnectorLookup } from '../resources/connectors.ts';
import type { Plan, PlanTarget } from '../resources/plan.ts';
import type { PlanView } from '../resources/plan-view.ts';

/** A plan as a sink sees it at the time of sending. A target that it no longer lists has no connector. */
export function planView(plan: Plan, lookup: ConnectorLookup): PlanView {
  // Made when the first is asked for: a template asks for all, of a plan that may have thousands.
  let targets: ReadonlyMap<string, PlanTarget> | undefined;
  return {
    labels: plan.labels,
    annotations: plan.annotations,
    connector(name) {
      targets ??= new Map(plan.targets.map((target) => [target.name, target]));
      const target = targets.get(name);
      return target === undefined ? NO_CONNECTOR : resolveConnector(target.connectorRef, lookup);
    },
  };
}
