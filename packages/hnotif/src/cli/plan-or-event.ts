import type { DeliveryRow } from '@hnotif/core/page';
import { findById } from '../explain/by-id.ts';
import { deliveriesOf } from '../explain/deliveries.ts';
import { EVENT_ID, type Plan } from '@hnotif/core/resources';
import { factsOf, type Gathered } from './gather.ts';
import { CommandError } from './io.ts';

/** What `PLAN|ID` names. */
export interface PlanOrEvent {
  readonly plan: Plan;
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
  const all = factsOf(gathered, undefined);
  const plan = plans.find((each) => each.name === name);
  const wanted = id ?? (plan === undefined && EVENT_ID.test(name) ? name : undefined);
  const found = wanted === undefined ? undefined : all.map((facts) => findById(wanted, facts)).find(Boolean);
  const isOfPlan = plan === undefined || plan.uid === found?.plan.uid;
  if (found !== undefined && isOfPlan)
    return { plan: found.plan, id: wanted, deliveries: found.event, delivery: found.delivery };
  const deliveries = wanted === undefined ? all.flatMap(deliveriesOf) : [];
  if (plan !== undefined)
    return {
      ...{ plan, id },
      deliveries: deliveries.filter((row) => row.plan === name),
      delivery: undefined,
    };
  const { journals } = gathered;
  throw new CommandError(
    `there is no plan ${name}, and no journal knows an event with this id${journals.ok ? '' : ` (${journals.why})`}; see hnotif get plans`,
  );
}
