import type { LoggedEvent } from './log-entry.ts';

type Droppable = Pick<LoggedEvent, 'kind' | 'run' | 'targetExecution'>;

/** What may be dropped: superseded progress; all progress and phase changes; Starts and Recoveries as well; or all. */
export type Expendable = 'superseded' | 'progress' | 'beginnings' | 'all';

const CLASSES: Readonly<Record<Expendable, number>> = { superseded: 1, progress: 3, beginnings: 6, all: 7 };

/**
 * The order in which the deliveries of a full stream are dropped. Within a class the oldest goes first:
 *
 * 1. progress that newer progress of its target and run supersedes, 2. other progress, 3. phase changes,
 * 4. Recoveries that a newer one of their run supersedes, 5. Start and Recovery of runs whose Success or Failure waits too,
 * 6. other Starts and Recoveries, 7. Success and Failure.
 *
 * `waiting` is in the order of acceptance, without a head that has been tried. `may`: the classes that may be dropped.
 */
export function dropOrder<T extends Droppable>(waiting: readonly T[], may: Expendable = 'all'): readonly T[] {
  const newest = new Map<string, T>();
  const recovery = new Map<number, T>();
  const ended = new Set<number>();
  for (const event of waiting) {
    if (event.kind === 'ExecutionProgress') newest.set(targetOf(event), event);
    else if (event.kind === 'Recovery') recovery.set(event.run, event);
    else if (event.kind === 'Success' || event.kind === 'Failure') ended.add(event.run);
  }
  const classOf = (event: T): number => {
    switch (event.kind) {
      case 'ExecutionProgress':
        return newest.get(targetOf(event)) === event ? 1 : 0;
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

const targetOf = ({ run, targetExecution }: Droppable): string => `${run} ${targetExecution?.name ?? ''}`;
