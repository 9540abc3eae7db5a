import type { LifecycleEvent, TargetState } from '../lifecycle/event.ts';
import type { PlanView } from '../resources/plan-view.ts';

/** `13 min 55 s`, `41 s`, `2 h 5 min`; `''` for less than a second, and where a time is missing or wrong. */
export function durationOf(startedAt: string, endedAt: string): string {
  const seconds = Math.floor((Date.parse(endedAt) - Date.parse(startedAt)) / 1000);
  if (!(seconds > 0)) return '';
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  const parts =
    hours > 0
      ? ([
          [hours, 'h'],
          [minutes, 'min'],
        ] as const)
      : ([
          [minutes, 'min'],
          [seconds % 60, 's'],
        ] as const);
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}

/** How long the run took; `''` if it has not ended, or that is not known. */
export const runDuration = ({ startedAt = '', timestamp }: LifecycleEvent): string =>
  durationOf(startedAt, timestamp);

/** How long a target took: `in 41 s`, or `after 41 s` if it failed; `''` if that is not known. */
export type TargetDuration = (target: TargetState) => string;

const WORDS: ReadonlyMap<string, string> = new Map([
  ['Completed', 'in'],
  ['Failed', 'after'],
]);

export const targetDurations =
  (run: Pick<LifecycleEvent, 'cycle' | 'operation'>, plan: PlanView): TargetDuration =>
  ({ name, executor, state }) => {
    const word = WORDS.get(state);
    const work = word === undefined ? undefined : plan.work?.(name, run);
    // The plan may have changed since the event.
    if (word === undefined || work?.state !== state || work.executor !== executor) return '';
    const duration = durationOf(work.startedAt, work.finishedAt);
    return duration === '' ? '' : `${word} ${duration}`;
  };

export const NO_DURATION: TargetDuration = () => '';
