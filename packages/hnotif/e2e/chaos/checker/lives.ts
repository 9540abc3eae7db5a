/**
 * What is known of a plan ends where its journal was deleted and the process that had it in memory was killed before it stood again: the
 * next process meets the plan as a new one. Each such part of a plan's history is a life, judged by itself.
 */
import type { ChaosRecord, Gap, PlanHistory, StatusWrite } from '../record.ts';

export interface Life {
  /** What was sent from then on… */
  readonly from: number;
  /** …until then is this life's (milliseconds since the epoch). */
  readonly until: number;
  /** What could be seen of the plan. */
  readonly writes: readonly StatusWrite[];
  /** Whether the first of them may have gone by unseen: it was followed before anyone looked. */
  readonly isLate: boolean;
  /**
   * What was written from then on may not have been sent when all that waited was forgotten (-Infinity: how long it waits is the
   * machine's affair), or not have been seen; Infinity: nothing is forgotten.
   */
  readonly forgotten: number;
}

/** Kills between which no process was active. */
interface Break {
  readonly first: number;
  readonly last: number;
  readonly servedAt: number;
}

export function livesOf(plan: PlanHistory, record: Pick<ChaosRecord, 'kills' | 'absences' | 'gaps'>): Life[] {
  const breaks = breaksOf(record);
  const lives: Life[] = [];
  let from = -Infinity;
  let { writes } = plan;
  let isLate = false;
  for (const { first, last, servedAt } of breaks) {
    // What was missing when nobody was left who knew it was never written.
    const absence = record.absences.find(
      ({ from, missing }) => from <= servedAt && (missing[plan.name] ?? -Infinity) >= first,
    );
    // A plan that was deleted meanwhile is met by nobody.
    if (absence === undefined || (plan.deleted?.from ?? Infinity) <= servedAt) continue;
    const seen = writes.filter((write) => write.from <= first);
    // The process that was killed sends nothing by then, and the next one nothing before.
    const until = (last + servedAt) / 2;
    lives.push({ from, until, writes: seen, isLate, forgotten: -Infinity });
    from = until;
    writes = writes.slice(Math.max(0, writes.filter((write) => write.to < first).length - 1));
    isLate = (writes[1]?.from ?? Infinity) <= servedAt;
  }
  const forgotten = forgottenWith(plan, breaks, record.gaps);
  return [...lives, { from, until: Infinity, writes, isLate, forgotten }];
}

/** What waits when a plan is deleted is in memory alone; and what nobody saw in time is not told. */
function forgottenWith({ deleted }: PlanHistory, breaks: readonly Break[], gaps: readonly Gap[]): number {
  if (deleted === undefined) return Infinity;
  const { from, to, withNamespace } = deleted;
  if (withNamespace || breaks.some(({ servedAt }) => servedAt >= from)) return -Infinity;
  return gaps
    .filter((gap) => gap.why !== 'refusal' && gap.from <= to && gap.to >= from)
    .reduce((earliest, gap) => Math.min(earliest, gap.from), Infinity);
}

function breaksOf({ kills }: Pick<ChaosRecord, 'kills'>): Break[] {
  const breaks = new Map<number, Break>();
  for (const { at, servedAt } of kills) {
    const until = servedAt ?? Infinity;
    const known = breaks.get(until) ?? { first: at, last: at, servedAt: until };
    const [first, last] = [Math.min(known.first, at), Math.max(known.last, at)];
    breaks.set(until, { first, last, servedAt: until });
  }
  return [...breaks.values()].sort((a, b) => a.first - b.first);
}

/** Which of a plan's lives something belongs to that was sent then. */
export const lifeAt = (lives: readonly Life[], at: number): number =>
  Math.max(
    0,
    lives.findLastIndex(({ from }) => from <= at),
  );
