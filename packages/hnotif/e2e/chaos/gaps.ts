import type { Gap, Kill } from './record.ts';
import type { Trouble } from './troubles.ts';

/** What was seen before a kill may not have been kept yet, if it came within so long (milliseconds). */
const UNKEPT_MS = 1_000;

/**
 * When states of plans could go by unseen: from before a kill (what was seen and not kept, what came late, what could not be
 * written) until the next process had listed; and around a watch that had to begin anew.
 */
export function gapsOf(kills: readonly Kill[], troubles: readonly Trouble[]): Gap[] {
  return [
    ...kills.map(({ at, servedAt }) => {
      const before = troubles
        .filter(({ kind, from, to }) => kind !== 'none' && from <= at && to >= at)
        .reduce((earliest, { from }) => Math.min(earliest, from), at);
      return { from: before - UNKEPT_MS, to: servedAt ?? Number.MAX_SAFE_INTEGER, why: 'kill' };
    }),
    ...troubles
      .filter(({ kind }) => kind === 'lost')
      .map(({ from, to }) => ({ from: from - UNKEPT_MS, to, why: 'watch' })),
    ...troubles
      .filter(({ kind }) => kind === 'refusal')
      .map(({ from, to }) => ({ from, to, why: 'refusal' })),
  ];
}
