import type { LoggedEvent } from '../dispatch/delivery.ts';
import { isExpendable } from '../dispatch/log-entry.ts';
import type { PlanLog } from '../dispatch/plan-log.ts';
import type { Observed } from '../lifecycle/observed.ts';
import type { StoredValue } from './entry.ts';

/** How a delivery ended, or several of one stream that were dropped together. */
export interface OutcomeLine {
  /** RFC 3339. */
  readonly at: string;
  /** Of several events that ended together, the last that tells how a run went, else the last. */
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
}

/** For people who read a journal: `2026-01-05T20:00:00.000Z #12 Success night/ops delivered [k2sj4xq6d7wa]`. */
const formatOutcomeLine = ({
  at,
  seq,
  event,
  stream,
  count,
  result,
  reason,
  ids = [],
}: OutcomeLine): string =>
  [
    `${at} #${seq} ${event} ${stream} ${result}`,
    ...(reason === '' ? [] : [reason]),
    ...(count === 1 ? [] : [`(${count})`]),
    ...(ids.length === 0 ? [] : [`[${ids.join(' ')}]`]),
  ].join(' ');

const LINE =
  /^(\S{10,40}) #(\d{1,15}) (\w+) (\S+\/\S+) (\w+)(?: (\w+))?(?: \((\d{1,9})\))?(?: \[([a-z2-7 ]{1,200})\])?$/;

/** Parses a line; undefined when it is not one of ours. */
export function parseOutcomeLine(line: string): OutcomeLine | undefined {
  const [found, at = '', seq, event = '', stream = '', result = '', reason = '', count = '1', ids] =
    LINE.exec(line) ?? [];
  if (found === undefined) return undefined;
  const known = ids === undefined ? {} : { ids: ids.split(' ') };
  return { at, seq: Number(seq), event, stream, count: Number(count), result, reason, ...known };
}

/** Characters of an id that a line has: 60 bits. */
const ID_LENGTH = 12;
/** Whether the part of an id in a line is of this id, of which a user may have given a part, too. */
export const isIdOf = (part: string, id: string): boolean => id.startsWith(part);

/** A line has the ids of so many events. */
const IDS = 8;

/** The ids for a line. Of many events that ended together, those that tell how a run went, the newest of them. */
export function idsOf(events: readonly Pick<LoggedEvent, 'id' | 'kind'>[]): readonly string[] {
  const told = events.length <= IDS ? events : events.filter((event) => !isExpendable(event)).slice(-IDS);
  return told.map(({ id }) => id.slice(0, ID_LENGTH));
}

/** Whether a line tells how a run went, and that the receiver does not know it. A replay may make that good. */
const isLoss = ({ event, ids = [], result, reason }: OutcomeLine): boolean =>
  (result === 'failed' || (result === 'dropped' && reason !== 'unsubscribed')) &&
  event !== 'ExecutionProgress' &&
  event !== 'PhaseChange' &&
  ids.length > 0;

/** How many outcomes are stored. */
const OUTCOMES = 20;
/** How many of them tell of losses and stay while others come: one end of a run may make a line for each of many sinks. */
const LOSSES = 10;
/** Values stored for one sink of a plan: each operation of a cycle has one. */
const VALUES_PER_SINK = 8;
/** Values stored for all sinks. Deleted sinks leave their values behind. */
const VALUES = 256;

/** What is stored of one plan: its observed state, its log, the values of its sinks, the last outcomes. */
export class JournalState {
  /** The dispatcher removes deliveries that have ended. */
  readonly log: PlanLog;
  observed: Observed;
  /** By slot, the oldest first. Each line begins with its time. */
  readonly #outcomes = new Map<string, string>();
  /** The newest losses by slot, the oldest first. */
  readonly #losses = new Map<string, OutcomeLine>();
  /** The values of sinks, in the order of their first save. */
  readonly #memories = new Map<string, StoredValue>();
  /** Values that eight newer ones of their sink have replaced. Saved again, they are not new. */
  readonly #replaced = new Set<string>();

  constructor(observed: Observed, log: PlanLog) {
    this.observed = observed;
    this.log = log;
  }

  /** How the last deliveries ended, one line for each slot. */
  get outcomes(): ReadonlyMap<string, string> {
    return this.#outcomes;
  }

  /** The lines of these slots. */
  outcomesIn(slots: Iterable<string>): Record<string, string> {
    const lines: Record<string, string> = {};
    for (const slot of slots) lines[slot] = this.#outcomes.get(slot) ?? '';
    return lines;
  }

  /** Restores the outcomes of an earlier process. */
  restoreOutcomes(lines: Readonly<Record<string, string>>): void {
    const known = Object.entries(lines).filter(([slot]) => Number(slot) < OUTCOMES);
    for (const [slot, line] of known.sort(([, a], [, b]) => (a < b ? -1 : 1)))
      this.#store(slot, line, parseOutcomeLine(line));
  }

  /** Adds a line. Returns the slots that have changed: its own, which may have held an older line, and those of losses that it makes good. */
  addOutcome(ending: OutcomeLine): readonly string[] {
    const slot = this.#nextSlot();
    return [slot, ...this.#store(slot, formatOutcomeLine(ending), ending)];
  }

  /** Returns the other slots that have changed. */
  #store(slot: string, line: string, ending: OutcomeLine | undefined): readonly string[] {
    this.#outcomes.delete(slot);
    this.#outcomes.set(slot, line);
    this.#losses.delete(slot);
    if (ending?.result === 'delivered') return this.#arrived(ending);
    if (ending === undefined || !isLoss(ending)) return [];
    this.#losses.set(slot, ending);
    const [oldest] = this.#losses.keys();
    if (this.#losses.size > LOSSES && oldest !== undefined) this.#losses.delete(oldest);
    return [];
  }

  /**
   * What was lost has arrived after all: the line of the loss does not outlive that of the arrival, or it would be sent once more. A line of
   * several losses keeps the others.
   */
  #arrived({ stream, ids: [id] = [] }: OutcomeLine): readonly string[] {
    const changed: string[] = [];
    for (const [slot, loss] of this.#losses) {
      const { count, ids = [] } = loss;
      if (id === undefined || loss.stream !== stream || !ids.includes(id)) continue;
      if (ids.length === 1) {
        this.#losses.delete(slot);
        continue;
      }
      const rest = { ...loss, count: count - 1, ids: ids.filter((other) => other !== id) };
      this.#losses.set(slot, rest);
      this.#outcomes.set(slot, formatOutcomeLine(rest));
      changed.push(slot);
    }
    return changed;
  }

  /** One that is free, or that of the oldest line which is none of the newest losses. */
  #nextSlot(): string {
    for (let slot = 0; slot < OUTCOMES && this.#outcomes.size < OUTCOMES; slot++)
      if (!this.#outcomes.has(String(slot))) return String(slot);
    for (const slot of this.#outcomes.keys()) if (!this.#losses.has(slot)) return slot;
    return '0';
  }

  /** The values of all sinks, or of one stream. The oldest comes first. */
  memories(stream?: string): readonly StoredValue[] {
    const all = [...this.#memories.values()];
    return stream === undefined ? all : all.filter((memory) => memory.stream === stream);
  }

  /** The value of a stream under a key. */
  recall(stream: string, key: string): StoredValue | undefined {
    return this.#memories.get(idOf({ stream, key }));
  }

  /**
   * Saves a value. If there are too many, of the stream or of all, the oldest is removed: the one that was saved first, however often it was
   * saved again. A thread that is only brought up to date must not push out a newer one. Returns the streams whose values have changed.
   */
  remember(memory: StoredValue): ReadonlySet<string> {
    if (this.#replaced.has(idOf(memory))) return new Set();
    this.#memories.set(idOf(memory), memory);
    const [ofAll] = this.#memories.values();
    const [ofStream, ...others] = this.memories(memory.stream);
    const changed = new Set([memory.stream]);
    if (this.#memories.size > VALUES && ofAll !== undefined) {
      this.#memories.delete(idOf(ofAll));
      changed.add(ofAll.stream);
    }
    if (others.length >= VALUES_PER_SINK && ofStream !== undefined) {
      this.#memories.delete(idOf(ofStream));
      addBounded(this.#replaced, idOf(ofStream));
    }
    return changed;
  }

  /** Removes all but the last value of each sink. False: there were no others. */
  dropOldValues(): boolean {
    const before = this.#memories.size;
    const newest = new Map(this.memories().map((memory) => [memory.stream, memory]));
    for (const memory of this.memories())
      if (newest.get(memory.stream) !== memory) this.#memories.delete(idOf(memory));
    return this.#memories.size < before;
  }
}

function addBounded(ids: Set<string>, id: string): void {
  ids.add(id);
  const [oldest] = ids;
  if (ids.size > VALUES && oldest !== undefined) ids.delete(oldest);
}

const idOf = ({ stream, key }: Pick<StoredValue, 'stream' | 'key'>): string => `${stream} ${key}`;
