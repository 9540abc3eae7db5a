/**
 * A journal may be deleted, and the process may be killed before it has written the journal again. Then the plan's past is lost, and the
 * next process sees the plan as new. Each such part of a plan's history is a life. The lives are judged separately.
 */
import type { ChaosRecord, PlanHistory, StatusWrite } from '../record.ts';

export interface Life {
  /** Messages of this life were sent from this time on… */
  readonly from: number;
  /** …until this time (milliseconds since the epoch). */
  readonly until: number;
  /** The states of the plan that could be seen. */
  readonly writes: readonly StatusWrite[];
  /** Whether the first state may have been missed: the next one was written before a process listed plans. */
  readonly isLate: boolean;
  /**
   * Events of states from this time on may be missing: waiting events were lost, or the states were missed. -Infinity: all waiting events
   * were lost, and how long events wait depends on the machine. Infinity: nothing was lost.
   */
  readonly forgotten: number;
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
    // An entry that was missing when the last process with its data was killed was never written again, except by a late write of that
    // process, before the next one read it.
    const absence = record.absences.find(({ from, missing, writtenBy }) => {
      const missed = missing[plan.name] ?? -Infinity;
      const isLate = missed < servedAt && (writtenBy?.[plan.name] ?? Infinity) <= term;
      return from <= servedAt && missed >= first && !isLate;
    });
    // A plan that was deleted meanwhile is never seen again.
    if (absence === undefined || (plan.deleted?.from ?? Infinity) <= servedAt) continue;
    const seen = writes.filter((write) => write.from <= first);
    // The killed process sends nothing after this time, and the next one nothing before.
    const until = (last + servedAt) / 2;
    lives.push({ from, until, writes: seen, isLate, forgotten: -Infinity });
    from = until;
    writes = writes.slice(Math.max(0, writes.filter((write) => write.to < first).length - 1));
    isLate = (writes[1]?.from ?? Infinity) <= servedAt;
  }
  const forgotten = forgottenWith(plan, record);
  return [...lives, { from, until: Infinity, writes, isLate, forgotten }];
}

/**
 * States of a deleted plan that no process saw in time make no events. Its waiting events stay in its journal, until that is deleted, too.
 */
function forgottenWith(
  { deleted, name }: PlanHistory,
  { absences, gaps }: Pick<ChaosRecord, 'absences' | 'gaps'>,
): number {
  if (deleted === undefined) return Infinity;
  const { from, to, withNamespace } = deleted;
  if (withNamespace || absences.some((each) => each.to >= from && Object.hasOwn(each.missing, name)))
    return -Infinity;
  return gaps
    .filter((gap) => gap.why !== 'refusal' && gap.from <= to && gap.to >= from)
    .reduce((earliest, gap) => Math.min(earliest, gap.from), Infinity);
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
