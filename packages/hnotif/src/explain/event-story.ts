import { parseTime } from '@hnotif/core/lifecycle';
import type { DeliveryRow, EventStory, Moment } from '@hnotif/core/page';
import type { Plan } from '@hnotif/core/resources';
import { isSameEvent } from './by-id.ts';

/** The story of an event, if it has a delivery. `moments`: the timeline of the plan without the deliveries of the event. */
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
