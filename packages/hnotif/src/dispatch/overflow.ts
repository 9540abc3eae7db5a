import type { LoggedEvent } from './delivery.ts';

/** Whether an event may be lost under pressure: the others tell how a night went. */
export const isExpendable = ({ kind }: Pick<LoggedEvent, 'kind'>): boolean =>
  kind === 'ExecutionProgress' || kind === 'PhaseChange';

type Waiting = Pick<LoggedEvent, 'kind' | 'run' | 'targetExecution'>;

/** What may go: progress and phase changes, also what began runs, or all. */
export type Expendable = 'progress' | 'beginnings' | 'all';

const CLASSES: Readonly<Record<Expendable, number>> = { progress: 3, beginnings: 6, all: 7 };

/**
 * The order in which the waiting deliveries of a stream go when it has to make room. Each class goes oldest first:
 *
 * 1. progress that newer progress of its target supersedes, 2. other progress, 3. phase changes,
 * 4. Recoveries that a newer one of their run supersedes, 5. Start and Recovery of runs whose Success or Failure waits too,
 * 6. other Starts and Recoveries, 7. Success and Failure.
 *
 * `waiting` is in the order of acceptance; the head that has been tried is not among it. `may` says how far down the list it goes.
 */
export function dropOrder<T extends Waiting>(waiting: readonly T[], may: Expendable = 'all'): readonly T[] {
  const newest = new Map<string, T>();
  const recovery = new Map<number, T>();
  const ended = new Set<number>();
  for (const event of waiting) {
    if (event.kind === 'ExecutionProgress') newest.set(event.targetExecution?.name ?? '', event);
    else if (event.kind === 'Recovery') recovery.set(event.run, event);
    else if (event.kind === 'Success' || event.kind === 'Failure') ended.add(event.run);
  }
  const classOf = (event: T): number => {
    switch (event.kind) {
      case 'ExecutionProgress':
        return newest.get(event.targetExecution?.name ?? '') === event ? 1 : 0;
      case 'PhaseChange':
        return 2;
      case 'Recovery':
        if (recovery.get(event.run) !== event) return 3;
        return ended.has(event.run) ? 4 : 5;
      case 'Start':
        return ended.has(event.run) ? 4 : 5;
      case 'Success':
      case 'Failure':
        return 6;
    }
  };
  const classes: T[][] = [[], [], [], [], [], [], []];
  for (const event of waiting) classes[classOf(event)]?.push(event);
  return classes.slice(0, CLASSES[may]).flat();
}
