import { parseTime } from '@hnotif/core/lifecycle';
import { formatOutcomeLine, isLoss, isOfNight, parseOutcomeLine, type OutcomeLine } from './outcome-line.ts';

/** This many losses are kept while other lines come: the end of a run may make a line for each of many sinks. */
const LOSSES = 10;

interface ListLimits {
  /** Slots of the journal entry. Each holds one outcome. */
  readonly most: number;
  /** This many are kept, whatever their age and length. */
  readonly least: number;
  /** Characters of all lines. */
  readonly length: number;
  /** Milliseconds. */
  readonly age: number;
}

/** Progress and phase changes. */
const PROGRESS: ListLimits = { most: 20, least: 20, length: Infinity, age: Infinity };
/** The other outcomes of a plan. The CRD has the number of slots, too. */
export const NIGHTS = { most: 64, least: 20, length: 8 * 1024 } as const;
/** The outcomes of three nights are kept (milliseconds). */
export const NIGHTS_KEPT_MS = 72 * 3_600_000;

/** One array for the lists of all plans. */
const SLOTS: readonly string[] = Array.from({ length: NIGHTS.most }, (_, slot) => String(slot));

/** The names of the two lists in an entry. */
type ListName = 'outcomes' | 'nights';
/** The lines of an entry by slot. Null removes a line. */
export type OutcomeLines = Readonly<Partial<Record<ListName, Readonly<Record<string, string | null>>>>>;

/** An outcome in its slot. */
interface Kept {
  readonly slot: string;
  /** Undefined: hnotif did not write the line, or nothing else is to be known of it. */
  ending: OutcomeLine | undefined;
  /** Formatted on first use: in a burst most lines are replaced before they are written. */
  line: string | undefined;
  /** Whether it is a loss, and the delivery has not arrived since. */
  isLoss: boolean;
  /** The beginning of the id of the event whose facts it has; `''`: it has none. */
  readonly about: string;
}

/** The outcomes of some kinds of events, in slots. */
class OutcomeList {
  readonly #limits: ListLimits;
  /** The oldest first. */
  readonly #kept: Kept[] = [];

  constructor(limits: ListLimits) {
    this.#limits = limits;
  }

  get slots(): readonly string[] {
    return this.#kept.map(({ slot }) => slot);
  }

  get free(): readonly string[] {
    const used = new Set(this.slots);
    return SLOTS.slice(0, this.#limits.most).filter((slot) => !used.has(slot));
  }

  get lines(): readonly string[] {
    return this.#kept.map(lineOf);
  }

  get length(): number {
    return this.#kept.reduce((sum, kept) => sum + lineOf(kept).length, 0);
  }

  /** The line in a slot. */
  at(slot: string): string | null {
    const found = this.#kept.find((each) => each.slot === slot);
    return found === undefined ? null : lineOf(found);
  }

  /** Restores a line of an earlier process; undefined: there is no such slot, or hnotif did not write the line. */
  restore(slot: string, line: string): OutcomeLine | undefined {
    if (!this.free.includes(slot)) return undefined;
    const ending = parseOutcomeLine(line);
    this.#keep(slot, ending, line);
    return ending;
  }

  add(ending: OutcomeLine, changed: (slot: string) => void): void {
    const { length } = this.#kept;
    // Mostly they are used in their order.
    const next = this.#kept.some(({ slot }) => slot === SLOTS[length]) ? this.free[0] : SLOTS[length];
    const slot = length < this.#limits.most && next !== undefined ? next : this.#removeOne();
    // The sinks of an event share its facts. A loss is kept for longer than the other lines, so it has its own.
    const { facts, ids: [id = ''] = [] } = ending;
    const isKnown =
      facts?.event !== undefined && !isLoss(ending) && this.#kept.some(({ about }) => about === id);
    const { event: _, ...ofDelivery } = facts ?? {};
    changed(slot);
    this.#keep(slot, isKnown ? { ...ending, facts: ofDelivery } : ending, undefined);
    if (this.#limits.age === Infinity) return;
    while (this.#kept.length > this.#limits.least && this.#isTooMuch(ending.at)) changed(this.#removeOne());
  }

  /**
   * A lost delivery has arrived. Its loss must not be stored for longer than its arrival, or a replay would send it again. A line of
   * several losses keeps the other ones.
   */
  arrived({ stream, ids: [id] = [] }: OutcomeLine, changed: (slot: string) => void): void {
    for (const kept of this.#kept) {
      const { ending: loss } = kept;
      if (!kept.isLoss || loss?.ids === undefined || id === undefined) continue;
      if (loss.stream !== stream || !loss.ids.includes(id)) continue;
      if (loss.ids.length === 1) {
        kept.isLoss = false;
        continue;
      }
      const { count, ids } = loss;
      kept.ending = { ...loss, count: count - 1, ids: ids.filter((other) => other !== id) };
      kept.line = undefined;
      changed(kept.slot);
    }
  }

  #keep(slot: string, ending: OutcomeLine | undefined, line: string | undefined): void {
    const about = ending?.facts?.event === undefined ? '' : (ending.ids?.[0] ?? '');
    const kept = { slot, ending, line, isLoss: ending !== undefined && isLoss(ending), about };
    this.#kept.push(kept);
    if (!kept.isLoss && line !== undefined) kept.ending = undefined;
  }

  /** Whether they are too long, or the oldest that can be removed is too old. */
  #isTooMuch(at: string): boolean {
    const { age, length } = this.#limits;
    const oldest = this.#kept[this.#removable()];
    if (oldest === undefined) return false;
    const since = (parseTime(at) ?? 0) - (parseTime(lineOf(oldest).split(' ', 1)[0] ?? '') ?? 0);
    return since > age || this.length > length;
  }

  /** The place of the oldest outcome that is not one of the newest losses. */
  #removable(): number {
    let newer = this.#kept.reduce((losses, kept) => losses + Number(kept.isLoss), 0);
    return this.#kept.findIndex((kept) => !kept.isLoss || newer-- > LOSSES);
  }

  /** Removes an outcome. Returns its slot. */
  #removeOne(): string {
    const [removed] = this.#kept.splice(this.#removable(), 1);
    return removed?.slot ?? '0';
  }
}

/** Takes the names of slots. */
interface Slots {
  add(slot: string): unknown;
}

/**
 * How the last deliveries of a plan ended, one line for each slot of the journal: the last twenty of progress and phase changes, and apart from
 * them those that say how the last nights went.
 */
export class Outcomes {
  readonly #lists: Readonly<Record<ListName, OutcomeList>>;

  /** `keptMs`: outcomes of nights that are older are removed when a newer one comes. */
  constructor(keptMs = NIGHTS_KEPT_MS) {
    const nights = new OutcomeList({ ...NIGHTS, age: keptMs });
    this.#lists = { outcomes: new OutcomeList(PROGRESS), nights };
  }

  /** The names of the slots with a line: `nights 12`. */
  get slots(): readonly string[] {
    return LISTS.flatMap((list) => this.#lists[list].slots.map((slot) => `${list} ${slot}`));
  }

  /** The names of the slots without a line. */
  get free(): readonly string[] {
    return LISTS.flatMap((list) => this.#lists[list].free.map((slot) => `${list} ${slot}`));
  }

  /** The lines. Of each list the oldest comes first. */
  get lines(): readonly string[] {
    return LISTS.flatMap((list) => this.#lists[list].lines);
  }

  /** Characters of the lines of nights. */
  get length(): number {
    return this.#lists.nights.length;
  }

  /** The lines of these slots. */
  in(slots: Iterable<string>): OutcomeLines {
    const lines: Partial<Record<ListName, Record<string, string | null>>> = {};
    for (const name of slots) {
      const [list, slot = ''] = name.split(' ') as [ListName, string?];
      (lines[list] ??= {})[slot] = this.#lists[list].at(slot);
    }
    return lines;
  }

  /** Restores the lines of an earlier process. Each begins with its time. */
  restore(stored: Readonly<Partial<Record<ListName, Readonly<Record<string, string>>>>>): void {
    const all = LISTS.flatMap((list) =>
      Object.entries(stored[list] ?? {}).map(([slot, line]) => ({ list, slot, line })),
    );
    for (const { list, slot, line } of all.sort((a, b) => (a.line < b.line ? -1 : 1))) {
      const ending = this.#lists[list].restore(slot, line);
      if (ending !== undefined) this.#arrived(ending, new Set());
    }
  }

  /** Adds to `changed` the slots that change: those of the outcome, of lines that it replaces, and of losses that have now arrived. */
  add(ending: OutcomeLine, changed: Slots): void {
    const list = isOfNight(ending) ? 'nights' : 'outcomes';
    this.#lists[list].add(ending, (slot) => changed.add(`${list} ${slot}`));
    this.#arrived(ending, changed);
  }

  /** Only nights have losses. */
  #arrived(ending: OutcomeLine, changed: Slots): void {
    if (ending.result === 'delivered')
      this.#lists.nights.arrived(ending, (slot) => changed.add(`nights ${slot}`));
  }
}

const LISTS = ['outcomes', 'nights'] as const;

function lineOf(kept: Kept): string {
  if (kept.line !== undefined) return kept.line;
  kept.line = kept.ending ? formatOutcomeLine(kept.ending) : '';
  // Only losses may change. Without the others' parts, thousands of plans take half of the memory.
  if (!kept.isLoss) kept.ending = undefined;
  return kept.line;
}
