import { deliveryId } from '@hnotif/core/lifecycle';
import type { Settlement } from '../dispatch/delivery.ts';
import { isExpendable, streamKey, type LoggedEvent } from '../dispatch/log-entry.ts';
import { factsText, outcomeFacts, parseFacts, type OutcomeFacts } from './event-facts.ts';

/** How a delivery ended, or several of one stream that were dropped together. */
export interface OutcomeLine {
  /** RFC 3339. */
  readonly at: string;
  /** Of several events that ended together: the last one that says how a run went, otherwise the last one. */
  readonly seq: number;
  readonly event: string;
  /** `notification/sink` */
  readonly stream: string;
  /** The number of deliveries. */
  readonly count: number;
  readonly result: string;
  /** `''` if the result needs no reason. */
  readonly reason: string;
  /** The beginnings of the events' ids, in order: a replay finds the events by them. Absent: an older hnotif wrote the line. */
  readonly ids?: readonly string[];
  /** Of the last event, if that says how a run went. */
  readonly facts?: OutcomeFacts;
}

/** For people who read a journal: `2026-01-05T20:00:00.000Z #12 Success night/ops delivered [k2sj4xq6d7wa] {…}`. */
export const formatOutcomeLine = ({
  at,
  seq,
  event,
  stream,
  count,
  result,
  reason,
  ids = [],
  facts,
}: OutcomeLine): string =>
  `${at} #${seq} ${event} ${stream} ${result}` +
  (reason === '' ? '' : ` ${reason}`) +
  (count === 1 ? '' : ` (${count})`) +
  (ids.length === 0 ? '' : ` [${ids.join(' ')}]`) +
  (facts === undefined ? '' : ` ${factsText(facts)}`);

const LINE =
  /^(\S{10,40}) #(\d{1,15}) (\w+) ([^\s/]+\/\S+) (\w+)(?: (\w+))?(?: \((\d{1,9})\))?(?: \[([a-z2-7 ]{1,200})\])?(?: (\{.{0,4096}\}))?$/;

/** Parses a line; undefined when hnotif did not write it. */
export function parseOutcomeLine(line: string): OutcomeLine | undefined {
  const [found, at = '', seq, event = '', stream = '', result = '', reason = '', count = '1', ids, text] =
    LINE.exec(line) ?? [];
  if (found === undefined) return undefined;
  const known = ids === undefined ? {} : { ids: ids.split(' ') };
  const facts = text === undefined ? undefined : parseFacts(text);
  const more = facts === undefined ? known : { ...known, facts };
  return { at, seq: Number(seq), event, stream, count: Number(count), result, reason, ...more };
}

/** Characters of an id that a line has: 60 bits. */
const ID_LENGTH = 12;
/** The part of an id that a line has. */
export const idPart = (id: string): string => id.slice(0, ID_LENGTH);
/** Whether the part of an id in a line belongs to this id. `id` may be a part of an id, too, as a user has given it. */
export const isIdOf = (part: string, id: string): boolean => id.startsWith(part);

/** The most ids in a line. */
const IDS = 8;

/** The ids for a line. Of many events that ended together, the newest that say how a run went. */
export function idsOf(events: readonly Pick<LoggedEvent, 'id' | 'kind'>[]): readonly string[] {
  const kept = events.length <= IDS ? events : events.filter((event) => !isExpendable(event)).slice(-IDS);
  return kept.map(({ id }) => idPart(id));
}

/** Whether an outcome is about an event that says how a run went: a Start, Success, Failure or Recovery. */
export const isOfNight = ({ event }: Pick<OutcomeLine, 'event'>): boolean =>
  event !== 'ExecutionProgress' && event !== 'PhaseChange';

/** Whether a line is about the loss of an event that says how a run went. A replay can send that event again. */
export const isLoss = (line: OutcomeLine): boolean =>
  (line.result === 'failed' || (line.result === 'dropped' && line.reason !== 'unsubscribed')) &&
  isOfNight(line) &&
  (line.ids ?? []).length > 0;

/** The line about deliveries that ended at this time (RFC 3339). */
export function lineAbout(settlement: Settlement, at: string): OutcomeLine {
  const { to, event, events, result, reason, requestCount } = settlement;
  const ofRun = events.findLast((each) => !isExpendable(each));
  const { seq, kind } = ofRun ?? event;
  const message = ofRun && deliveryId(ofRun.id, to.namespace, to.notification, to.sink);
  const of = ofRun && message ? { event: ofRun, id: idPart(message) } : undefined;
  const [stream, count, ids] = [streamKey(to), events.length, idsOf(events)];
  // Of progress, which is most of all, only what went wrong.
  const isKept = of !== undefined || requestCount > 1;
  const facts = isKept && { facts: outcomeFacts(settlement, of) };
  return { at, seq, event: kind, stream, count, result, reason, ids, ...facts };
}
