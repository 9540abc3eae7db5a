import type { Absence, Gap, Kill, Trouble } from './record.ts';

/** The slack of an operation that should take no time, on an idle machine (milliseconds)… */
const SLACK_MS = 1_000;
/** …plus this many times the start time of a process… */
const STARTS = 1.5;
/** …up to this limit (milliseconds). */
const MOST_SLACK_MS = 10_000;

/** The ends of processes, each with its slack. `startMs`: how long the last start of a process took. Default: that of the next one. */
export const withSlack = (
  ends: readonly (Omit<Kill, 'slackMs'> & { readonly startMs?: number })[],
): Kill[] => {
  const starts = ends.map(({ at, servedAt, startMs = Math.max(0, (servedAt ?? at) - at) }) => startMs);
  return ends.map(({ startMs: _, ...end }, index) => {
    const slowest = Math.max(...starts.slice(Math.max(0, index - 1), index + 2));
    return { ...end, slackMs: Math.min(SLACK_MS + STARTS * slowest, MOST_SLACK_MS) };
  });
};

/**
 * The times when states of plans could be missed:
 * - from before a kill until the next process has listed. It begins before the kill, because states may have been seen but not stored,
 *   may have come late, or could not be written. A trouble that ended right before the kill left no time to make up for it.
 * - around a watch that had to start again with a list.
 *
 * @param looks the times when lists of plans were answered and watches were opened, in order (milliseconds since the epoch)
 */
export function gapsOf(
  kills: readonly Kill[],
  troubles: readonly Trouble[],
  absences: readonly Absence[],
  looks: readonly number[],
): Gap[] {
  const felt = troubles.map((trouble) => untilNextLook(trouble, looks));
  return [
    ...kills.map(({ at, servedAt, slackMs }) => {
      const before = felt
        .filter(({ kind, from, to }) => kind !== 'none' && from <= at && to >= at - slackMs)
        .reduce((earliest, { from }) => Math.min(earliest, from), at);
      return { from: before - slackMs, to: servedAt ?? Number.MAX_SAFE_INTEGER, why: 'kill' };
    }),
    ...felt
      .filter(({ kind }) => kind === 'lost')
      .map(({ from, to }) => ({ from: from - SLACK_MS, to, why: 'watch' })),
    ...felt.filter(({ kind }) => kind === 'refusal').map(({ from, to }) => ({ from, to, why: 'refusal' })),
    // Outcomes of this time are written when the journal is created again.
    ...absences.map(({ from, to, plans }) => ({ from, to, why: 'refusal', plans: Object.keys(plans) })),
  ];
}

/**
 * Plans are not seen until they are listed or watched again. This may be long after the trouble: a process that has just listed finds
 * only when it opens its watch that old versions are compacted.
 */
function untilNextLook(trouble: Trouble, looks: readonly number[]): Trouble {
  if (trouble.kind !== 'lost' && trouble.kind !== 'late') return trouble;
  const next = looks.find((at) => at > trouble.from) ?? Number.MAX_SAFE_INTEGER;
  return { ...trouble, to: Math.max(trouble.to, next) };
}
