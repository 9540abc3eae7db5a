/**
 * A journal may be deleted, and the process may be killed before it has written the journal again. Then the plan's past is lost, and the
 * next process sees the plan as new. Each such part of a plan's history is a life. The lives are judged separately.
 */
import type { Absence, ChaosRecord, PlanHistory, Stored, StatusWrite } from '../record.ts';

export interface Life {
  /** Messages of this life were sent from this time on… */
  readonly from: number;
  /** …until this time (milliseconds since the epoch). */
  readonly until: number;
  /** The states of the plan that could be seen. */
  readonly writes: readonly StatusWrite[];
  /** Whether the first state may have been missed: the next one was written before a process listed plans. */
  readonly isLate: boolean;
  /** Events of states from this time on may be missing: the states were missed. Infinity: none was. */
  readonly forgotten: number;
  /** What its journal said when it was lost: deliveries that waited then, and later ones, may be missing. Undefined: it was not lost. */
  readonly lost?: Stored | undefined;
}

/** Kills without a serving process in between. */
interface Break {
  readonly first: number;
  readonly last: number;
  readonly servedAt: number;
  /** The term of the first of the killed processes, the only one that has served; -Infinity: not known. */
  readonly term: number;
}

export function livesOf(plan: PlanHistory, record: Pick<ChaosRecord, 'kills' | 'absences' | 'gaps'>): Life[] {
  const breaks = breaksOf(record);
  const lives: Life[] = [];
  let from = -Infinity;
  let { writes } = plan;
  let isLate = false;
  for (const { first, last, servedAt, term } of breaks) {
    const absence = absenceAt({ first, last, servedAt, term }, plan, record);
    // A plan that was deleted meanwhile is never seen again.
    if (absence === undefined || (plan.deleted?.from ?? Infinity) <= servedAt) continue;
    const seen = writes.filter((write) => write.from <= first);
    // The killed process sends nothing after this time, and the next one nothing before.
    const until = (last + servedAt) / 2;
    // This life has not been in the deleted journal, if it began later.
    const lost = absence.from < from ? NOTHING : (absence.plans[plan.name]?.stored ?? NOTHING);
    lives.push({ from, until, writes: seen, isLate, forgotten: Infinity, lost });
    from = until;
    writes = writes.slice(Math.max(0, writes.filter((write) => write.to < first).length - 1));
    isLate = (writes[1]?.from ?? Infinity) <= servedAt;
  }
  return [...lives, { from, until: Infinity, writes, isLate, ...afterDeletion(plan, breaks, record) }];
}

/** A deleted journal is written again within a second (docs/guarantees.md); with some slack (milliseconds). */
const REWRITTEN_MS = 2_000;

const NOTHING: Stored = { seq: 0, waiting: {} };

/**
 * The absence that has lost an entry: its journal was deleted before the next process read it, and was not written again before that. A late
 * write of the last process comes before, but that of a paused process may come later.
 */
const absenceAt = (
  { first, servedAt, term }: Break,
  { name, epochs = [] }: PlanHistory,
  { absences }: Pick<ChaosRecord, 'absences'>,
): Absence | undefined =>
  absences.find(({ from, to, plans }) => {
    const absent = plans[name];
    // That of a deleted plan ends before the journal is written again.
    const until = absent?.again === undefined ? to + REWRITTEN_MS : to;
    if (absent === undefined || from > servedAt || first > until) return false;
    const stored = epochs.find(({ epoch }) => epoch === absent.stored.epoch);
    // The next process had read the entry before it was deleted, or from another journal.
    if (stored !== undefined && term > -Infinity && stored.lastTerm > term) return false;
    const next = stored && epochs.find(({ at }) => at > stored.at);
    // A later deletion found the entry: this one has not lost it.
    const isFoundLater = absences.some(
      (other) =>
        other.from > from &&
        other.from < (next?.at ?? -Infinity) &&
        other.plans[name]?.stored.epoch === stored?.epoch,
    );
    if (isFoundLater) return false;
    const { at = Infinity, term: by = Infinity } = next ?? absent.again ?? {};
    return at >= servedAt || by > term;
  });

/**
 * States of a deleted plan that no process saw in time make no events. Its waiting events stay in its journal, until that is deleted, too.
 */
function afterDeletion(
  plan: PlanHistory,
  breaks: readonly Break[],
  record: Pick<ChaosRecord, 'absences' | 'gaps'>,
): Pick<Life, 'forgotten' | 'lost'> {
  const { deleted, name } = plan;
  if (deleted === undefined) return { forgotten: Infinity };
  const { from, to, withNamespace } = deleted;
  const absence = breaks
    .filter(({ servedAt }) => servedAt >= from)
    .map((each) => absenceAt(each, plan, record))
    .find((each) => each !== undefined);
  // From gap to gap: the process in between was killed before it had written what it saw.
  const forgotten = record.gaps
    .filter(({ why }) => why !== 'refusal')
    .sort((a, b) => b.to - a.to)
    .reduce(
      (earliest, gap) =>
        gap.from <= to && gap.to >= Math.min(earliest, from) ? Math.min(earliest, gap.from) : earliest,
      Infinity,
    );
  return { forgotten, lost: withNamespace ?? absence?.plans[name]?.stored };
}

function breaksOf({ kills }: Pick<ChaosRecord, 'kills'>): Break[] {
  const breaks = new Map<number, Break>();
  for (const { at, servedAt, term = -Infinity } of kills) {
    const until = servedAt ?? Infinity;
    const known = breaks.get(until) ?? { first: at, last: at, term };
    breaks.set(until, {
      first: Math.min(known.first, at),
      last: Math.max(known.last, at),
      servedAt: until,
      term: at < known.first ? term : known.term,
    });
  }
  return [...breaks.values()].sort((a, b) => a.first - b.first);
}

/** The index of the life in which a message was sent. */
export const lifeAt = (lives: readonly Life[], at: number): number =>
  Math.max(
    0,
    lives.findLastIndex(({ from }) => from <= at),
  );
