import { isExpendable, type LoggedEvent } from '../dispatch/log-entry.ts';

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

/** Parses a line; undefined when hnotif did not write it. */
export function parseOutcomeLine(line: string): OutcomeLine | undefined {
  const [found, at = '', seq, event = '', stream = '', result = '', reason = '', count = '1', ids] =
    LINE.exec(line) ?? [];
  if (found === undefined) return undefined;
  const known = ids === undefined ? {} : { ids: ids.split(' ') };
  return { at, seq: Number(seq), event, stream, count: Number(count), result, reason, ...known };
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

/** Whether a line is about the loss of an event that says how a run went. A replay can send that event again. */
const isLoss = ({ event, ids = [], result, reason }: OutcomeLine): boolean =>
  (result === 'failed' || (result === 'dropped' && reason !== 'unsubscribed')) &&
  event !== 'ExecutionProgress' &&
  event !== 'PhaseChange' &&
  ids.length > 0;

/** The slots of a journal entry. Each holds one outcome. */
const SLOTS = Array.from({ length: 20 }, (_, slot) => String(slot));
/** This many losses are kept while other lines come: the end of a run may make a line for each of many sinks. */
const LOSSES = 10;

/** An outcome in its slot. */
interface Kept {
  readonly slot: string;
  /** Undefined: hnotif did not write the line. */
  ending: OutcomeLine | undefined;
  /** Formatted on first use: in a burst most lines are replaced before they are written. */
  line: string | undefined;
  /** Whether it is a loss, and the delivery has not arrived since. */
  isLoss: boolean;
}

/** How the last deliveries of a plan ended, one line for each slot of the journal. */
export class Outcomes {
  /** The oldest first. */
  readonly #kept: Kept[] = [];
  /** The slots without a line. The first one comes last. */
  #free = SLOTS.toReversed();
  /** How many of them are losses. */
  #losses = 0;

  /** The slots with a line. The oldest comes first. */
  get slots(): readonly string[] {
    return this.#kept.map(({ slot }) => slot);
  }

  /** The lines. The oldest comes first. */
  get lines(): readonly string[] {
    return this.#kept.map(lineOf);
  }

  /** The lines of these slots. */
  in(slots: ReadonlySet<string>): Record<string, string> {
    const lines: Record<string, string> = {};
    for (const kept of this.#kept) if (slots.has(kept.slot)) lines[kept.slot] = lineOf(kept);
    return lines;
  }

  /** Restores the lines of an earlier process. Each begins with its time. */
  restore(lines: Readonly<Record<string, string>>): void {
    const known = Object.entries(lines).filter(([slot]) => SLOTS.includes(slot));
    this.#free = this.#free.filter((slot) => !Object.hasOwn(lines, slot));
    for (const [slot, line] of known.sort(([, a], [, b]) => (a < b ? -1 : 1)))
      this.#keep({ slot, ending: parseOutcomeLine(line), line, isLoss: false }, new Set());
  }

  /** Adds to `changed` the slots that change: the slot of the outcome, and those of losses that have now arrived. */
  add(ending: OutcomeLine, changed: Set<string>): void {
    const slot = this.#free.pop() ?? this.#replaceable();
    changed.add(slot);
    this.#keep({ slot, ending, line: undefined, isLoss: false }, changed);
  }

  #keep(kept: Kept, changed: Set<string>): void {
    const { ending } = kept;
    this.#kept.push(kept);
    if (ending === undefined) return;
    if (isLoss(ending)) {
      kept.isLoss = true;
      this.#losses++;
    } else if (ending.result === 'delivered' && this.#losses > 0) this.#arrived(ending, changed);
  }

  /**
   * A lost delivery has arrived. Its loss must not be stored for longer than its arrival, or a replay would send it again. A line of
   * several losses keeps the other ones.
   */
  #arrived({ stream, ids: [id] = [] }: OutcomeLine, changed: Set<string>): void {
    for (const kept of this.#kept) {
      const { ending: loss } = kept;
      if (!kept.isLoss || loss?.ids === undefined || id === undefined) continue;
      if (loss.stream !== stream || !loss.ids.includes(id)) continue;
      if (loss.ids.length === 1) {
        kept.isLoss = false;
        this.#losses--;
        continue;
      }
      const { count, ids } = loss;
      kept.ending = { ...loss, count: count - 1, ids: ids.filter((other) => other !== id) };
      kept.line = undefined;
      changed.add(kept.slot);
    }
  }

  /** Removes the oldest outcome that is not one of the newest losses. Returns its slot. */
  #replaceable(): string {
    let newer = this.#losses;
    const index = this.#kept.findIndex((kept) => !kept.isLoss || newer-- > LOSSES);
    const [removed] = this.#kept.splice(index, 1);
    if (removed?.isLoss === true) this.#losses--;
    return removed?.slot ?? '0';
  }
}

const lineOf = (kept: Kept): string => (kept.line ??= kept.ending ? formatOutcomeLine(kept.ending) : '');
