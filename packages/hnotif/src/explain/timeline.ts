import type { DeliveryRow, Moment } from '@hnotif/core/page';
import type { Plan } from '@hnotif/core/resources';
import { eventsShownBy } from './plan-events.ts';

/** A Kubernetes Event about a notification or a plan. */
export interface RecordedEvent {
  /** When it was last seen (RFC 3339). */
  readonly at: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  /** The name of the notification or plan. */
  readonly about: string;
}

/** What happened to a plan and its events, in order: changes of the plan, deliveries, Kubernetes Events. */
export function timelineOf(
  plan: Plan,
  deliveries: readonly DeliveryRow[],
  recorded: readonly RecordedEvent[],
): readonly Moment[] {
  const changes = [...eventsShownBy(plan.status)].map(([kind, at]): Moment => ({
    ...{ at, source: 'plan', about: plan.name },
    what: `${kind}: phase ${plan.status.phase}${plan.status.operation === '' ? '' : `, ${plan.status.operation}`}`,
  }));
  const sent = deliveries
    .filter((row) => row.plan === plan.name)
    .map(({ at, count, event, eventId, ids = [], notification, seq, sink, state, why }): Moment => ({
      ...{ at, source: 'delivery', about: `${notification}/${sink}` },
      ids: eventId === undefined ? ids : [eventId],
      what: [
        `#${seq} ${event} ${state === 'waiting' ? 'accepted, waits' : state}${count === 1 ? '' : ` (${count})`}`,
        ...(why === '' ? [] : [why]),
        ...(ids.length > 1 ? [`ids ${ids.join(', ')}`] : []),
      ].join(': '),
    }));
  const moments = recorded.map(({ at, about, count, message, reason }): Moment => ({
    ...{ at, source: 'event', about },
    what: `${reason}${count === 1 ? '' : ` (${count} times)`}: ${message}`,
  }));
  const byTime = (a: Moment, b: Moment): number => Date.parse(a.at) - Date.parse(b.at);
  return [...changes, ...sent, ...moments].sort(byTime);
}
