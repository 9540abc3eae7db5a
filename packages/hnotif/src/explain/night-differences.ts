import { hasFailed, type Difference } from '@hnotif/core/page';
import { durationInWords } from '../status/words.ts';
import { dayLater, timeOfDay, type NightWindow } from './night-window.ts';
import type { Run } from './runs.ts';

/** A run is slow if it takes half as long again, and a minute longer (milliseconds). */
const [SLOWER, LONGER_MS] = [1.5, 60_000];
/** A run is missing when it is this much later than the night before (milliseconds). */
const LATE_MS = 30 * 60_000;

export function differencesOf(
  runs: readonly Run[],
  before: readonly Run[],
  { to, zone }: NightWindow,
  now: number,
): readonly Difference[] {
  const operations = new Set([...before, ...runs].map(({ operation }) => operation));
  return [...operations].flatMap((operation): readonly Difference[] => {
    const last = (all: readonly Run[]): Run | undefined => all.findLast((run) => run.operation === operation);
    const [run, former] = [last(runs), last(before)];
    if (former === undefined) return [];
    if (run === undefined) {
      // A plan that did not fall asleep has nothing to wake from.
      if (
        operation === 'wakeup' &&
        !runs.some((each) => each.operation === 'shutdown' && !hasFailed(each.state))
      )
        return [];
      const isDue = now >= Math.min(to, dayLater(former.began, zone) + LATE_MS);
      const message = `did not ${verbOf(operation)}; the night before it did at ${timeOfDay(former.began, zone)}`;
      return isDue ? [{ kind: 'missing', operation, message }] : [];
    }
    if (hasFailed(run.state) && !hasFailed(former.state)) {
      const message = `did not ${verbOf(operation)} as it should; the night before it did`;
      return [{ kind: 'newly failed', operation, message }];
    }
    const [took, usual] = [tookMs(run), tookMs(former)];
    if (took === undefined || usual === undefined || took < SLOWER * usual || took < usual + LONGER_MS)
      return [];
    const message = `took ${durationInWords(took)} to ${verbOf(operation)}, ${durationInWords(usual)} the night before`;
    return [{ kind: 'newly slow', operation, message }];
  });
}

const tookMs = ({ began, ended, state }: Run): number | undefined =>
  ended === undefined || state === 'failed' ? undefined : ended - began;

/** What a plan does in an operation. */
const verbOf = (operation: string): string =>
  operation === 'shutdown' ? 'fall asleep' : operation === 'wakeup' ? 'wake up' : `run ${operation}`;
