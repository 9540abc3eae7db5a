import type { EventFacts } from '../journal/event-facts.ts';
import { parseTime } from '../lifecycle/time.ts';
import type { Plan } from '../resources/plan.ts';
import { isSameEvent } from './by-id.ts';
import type { DeliveryRow } from './deliveries.ts';
import type { Moment } from './timeline.ts';

/** One event of a plan with its deliveries, and what came before and after. */
export interface EventStory {
  readonly namespace: string;
  readonly plan: string;
  readonly event: string;
  readonly seq: number;
  /** Its id; of what has ended, the part that journals keep. */
  readonly id: string;
  /** What was true of the plan then. Absent: the journal does not keep it for this kind of event. */
  readonly facts?: EventFacts;
  /** The only delivery that was asked for, or all. */
  readonly deliveries: readonly DeliveryRow[];
  /** What happened to the plan and its other events, in order. */
  readonly before: readonly Moment[];
  readonly after: readonly Moment[];
}

/** The story of an event that has at least one delivery. `all`: the deliveries of the plan; `moments`: its timeline without those of the event. */
export function eventStory(
  { namespace, name }: Pick<Plan, 'namespace' | 'name'>,
  shown: readonly DeliveryRow[],
  moments: readonly Moment[],
): EventStory | undefined {
  const [first] = shown;
  if (first === undefined) return undefined;
  const { event, seq } = first;
  const facts = shown.find((row) => row.facts !== undefined)?.facts;
  const ids = shown.map(({ eventId, ids: [id = ''] = [] }) => eventId ?? id);
  const at = parseTime(facts?.time ?? first.at) ?? 0;
  const isBefore = (moment: Moment): boolean => (parseTime(moment.at) ?? 0) < at;
  const others = moments.filter((moment) => !isItself(moment, event, at));
  return {
    ...{ namespace, plan: name, event, seq },
    id: ids.reduce((longest, id) => (id.length > longest.length ? id : longest), ''),
    ...(facts && { facts }),
    deliveries: shown,
    before: others.filter(isBefore),
    after: others.filter((moment) => !isBefore(moment)),
  };
}

/** The change of the plan that made the event. */
const isItself = ({ at, source, what }: Moment, event: string, when: number): boolean =>
  source === 'plan' && what.startsWith(`${event}:`) && parseTime(at) === when;

/** The deliveries of other events. */
export const others = (all: readonly DeliveryRow[], shown: readonly DeliveryRow[]): readonly DeliveryRow[] =>
  all.filter((row) => !shown.some((own) => isSameEvent(own, row)));
