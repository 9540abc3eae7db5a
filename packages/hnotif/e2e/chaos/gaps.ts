import type { Absence, Gap, Kill } from './record.ts';
import type { Trouble } from './troubles.ts';

/** What takes no time takes no longer than this where the machine has nothing else to do (milliseconds)… */
const SLACK_MS = 1_000;
/** …and as much more as a process needs to begin, so many times… */
const STARTS = 1.5;
/** …but not more than this. */
const MOST_SLACK_MS = 10_000;

/** The ends of processes with the slack of each. `leaseMs`: the part of a start in which it only waits. */
export const withSlack = (ends: readonly Omit<Kill, 'slackMs'>[], leaseMs: number): Kill[] => {
  const starts = ends.map(({ at, servedAt }) => Math.max(0, (servedAt ?? at) - at - leaseMs));
  return ends.map((end, index) => {
    const slowest = Math.max(starts[index - 1] ?? 0, starts[index] ?? 0);
    return { ...end, slackMs: Math.min(SLACK_MS + STARTS * slowest, MOST_SLACK_MS) };
  });
};

/**
 * When states of plans could go by unseen: from before a kill (what was seen and not kept, what came late, what could not be
 * written) until the next process had listed; and around a watch that had to begin anew.
 *
 * @param looks when lists of plans were answered and watches of them opened, in order (milliseconds since the epoch)
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
        .filter(({ kind, from, to }) => kind !== 'none' && from <= at && to >= at)
        .reduce((earliest, { from }) => Math.min(earliest, from), at);
      return { from: before - slackMs, to: servedAt ?? Number.MAX_SAFE_INTEGER, why: 'kill' };
    }),
    ...felt
      .filter(({ kind }) => kind === 'lost')
      .map(({ from, to }) => ({ from: from - SLACK_MS, to, why: 'watch' })),
    ...felt.filter(({ kind }) => kind === 'refusal').map(({ from, to }) => ({ from, to, why: 'refusal' })),
    // What is settled meanwhile is written down when the journal is made again.
    ...absences.map(({ from, to, missing }) => ({ from, to, why: 'refusal', plans: Object.keys(missing) })),
  ];
}

/**
 * Plans are not seen until they are listed or watched again. That may be long after the trouble: a process that has just listed finds
 * only at its watch that the past is forgotten.
 */
function untilNextLook(trouble: Trouble, looks: readonly number[]): Trouble {
  if (trouble.kind !== 'lost' && trouble.kind !== 'late') return trouble;
  const next = looks.find((at) => at > trouble.from) ?? Number.MAX_SAFE_INTEGER;
  return { ...trouble, to: Math.max(trouble.to, next) };
}
