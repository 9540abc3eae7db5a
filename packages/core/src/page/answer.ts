import type { EventFacts } from '../lifecycle/event-facts.ts';
import type { DeliveryRequest } from './requests.ts';

/** What `hnotif why` and `hnotif trace` answer: the page shows it, and `--output json` prints it. */

/** The board that shows an event, or will show it. */
export interface BoardPlace {
  readonly operation: string;
  /** When the night began: RFC 3339. */
  readonly began: string;
  /** As the chat names them. Absent: the message was not posted yet. */
  readonly channel?: string;
  readonly message?: string;
}

export type DeliveryState = 'delivered' | 'waiting' | 'suppressed' | 'failed' | 'dropped';

/** What became of one event at one sink, or of several that were dropped together. */
export interface DeliveryRow {
  readonly plan: string;
  readonly seq: number;
  readonly event: string;
  readonly notification: string;
  readonly sink: string;
  readonly state: DeliveryState;
  readonly count: number;
  /** When it ended, or was accepted if it waits: RFC 3339. */
  readonly at: string;
  /** Why it waits, or was not delivered, or which board shows it; `''`: nothing to say. */
  readonly why: string;
  /** The board that shows it, or will show it. Absent: it has a message of its own, or the board is not known. */
  readonly board?: BoardPlace;
  /** The id of the event, as receivers get it. Journals keep it while the delivery waits. */
  readonly eventId?: string;
  /** The beginnings of the ids of events whose deliveries have ended. */
  readonly ids?: readonly string[];
  /** The id of the message (`webhook-id`); of what has ended, its beginning. */
  readonly message?: string;
  /** How many requests it took, if more than one. */
  readonly requestCount?: number;
  /** Its requests: the first ones and the last ones. Of several deliveries, those of the first. Absent: none was made, or it is not known. */
  readonly requests?: readonly DeliveryRequest[];
  /** What was true of the plan at the event. Absent: an event that does not say how a run went, or an older hnotif stored it. */
  readonly facts?: EventFacts;
}

/** The id for the address of a delivery: that of the message, else that of its event, else the part of it that journals keep. Undefined: none is known. */
export const addressIdOf = ({
  message,
  eventId,
  ids = [],
}: Pick<DeliveryRow, 'message' | 'eventId' | 'ids'>): string | undefined => message ?? eventId ?? ids.at(-1);

/** How many requests it took; undefined: that is not known yet. */
export const requestsOf = ({ requestCount, requests, state }: DeliveryRow): number | undefined =>
  state === 'waiting' ? undefined : (requestCount ?? requests?.length ?? (isAnswered(state) ? 1 : 0));

/** Whether an end takes a request at least. */
const isAnswered = (state: DeliveryState): boolean => state === 'delivered' || state === 'failed';

/** From what needs a correction to what is as it should be. */
export const SEVERITIES = ['error', 'waiting', 'warning', 'note'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** One reason why a message did not arrive, or not as wanted. */
export interface Finding {
  readonly severity: Severity;
  readonly notification: string;
  /** `''`: the notification itself. */
  readonly sink: string;
  /** CamelCase, as in conditions and metrics. */
  readonly reason: string;
  /** The cause and the remedy. */
  readonly message: string;
}

/** Whether a process serves, as far as the cluster shows it. */
export interface Leader {
  /** `unknown`: nothing tells it. */
  readonly state: 'serving' | 'inactive' | 'unknown';
  /** One sentence, with the remedy. */
  readonly message: string;
}

/** The answer to "where is my notification?" for one namespace. */
export interface Explanation {
  readonly namespace: string;
  readonly leader: Leader;
  /** The worst first. None: nothing is wrong. */
  readonly findings: readonly Finding[];
  readonly deliveries: readonly DeliveryRow[];
  /** What the user may not read, each in a sentence. */
  readonly unread: readonly string[];
}

/** A finding that somebody should look at. */
export interface Cause extends Finding {
  readonly namespace: string;
}

/** What is wrong now, in all that the page shows. */
export interface NowAnswer {
  /** The worst first. None: nothing is wrong. */
  readonly causes: readonly Cause[];
  /** What the user may not read, each in a sentence. */
  readonly unread: readonly string[];
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

/** A notification of the plan's namespace, and whether it is for the plan. */
export interface Candidate {
  readonly name: string;
  readonly isMatch: boolean;
  /** The events that it asks for. */
  readonly onEvents: readonly string[];
  readonly sinks: readonly { readonly name: string; readonly type: string }[];
  /** Which label differs; `''`: none. */
  readonly difference: string;
}

/** The answer to "where is my notification?" for one plan. */
export interface WhyAnswer extends Explanation {
  readonly plan: string;
  /** Those that match first. */
  readonly candidates: readonly Candidate[];
  readonly moments: readonly Moment[];
}

/** The deliveries that a search finds. */
export interface FoundDeliveries {
  /** The newest first. */
  readonly deliveries: readonly (DeliveryRow & { readonly namespace: string })[];
  /** How many there are. */
  readonly count: number;
}
