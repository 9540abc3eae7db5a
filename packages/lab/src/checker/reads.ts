/** The messages that arrived, each with what it says. */
import type { Arrival, ChaosRecord } from '../record.ts';
import { hasEnded } from './duplicates.ts';
import { lifeAt, type Life } from './lives.ts';
import { inWords, ownedBy, readMessage, type Said, withoutTime } from './messages.ts';

export interface Read {
  readonly arrival: Arrival;
  readonly said: Said;
  /** The index of the plan's life. */
  readonly life: number;
}

/** Reads all arrivals. `faults`: those that cannot be read, and attempts with the same id and different contents. */
export function readAll(
  record: ChaosRecord,
  lives: ReadonlyMap<string, readonly Life[]>,
): { readonly messages: readonly Read[]; readonly faults: readonly string[] } {
  const faults: string[] = [];
  const messages = record.arrivals.flatMap((arrival): Read[] => {
    const said = ownedBy(record, arrival, readMessage(arrival));
    if (said !== undefined)
      return [{ arrival, said, life: lifeAt(lives.get(said.plan) ?? [], arrival.sentAt) }];
    faults.push(`${arrival.sink}: a message without a valid event: ${JSON.stringify(arrival.message)}`);
    return [];
  });
  return { messages, faults: [...faults, ...ambiguousIds(messages)] };
}

/** Identifies a message of a sink: its id, or all its fields if it has no id. */
export const keyOf = (read: Read | undefined, { sink, id }: Arrival): string => {
  const whose = `${sink} ${read?.life}`;
  return id === '' ? `${whose} ${read && `${read.said.plan} ${inWords(read.said)}`}` : `${whose} ${id}`;
};

export const streamOf = (sink: string, plan: string, life: number): string => `${sink} ${plan} ${life}`;

/** The first end of each message: accepted, or permanently refused. */
export function firstEnds(messages: readonly Read[]): Map<string, Read[]> {
  const known = new Set<string>();
  const firsts = new Map<string, Read[]>();
  for (const read of messages) {
    const key = keyOf(read, read.arrival);
    if (!hasEnded(read.arrival) || known.has(key)) continue;
    known.add(key);
    const stream = streamOf(read.arrival.sink, read.said.plan, read.life);
    firsts.set(stream, [...(firsts.get(stream) ?? []), read]);
  }
  return firsts;
}

/** Faults: messages that were permanently refused, and accepted after another message of their stream had ended. */
export function comeBack(messages: readonly Read[]): string[] {
  const faults: string[] = [];
  const refused = new Map<string, number>();
  const ends = new Map<string, Set<string>>();
  for (const read of messages) {
    const { arrival, said, life } = read;
    if (!hasEnded(arrival)) continue;
    const key = keyOf(read, arrival);
    const stream = streamOf(arrival.sink, said.plan, life);
    const ended = ends.get(stream) ?? new Set();
    ends.set(stream, ended);
    const since = refused.get(key);
    if (arrival.accepted && since !== undefined && ended.size > since)
      faults.push(`${stream}: arrived after its successors, though it was refused: ${inWords(said)}`);
    ended.add(key);
    if (!arrival.accepted) refused.set(key, ended.size);
    else refused.delete(key);
  }
  return faults;
}

/** Faults: attempts with the same id and different contents, except the time of a Success. */
function ambiguousIds(messages: readonly Read[]): string[] {
  const said = new Map<string, string>();
  return messages.flatMap(({ arrival, said: now, life }) => {
    if (arrival.id === '') return [];
    const key = `${arrival.sink} ${arrival.id}`;
    const words = `${now.plan} ${now.kind === 'Success' ? withoutTime(now) : inWords(now)}`;
    const before = said.get(`${key} ${life}`) ?? words;
    said.set(`${key} ${life}`, before);
    return before === words ? [] : [`${key} has two contents: "${before}" and "${words}"`];
  });
}
