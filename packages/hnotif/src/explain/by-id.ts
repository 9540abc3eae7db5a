import type { DeliveryRow } from '@hnotif/core/page';
import { eventOf } from '../journal/replay.ts';
import { deliveryId, rederive } from '@hnotif/core/lifecycle';
import type { Plan } from '@hnotif/core/resources';
import { deliveriesOf, isOfEvent, isOfMessage } from './deliveries.ts';
import type { Facts } from './facts.ts';

/** What an id names. */
export interface FoundById {
  readonly plan: Plan;
  /** All deliveries of the plan that its journal knows. */
  readonly all: readonly DeliveryRow[];
  /** The deliveries of the event. */
  readonly event: readonly DeliveryRow[];
  /** The only one that the id names; undefined: it names the event. */
  readonly delivery: DeliveryRow | undefined;
}

/** Whether two rows are of the same event. */
export const isSameEvent = (a: DeliveryRow, b: DeliveryRow): boolean =>
  a.seq === b.seq && a.event === b.event;

/**
 * Finds a delivery by the id that its receiver got, or an event by its own. Of progress and phase changes that have ended, journals do not have
 * the ids of the messages, so these events are derived again: what the plan does not tell any more is not found.
 */
export function findById(id: string, facts: Facts): FoundById | undefined {
  const known = deliveriesOf(facts);
  for (const { plan, journal } of facts.shown) {
    if (journal === undefined || typeof journal === 'string') continue;
    const rows = known.filter((row) => row.plan === plan.name);
    const of = { plan, all: rows };
    const event = rows.filter((row) => isOfEvent(row, id));
    if (event.length > 0) return { ...of, event, delivery: undefined };
    const named = rows.findLast((row) => isOfMessage(row, id));
    if (named !== undefined)
      return { ...of, event: rows.filter((row) => isSameEvent(row, named)), delivery: named };
    const find = rederive(plan, journal.observed, facts.now);
    for (const row of rows) {
      const { eventId, ids = [], notification, sink } = row;
      const whole = eventId === undefined ? ids.map((part) => eventOf(find, row, part)?.event.id) : [eventId];
      const own = whole.find(
        (each) => each !== undefined && deliveryId(each, plan.namespace, notification, sink) === id,
      );
      if (own === undefined) continue;
      const isSame = (other: DeliveryRow): boolean =>
        other.notification === notification && other.sink === sink;
      const ofEvent = rows.filter((other) => isOfEvent(other, own));
      return { ...of, event: ofEvent, delivery: ofEvent.findLast(isSame) };
    }
  }
  return undefined;
}
