import type { PlanLog } from '../dispatch/plan-log.ts';
import type { Observed } from '../lifecycle/observed.ts';
import type { StoredValue } from './entry.ts';

/** How deliveries of one stream ended: one, or several that were dropped together. */
export interface OutcomeLine {
  /** RFC 3339. */
  readonly at: string;
  readonly seq: number;
  readonly event: string;
  /** `notification/sink` */
  readonly stream: string;
  /** How many. */
  readonly count: number;
  readonly result: string;
  /** `''` where the result says all. */
  readonly reason: string;
}

/** For people who look at a journal: `2026-01-05T20:00:00.000Z #12 Success night/ops delivered`. */
const formatOutcomeLine = ({ at, seq, event, stream, count, result, reason }: OutcomeLine): string =>
  `${at} #${seq} ${event} ${stream} ${result}${reason === '' ? '' : ` ${reason}`}${count === 1 ? '' : ` (${count})`}`;

const LINE = /^(\S{10,40}) #(\d{1,15}) (\w+) (\S+\/\S+) (\w+)(?: (\w+))?(?: \((\d{1,9})\))?$/;

/** What a line says; undefined where it is not one of ours. */
export function parseOutcomeLine(line: string): OutcomeLine | undefined {
  const [found, at = '', seq, event = '', stream = '', result = '', reason = '', count = '1'] =
    LINE.exec(line) ?? [];
  return found === undefined
    ? undefined
    : { at, seq: Number(seq), event, stream, count: Number(count), result, reason };
}

/** How many outcomes are kept. */
const OUTCOMES = 20;
/** Values that are kept for one sink of a plan: a night and a morning are two, and a cycle may be run again. */
const VALUES_PER_SINK = 8;
/** …and of all sinks together: those that come and go leave theirs behind. */
const VALUES = 256;

/** All that is kept of one plan: what was observed of it, what waits to be delivered, what its sinks remember. */
export class JournalState {
  /** What waits. The dispatcher takes out of it what has ended. */
  readonly log: PlanLog;
  observed: Observed;
  /** By slot: a line each, which begins with its time. */
  readonly #outcomes = new Map<string, string>();
  #nextSlot = 0;
  /** What sinks remember, the one that was saved last at the end. */
  readonly #memories = new Map<string, StoredValue>();

  constructor(observed: Observed, log: PlanLog) {
    this.observed = observed;
    this.log = log;
  }

  /** How the last deliveries ended, by slot: a line each. */
  get outcomes(): ReadonlyMap<string, string> {
    return this.#outcomes;
  }

  /** The lines of these slots. */
  outcomesIn(slots: Iterable<string>): Record<string, string> {
    const lines: Record<string, string> = {};
    for (const slot of slots) lines[slot] = this.#outcomes.get(slot) ?? '';
    return lines;
  }

  /** How the last deliveries ended, as an earlier process left it. */
  restoreOutcomes(lines: Readonly<Record<string, string>>): void {
    let newest = '';
    for (const [slot, line] of Object.entries(lines)) {
      if (!(Number(slot) < OUTCOMES)) continue;
      this.#outcomes.set(slot, line);
      if (line < newest) continue;
      newest = line;
      this.#nextSlot = (Number(slot) + 1) % OUTCOMES;
    }
  }

  /** Returns the slot of the line, in which an older one may have stood. */
  addOutcome(ending: OutcomeLine): string {
    const slot = String(this.#nextSlot);
    this.#nextSlot = (this.#nextSlot + 1) % OUTCOMES;
    this.#outcomes.set(slot, formatOutcomeLine(ending));
    return slot;
  }

  /** What sinks remember, the oldest first; of one stream, where it is named. */
  memories(stream?: string): readonly StoredValue[] {
    const all = [...this.#memories.values()];
    return stream === undefined ? all : all.filter((memory) => memory.stream === stream);
  }

  /** What a stream remembers under a key. */
  recall(stream: string, key: string): StoredValue | undefined {
    return this.#memories.get(idOf({ stream, key }));
  }

  /**
   * Remembers a value; the one that was saved longest ago goes where there are too many, of the same stream or of all. Returns the
   * streams that remember something else now.
   */
  remember(memory: StoredValue): ReadonlySet<string> {
    this.#memories.delete(idOf(memory));
    this.#memories.set(idOf(memory), memory);
    const [ofAll] = this.#memories.values();
    const [ofStream, ...others] = this.memories(memory.stream);
    const changed = new Set([memory.stream]);
    if (this.#memories.size > VALUES && ofAll !== undefined) {
      this.#memories.delete(idOf(ofAll));
      changed.add(ofAll.stream);
    }
    if (others.length >= VALUES_PER_SINK && ofStream !== undefined) this.#memories.delete(idOf(ofStream));
    return changed;
  }

  /** Forgets all but what each sink saved last. False: there was nothing else. */
  dropOldValues(): boolean {
    const before = this.#memories.size;
    const newest = new Map(this.memories().map((memory) => [memory.stream, memory]));
    for (const memory of this.memories())
      if (newest.get(memory.stream) !== memory) this.#memories.delete(idOf(memory));
    return this.#memories.size < before;
  }
}

const idOf = ({ stream, key }: Pick<StoredValue, 'stream' | 'key'>): string => `${stream} ${key}`;
