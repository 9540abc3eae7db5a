import { isExpendable, streamKey } from '../dispatch/log-entry.ts';
import type { DeliveryRequest, DeliveryRow, DeliveryState } from '@hnotif/core/page';
import type { MadeRequest } from '../dispatch/made-requests.ts';
import type { StoredPlan } from '../journal/entry.ts';
import { isIdOf, parseOutcomeLine } from '../journal/outcome-line.ts';
import { deliveryId, eventFacts, failedTargets, formatTime, parseTime } from '@hnotif/core/lifecycle';
import type { Notification, SinkStatus } from '@hnotif/core/resources';
import { nextOf } from '../status/words.ts';
import { boardInWords, boardOf } from './boards.ts';
import type { Facts } from './facts.ts';

/** Whether a row is of the event with this id (or at least the part that journals keep), or of several with it among them. */
export const isOfEvent = ({ eventId, ids = [] }: DeliveryRow, id: string): boolean =>
  eventId?.startsWith(id) === true || ids.some((part) => isIdOf(part, id));

/** Whether a row is of the message with this id, or with this beginning of one. */
export const isOfMessage = ({ message = '' }: DeliveryRow, id: string): boolean =>
  message !== '' && (message.startsWith(id) || id.startsWith(message));

/** The outcomes in a journal. */
const linesOf = ({ outcomes, nights }: Pick<StoredPlan, 'outcomes' | 'nights'>): readonly string[] => [
  ...Object.values(outcomes),
  ...Object.values(nights),
];

const STATES: ReadonlySet<string> = new Set<DeliveryState>(['delivered', 'suppressed', 'failed', 'dropped']);

/** The deliveries that journals know: the last that ended, then those that wait. In the order of the plans' events. */
export const deliveriesOf = ({
  notifications,
  shown,
}: Pick<Facts, 'notifications' | 'shown'>): readonly DeliveryRow[] =>
  shown.flatMap(({ plan, journal }) =>
    journal === undefined || typeof journal === 'string'
      ? []
      : [...ended(plan.name, journal), ...waiting(plan.name, journal, notifications)]
          .filter(({ notification }) => notifications.some(({ name }) => name === notification))
          .map((row) => withBoard(row, journal))
          .sort((a, b) => a.seq - b.seq || (a.at < b.at ? -1 : 1)),
  );

function withBoard(row: DeliveryRow, journal: StoredPlan): DeliveryRow {
  const board = row.state === 'failed' || row.state === 'dropped' ? undefined : boardOf(journal, row);
  if (board === undefined) return row;
  const place = boardInWords(board);
  if (row.state === 'delivered') return { ...row, board, why: `shown by ${place}` };
  if (row.state === 'suppressed') return { ...row, board, why: `newer progress replaced it in ${place}` };
  return { ...row, board, why: `${row.why || 'BoardUpdate'}: the next update shows it in ${place}` };
}

function ended(plan: string, journal: StoredPlan): DeliveryRow[] {
  const lines = linesOf(journal).flatMap((line) => parseOutcomeLine(line) ?? []);
  // The sinks of an event share its facts.
  const facts = new Map(
    lines.map((line) => [keyOf(line), line.facts?.event] as const).filter(([, of]) => of),
  );
  return lines.flatMap((line) => {
    if (!STATES.has(line.result)) return [];
    const [notification = '', sink = ''] = line.stream.split('/');
    const { at, count, event, ids, reason, seq, facts: { id, requestCount, requests } = {} } = line;
    const state = line.result as DeliveryState;
    const of = line.facts?.event ?? facts.get(keyOf(line));
    const row = { plan, seq, event, notification, sink, state, count, at, why: reason };
    return [
      {
        ...row,
        ...(ids && { ids }),
        ...(id !== undefined && { message: id }),
        ...(requestCount !== undefined && { requestCount }),
        ...(requests && { requests: requestsUntil(at, requests) }),
        ...(of && { facts: of }),
      },
    ];
  });
}

const keyOf = ({ event, seq }: { readonly event: string; readonly seq: number }): string => `${seq} ${event}`;

function waiting(
  plan: string,
  { events }: StoredPlan,
  notifications: readonly Notification[],
): DeliveryRow[] {
  const sinks = new Map(
    notifications.flatMap(({ name, status }) =>
      (status.sinks ?? []).map((row) => [streamKey({ notification: name, sink: row.name }), row] as const),
    ),
  );
  return [...events()].flatMap(({ event, to, acceptedAt }) =>
    to.map(({ notification, sink }): DeliveryRow => ({
      ...{ plan, seq: event.seq, event: event.kind, notification, sink, state: 'waiting', count: 1 },
      at: formatTime(acceptedAt),
      why: whyItWaits(sinks.get(streamKey({ notification, sink }))),
      eventId: event.id,
      message: deliveryId(event.id, event.namespace, notification, sink),
      ...(!isExpendable(event) && { facts: eventFacts(event, failedTargets(event.targets)) }),
    })),
  );
}

/** The state comes first, without a time that changes: deliveries with the same reason are shown as one group. */
function whyItWaits(row: SinkStatus | undefined): string {
  if (row === undefined) return 'the sink is not listed any more';
  const { reason = '', state } = row;
  return state === undefined ? reason : `${[state, ...nextOf(row)].join(', ')} (${reason})`;
}

/** The requests of a delivery that ended at a time (RFC 3339): each began as long before the end as it and what followed took. */
export function requestsUntil(end: string, requests: readonly MadeRequest[]): readonly DeliveryRequest[] {
  let at = parseTime(end) ?? 0;
  return requests
    .toReversed()
    .map((each) => {
      at -= each.tookMs + (each.wait?.ms ?? 0);
      return { at: formatTime(at), ...each };
    })
    .toReversed();
}
