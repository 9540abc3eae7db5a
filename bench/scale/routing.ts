import type { Notification } from '../../packages/hnotif/src/resources/notification.ts';
import { parseNotification } from '../../packages/hnotif/src/resources/parse-notification.ts';
import { Routes } from '../../packages/hnotif/src/routing/routes.ts';
import { aNotification } from './notification.ts';
import { appOf, labelsOf, namespaceOf, type Scale } from './objects.ts';

/** What it costs, in microseconds each, to follow a label and to look up who wants to know. */
interface RoutingCost {
  readonly change: number[];
  readonly lookUp: number[];
  /** Notifications that a plan matches, on average. */
  readonly matches: number;
}

const CHANGES = 20_000;
/** Applications of which all notifications are there at any scale: plans of these have as many matches. */
const APPS = 100;

/**
 * Moves plans from one label's value to another and back: to another application (all that matched do no longer, others do) and
 * to another environment (which most notifications do not ask for).
 */
export function routingCost(scale: Scale, label: 'app' | 'environment'): RoutingCost {
  const routes = new Routes();
  for (let index = 0; index < scale.notifications; index++)
    routes.setNotification(notification(index, scale));
  const plans = Array.from({ length: scale.plans }, (_, index) => ({
    namespace: namespaceOf(index, scale),
    name: `nightly-${index}`,
    labels: labelsOf(index),
  }));
  for (const plan of plans) routes.setPlan(plan);
  const moving = plans.slice(0, APPS * 10);
  const cost: { change: number[]; lookUp: number[] } = { change: [], lookUp: [] };
  let matches = 0;
  for (let count = 0; count < CHANGES; count++) {
    const index = (count * 7) % moving.length;
    const plan = moving[index];
    if (plan === undefined) continue;
    // Every other time it goes back to where it was.
    const other = label === 'app' ? appOf(neighbour(index, scale)) : 'sandbox';
    const isAway = Math.floor(count / moving.length) % 2 === 0;
    const labels = isAway ? { ...plan.labels, [label]: other } : plan.labels;
    const begun = performance.now();
    routes.setPlan({ ...plan, labels });
    const changed = performance.now();
    matches += routes.for(plan.namespace, plan.name).length;
    const found = performance.now();
    cost.change.push((changed - begun) * 1000);
    cost.lookUp.push((found - changed) * 1000);
  }
  return { ...cost, matches: matches / CHANGES };
}

/** A plan of another application in the same namespace. */
const neighbour = (index: number, { namespaces }: Scale): number =>
  namespaces === 1 ? (index + 1) % (APPS * 10) : index + APPS * 10;

function notification(index: number, scale: Scale): Notification {
  const object = aNotification(index, scale) as { metadata: object };
  return parseNotification({
    ...object,
    metadata: { ...object.metadata, resourceVersion: String(index + 1) },
  });
}
