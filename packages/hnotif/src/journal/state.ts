import { LazyMap, LazySet } from '../lazy-collections.ts';
import type { PlanLog } from '../dispatch/plan-log.ts';
import type { Observed } from '@hnotif/core/lifecycle';
import type { StoredValue } from './entry.ts';
import { Outcomes } from './outcomes.ts';

/** Values stored for one sink of a plan: each operation of a cycle has one. */
const VALUES_PER_SINK = 8;
/** Values stored for all sinks. Deleted sinks leave their values behind. */
const VALUES = 256;

/** The stored data of one plan: its observed state, its log, the values of its sinks, the last outcomes. */
export class JournalState {
  /** The dispatcher removes deliveries that have ended. */
  readonly log: PlanLog;
  observed: Observed;
  /** How the last deliveries ended. */
  readonly outcomes: Outcomes;
  /** The values of sinks, in the order of their first save. */
  readonly #memories = new LazyMap<string, StoredValue>();
  /** Values that eight newer ones of their sink have replaced. Saved again, they are not new. */
  readonly #replaced = new LazySet<string>();

  constructor(observed: Observed, log: PlanLog, outcomes = new Outcomes()) {
    this.observed = observed;
    this.log = log;
    this.outcomes = outcomes;
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
   * Saves a value. If there are too many, of the stream or of all, the oldest is removed: the one that was saved first, even if it was
   * saved again later. An update of an old thread must not remove a newer thread. Returns the streams whose values have changed.
   */
  remember(memory: StoredValue): ReadonlySet<string> {
    const id = idOf(memory);
    if (this.#replaced.has(id)) return new Set();
    const isNew = !this.#memories.has(id);
    this.#memories.set(id, memory);
    if (!isNew) return new Set([memory.stream]);
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

  /**
   * Removes values, but not the last one of each sink: at first those that nobody needs, such as the threads whose cards show their end; if
   * there are none, those that are `open`, too. False: there were no others.
   */
  dropOldValues(open: (memory: StoredValue) => boolean): boolean {
    const newest = new Map(this.memories().map((memory) => [memory.stream, memory]));
    const old = this.memories().filter((memory) => newest.get(memory.stream) !== memory);
    const unneeded = old.filter((memory) => !open(memory));
    const dropped = unneeded.length > 0 ? unneeded : old;
    for (const memory of dropped) this.#memories.delete(idOf(memory));
    return dropped.length > 0;
  }
}

function addBounded(ids: LazySet<string>, id: string): void {
  ids.add(id);
  const [oldest] = ids;
  if (ids.size > VALUES && oldest !== undefined) ids.delete(oldest);
}

const idOf = ({ stream, key }: Pick<StoredValue, 'stream' | 'key'>): string => `${stream} ${key}`;
