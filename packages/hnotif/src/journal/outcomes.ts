import { parseTime } from '@hnotif/core/lifecycle';
import { formatOutcomeLine, isLoss, isOfNight, parseOutcomeLine, type OutcomeLine } from './outcome-line.ts';

/** This many losses are kept while other lines come: the end of a run may make a line for each of many sinks. */
const LOSSES = 10;

/**
 * Of the outcomes of nights: the slots, which the CRD has, too; how many are kept, whatever their age and length; and the characters of all
 * lines.
 */
export const NIGHTS = { most: 64, least: 20, length: 8 * 1024 } as const;
/** The slots of each list. Each holds one outcome. `outcomes`: of progress and phase changes. */
const MOST = { outcomes: 20, nights: NIGHTS.most } as const;
const LISTS = ['outcomes', 'nights'] as const;
/** The outcomes of three nights are kept (milliseconds). */
export const NIGHTS_KEPT_MS = 72 * 3_600_000;

/** One array for the lists of all plans. */
const SLOTS: readonly string[] = Array.from({ length: NIGHTS.most }, (_, slot) => String(slot));

/** The names of the two lists in an entry. */
type ListName = (typeof LISTS)[number];
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
  readonly isLoss: boolean;
  /** The beginning of the id of the event whose facts it has; `''`: it has none. */
  readonly about: string;
}

/**
 * How the last deliveries of a plan ended, one line for each slot of the journal: the last twenty of progress and phase changes, and apart from
 * them those that say how the last nights went. Of each list the oldest comes first.
 */
export type Outcomes = Readonly<Record<ListName, readonly Kept[]>>;

export const NO_OUTCOMES: Outcomes = { outcomes: [], nights: [] };

/** The names of the slots with a line: `nights 12`. */
export const slotsOf = (all: Outcomes): readonly string[] =>
  LISTS.flatMap((list) => all[list].map(({ slot }) => `${list} ${slot}`));

/** The names of the slots without a line. */
export const freeSlotsOf = (all: Outcomes): readonly string[] =>
  LISTS.flatMap((list) => freeIn(list, all[list]).map((slot) => `${list} ${slot}`));

/** The lines. Of each list the oldest comes first. */
export const linesOf = (all: Outcomes): readonly string[] => LISTS.flatMap((list) => all[list].map(lineOf));

/** Characters of the lines of nights. */
export const lengthOf = ({ nights }: Pick<Outcomes, 'nights'>): number =>
  nights.reduce((sum, kept) => sum + lineOf(kept).length, 0);

/** The lines of these slots. */
export function linesIn(all: Outcomes, slots: Iterable<string>): OutcomeLines {
  const lines: Partial<Record<ListName, Record<string, string | null>>> = {};
  for (const name of slots) {
    const [list, slot = ''] = name.split(' ') as [ListName, string?];
    const found = all[list].find((each) => each.slot === slot);
    (lines[list] ??= {})[slot] = found === undefined ? null : lineOf(found);
  }
  return lines;
}

/** Those of an earlier process. Each line begins with its time. */
export function restoredOutcomes(
  stored: Readonly<Partial<Record<ListName, Readonly<Record<string, string>>>>>,
): Outcomes {
  const lines = LISTS.flatMap((list) =>
    Object.entries(stored[list] ?? {}).map(([slot, line]) => ({ list, slot, line })),
  );
  let all = NO_OUTCOMES;
  for (const { list, slot, line } of lines.sort((a, b) => (a.line < b.line ? -1 : 1))) {
    if (!freeIn(list, all[list]).includes(slot)) continue;
    const ending = parseOutcomeLine(line);
    all = { ...all, [list]: [...all[list], keptIn(slot, ending, line)] };
    if (ending !== undefined) all = withoutArrived(all, ending, new Set());
  }
  return all;
}

/** Takes the names of slots. */
interface Slots {
  add(slot: string): unknown;
}

/**
 * With the outcome of further deliveries. Adds to `changed` the slots that change: those of the outcome, of lines that it replaces, and of
 * losses that have now arrived. `keptMs`: outcomes of nights that are older are removed (milliseconds).
 */
export function withOutcome(
  all: Outcomes,
  ending: OutcomeLine,
  changed: Slots,
  keptMs = NIGHTS_KEPT_MS,
): Outcomes {
  const name = isOfNight(ending) ? 'nights' : 'outcomes';
  const list = [...all[name]];
  // Mostly they are used in their order.
  const next = list.some(({ slot }) => slot === SLOTS[list.length])
    ? freeIn(name, list)[0]
    : SLOTS[list.length];
  const slot = list.length < MOST[name] && next !== undefined ? next : removeOne(list);
  changed.add(`${name} ${slot}`);
  // The sinks of an event share its facts. A loss is kept for longer than the other lines, so it has its own.
  const { facts, ids: [id = ''] = [] } = ending;
  const isKnown = facts?.event !== undefined && !isLoss(ending) && list.some(({ about }) => about === id);
  const { event: _, ...ofDelivery } = facts ?? {};
  list.push(keptIn(slot, isKnown ? { ...ending, facts: ofDelivery } : ending));
  if (name === 'nights')
    while (list.length > NIGHTS.least && isTooMuch(list, ending.at, keptMs))
      changed.add(`${name} ${removeOne(list)}`);
  return withoutArrived({ ...all, [name]: list }, ending, changed);
}

/**
 * A lost delivery has arrived. Its loss must not be stored for longer than its arrival, or a replay would send it again. A line of several
 * losses keeps the other ones. Only nights have losses.
 */
function withoutArrived(
  all: Outcomes,
  { result, stream, ids: [id] = [] }: OutcomeLine,
  changed: Slots,
): Outcomes {
  if (result !== 'delivered' || id === undefined || !all.nights.some((kept) => kept.isLoss)) return all;
  const nights = all.nights.map((kept) => {
    const { ending: loss, isLoss: isLost, slot } = kept;
    if (!isLost || loss?.stream !== stream || loss.ids?.includes(id) !== true) return kept;
    if (loss.ids.length === 1) return { ...kept, isLoss: false };
    changed.add(`nights ${slot}`);
    const ids = loss.ids.filter((other) => other !== id);
    return { ...kept, ending: { ...loss, count: loss.count - 1, ids }, line: undefined };
  });
  return { ...all, nights };
}

function keptIn(slot: string, ending: OutcomeLine | undefined, line?: string): Kept {
  const about = ending?.facts?.event === undefined ? '' : (ending.ids?.[0] ?? '');
  const isLost = ending !== undefined && isLoss(ending);
  return { slot, ending: isLost || line === undefined ? ending : undefined, line, isLoss: isLost, about };
}

function freeIn(list: ListName, kept: readonly Kept[]): readonly string[] {
  const used = new Set(kept.map(({ slot }) => slot));
  return SLOTS.slice(0, MOST[list]).filter((slot) => !used.has(slot));
}

/** Whether the lines of nights are too long, or the oldest that can be removed is too old. */
function isTooMuch(nights: readonly Kept[], at: string, keptMs: number): boolean {
  const oldest = nights[removableOf(nights)];
  if (oldest === undefined) return false;
  const since = (parseTime(at) ?? 0) - (parseTime(lineOf(oldest).split(' ', 1)[0] ?? '') ?? 0);
  return since > keptMs || lengthOf({ nights }) > NIGHTS.length;
}

/** The place of the oldest outcome that is not one of the newest losses. */
function removableOf(list: readonly Kept[]): number {
  let newer = list.reduce((losses, kept) => losses + Number(kept.isLoss), 0);
  return list.findIndex((kept) => !kept.isLoss || newer-- > LOSSES);
}

/** Removes an outcome. Returns its slot. */
const removeOne = (list: Kept[]): string => list.splice(removableOf(list), 1)[0]?.slot ?? '0';

function lineOf(kept: Kept): string {
  if (kept.line !== undefined) return kept.line;
  kept.line = kept.ending ? formatOutcomeLine(kept.ending) : '';
  // Only losses may change. Without the others' parts, thousands of plans take half of the memory.
  if (!kept.isLoss) kept.ending = undefined;
  return kept.line;
}
