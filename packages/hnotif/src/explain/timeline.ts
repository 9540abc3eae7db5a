import { secondOf } from '../lifecycle/time.ts';
import type { Plan } from '../resources/plan.ts';
import type { DeliveryRow } from './deliveries.ts';
import { factsInWords } from './facts-in-words.ts';
import { eventsShownBy, factsShownBy } from './plan-events.ts';

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

/** One moment in the life of a plan's events. */
export interface Moment {
  /** RFC 3339. */
  readonly at: string;
  readonly source: 'plan' | 'delivery' | 'event';
  readonly about: string;
  readonly what: string;
  /** Of the events of a delivery; of what has ended, the part that journals keep. */
  readonly ids?: readonly string[];
}

/** What happened to a plan and its events, in order: changes of the plan, deliveries, Kubernetes Events. */
export function timelineOf(
  plan: Plan,
  deliveries: readonly DeliveryRow[],
  recorded: readonly RecordedEvent[],
): readonly Moment[] {
  // The journal has the facts of the last nights, the status those of the present run.
  const told = new Map(
    deliveries.flatMap(({ event, facts, plan: of }) =>
      facts === undefined || of !== plan.name
        ? []
        : [[`${event} ${secondOf(facts.time)}`, [event, facts] as const]],
    ),
  );
  for (const [kind, at] of eventsShownBy(plan.status)) {
    const key = `${kind} ${secondOf(at)}`;
    if (!told.has(key)) told.set(key, [kind, factsShownBy(plan.status, kind, at)]);
  }
  const changes = [...told.values()].map(([kind, facts]): Moment => ({
    ...{ at: facts.time, source: 'plan', about: plan.name },
    what: `${kind}: ${factsInWords(facts)}`,
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
