import { factsInWords } from './facts-in-words.ts';
import { eventsShownBy, factsShownBy } from './plan-events.ts';
import { type EventFacts, parseTime } from '@hnotif/core/lifecycle';
import type { DeliveryRow, Moment } from '@hnotif/core/page';
import type { Plan } from '@hnotif/core/resources';

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

interface PastEvent {
  readonly kind: string;
  readonly facts: EventFacts;
}

/** The status shows when the first target started, and the event when the phase changed (milliseconds). */
const SLACK_MS = 60_000;

const isSame = (a: PastEvent, b: PastEvent): boolean =>
  a.kind === b.kind && Math.abs((parseTime(a.facts.time) ?? 0) - (parseTime(b.facts.time) ?? 0)) < SLACK_MS;

/** What happened to a plan and its events, in order: changes of the plan, deliveries, Kubernetes Events. */
export function timelineOf(
  plan: Plan,
  deliveries: readonly DeliveryRow[],
  recorded: readonly RecordedEvent[],
): readonly Moment[] {
  // The journal has the facts of the last nights, the status those of the present run.
  const told = new Map<string, PastEvent>();
  for (const { event: kind, facts, plan: of, seq } of deliveries)
    if (facts !== undefined && of === plan.name) told.set(`${seq} ${kind}`, { kind, facts });
  const shown = [...eventsShownBy(plan.status)].map(([kind, at]): PastEvent => ({
    kind,
    facts: factsShownBy(plan.status, kind, at),
  }));
  const fresh = shown.filter((each) => ![...told.values()].some((other) => isSame(each, other)));
  const changes = [...told.values(), ...fresh].map(({ kind, facts }): Moment => ({
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
