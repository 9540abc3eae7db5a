import type { DeliveryRow } from '@hnotif/core/page';
import { findById } from '../explain/by-id.ts';
import { factsOf, noSuch, type Gathered } from './gather.ts';
import { EXIT } from './exit.ts';
import { deliveriesOf } from '../explain/deliveries.ts';
import { EVENT_ID, type Plan } from '@hnotif/core/resources';
import { CommandError } from './io.ts';

/** What `PLAN|ID` names. */
export interface PlanOrEvent {
  readonly plan: Plan;
  /** All deliveries of the plan that its journal knows. */
  readonly all: readonly DeliveryRow[];
  /** The deliveries that journals know: of the plan, of the event, or the one delivery that was named. */
  readonly deliveries: readonly DeliveryRow[];
  /** Of a delivery or an event, if that was named. */
  readonly id: string | undefined;
  /** The only delivery that the id names; undefined: it names an event. */
  readonly delivery: DeliveryRow | undefined;
}

/** Finds a plan by its name, or by the id of a delivery or an event. `id`: only that, of the plan. Throws a `CommandError` if there is none. */
export function planOrEvent(
  name: string,
  plans: readonly Plan[],
  gathered: Gathered,
  id?: string,
): PlanOrEvent {
  const facts = factsOf(gathered);
  const named = plans.filter((each) => each.name === name);
  const [plan] = named;
  if (named.length > 1)
    throw new CommandError(
      `plan ${name} is in the namespaces ${named.map(({ namespace }) => namespace).join(', ')}: choose one with -n`,
      EXIT.usage,
    );
  const wanted = id ?? (plan === undefined && EVENT_ID.test(name) ? name : undefined);
  const found = wanted === undefined ? undefined : facts.map((each) => findById(wanted, each)).find(Boolean);
  const isOfPlan = plan === undefined ? id === undefined : plan.uid === found?.plan.uid;
  if (found !== undefined && isOfPlan)
    return {
      ...{ plan: found.plan, all: found.all, id: wanted },
      ...{ deliveries: found.event, delivery: found.delivery },
    };
  if (plan !== undefined) {
    const own = facts.filter((each) => each.namespace === plan.namespace);
    const deliveries =
      wanted === undefined ? own.flatMap(deliveriesOf).filter((row) => row.plan === plan.name) : [];
    return { plan, all: deliveries, id, deliveries, delivery: undefined };
  }
  const { journals, namespace } = gathered;
  if (id !== undefined || !EVENT_ID.test(name))
    throw noSuch(
      'plan',
      name,
      namespace,
      plans.map((each) => each.name),
    );
  const where = namespace === undefined ? '' : ` in namespace ${namespace}`;
  const elsewhere = namespace === undefined ? '' : ', and -A looks in all namespaces';
  throw new CommandError(
    `there is no plan ${name}${where}, and no journal there knows an event or a message with this id${journals.ok ? '' : ` (${journals.why})`}; journals keep those of the last nights${elsewhere}`,
  );
}
