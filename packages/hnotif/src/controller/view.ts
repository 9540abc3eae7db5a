import { NO_CONNECTOR, resolveConnector, type ConnectorLookup } from '../resources/connectors.ts';
import type { Plan } from '../resources/plan.ts';
import type { PlanView } from '../resources/plan-view.ts';

/** A plan as a sink sees it at the time of sending. A target that it no longer lists has no connector. */
export const planView = (plan: Plan, lookup: ConnectorLookup): PlanView => ({
  labels: plan.labels,
  annotations: plan.annotations,
  connector(name) {
    const target = plan.targets.find((each) => each.name === name);
    return target === undefined ? NO_CONNECTOR : resolveConnector(target.connectorRef, lookup);
  },
});
