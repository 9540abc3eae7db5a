import { groupedBy } from '@hnotif/core/grouped-by';
import type { ParseError, Plan } from '@hnotif/core/resources';
import type { Facts, PlanFacts } from '../explain/facts.ts';
import type { Leaders } from '../explain/leader.ts';

/** What was read of a cluster. */
export interface Known extends Pick<Facts, 'notifications' | 'plans' | 'now'> {
  /** Notifications that cannot be read. */
  readonly invalid: readonly ParseError[];
  readonly journalOf: (plan: Plan) => PlanFacts['journal'];
  readonly leaders: Leaders;
}

/** What was asked for: a plan, a notification, or either. */
export interface Target {
  readonly kind: 'plan' | 'notification' | 'any';
  readonly name: string;
}

/** The facts about a target, or about everything, by namespace. */
export function factsOf(known: Known, target?: Target): readonly Facts[] {
  const { now, leaders } = known;
  const all = typeof known.plans === 'string' ? [] : known.plans;
  const plans = groupedBy(all, (plan) => plan.namespace);
  const notifications = groupedBy(known.notifications, (notification) => notification.namespace);
  const invalid = groupedBy(known.invalid, ({ object }) => object.slice(0, object.indexOf('/')));
  const isAsked = (kind: Target['kind'], { name }: Pick<Plan, 'name'>): boolean =>
    target?.kind !== kind || name === target.name;
  const namespaces = new Set([...plans, ...notifications, ...invalid].map(([namespace]) => namespace));
  return [...namespaces].sort().map((namespace): Facts => {
    const here = plans.get(namespace) ?? [];
    return {
      ...{ namespace, now, leader: leaders.in(namespace) },
      asked: target?.kind === 'any' ? undefined : target?.kind,
      plans: typeof known.plans === 'string' ? known.plans : here,
      invalid: target?.kind === 'notification' ? [] : (invalid.get(namespace) ?? []),
      notifications: (notifications.get(namespace) ?? []).filter((each) => isAsked('notification', each)),
      shown: here
        .filter((each) => isAsked('plan', each))
        .map((plan) => ({ plan, journal: known.journalOf(plan) })),
    };
  });
}
