import type { LifecycleEvent } from '../lifecycle/event.ts';

/** Whether an event may be lost under pressure: the others tell how a night went. */
export const isExpendable = (event: LifecycleEvent): boolean =>
  event.kind === 'ExecutionProgress' || event.kind === 'PhaseChange';

interface Waiting {
  readonly event: LifecycleEvent;
}

/**
 * What of a stream's waiting deliveries may go when it is full, kept so that the next to go is found at once: with a
 * dead receiver every submit meets a full stream. Each set is in order of arrival.
 */
export class Expendables<T extends Waiting> {
  /** Progress that a later one of the same target makes old news. */
  readonly #superseded = new Set<T>();
  /** The newest progress of each target. */
  readonly #newest = new Map<string, T>();
  readonly #phaseChanges = new Set<T>();

  add(waiting: T): void {
    const { event } = waiting;
    if (event.kind === 'PhaseChange') this.#phaseChanges.add(waiting);
    if (event.kind !== 'ExecutionProgress') return;
    const target = event.targetExecution?.name ?? '';
    const before = this.#newest.get(target);
    if (before !== undefined) this.#superseded.add(before);
    // Deleted first, so that the map stays in order of arrival.
    this.#newest.delete(target);
    this.#newest.set(target, waiting);
  }

  remove(waiting: T): void {
    if (this.#phaseChanges.delete(waiting) || this.#superseded.delete(waiting)) return;
    const target = waiting.event.targetExecution?.name ?? '';
    if (this.#newest.get(target) === waiting) this.#newest.delete(target);
  }

  /** The next to go: superseded progress, else the oldest progress, else the oldest phase change; never `spared`. */
  next(spared: T | undefined): T | undefined {
    for (const candidates of [this.#superseded, this.#newest.values(), this.#phaseChanges])
      for (const candidate of candidates) if (candidate !== spared) return candidate;
    return undefined;
  }
}

/**
 * Which of a full stream's deliveries goes: an expendable one, else the oldest Start or Recovery, else the oldest of
 * all. So the last word on a night is the last to go. `spared` is the head that has been tried.
 */
export function victim<T extends Waiting>(
  waiting: readonly T[],
  expendables: Expendables<T>,
  spared: T | undefined,
): T | undefined {
  const isBeginning = ({ event }: T): boolean => event.kind === 'Start' || event.kind === 'Recovery';
  return (
    expendables.next(spared) ??
    waiting.find((each) => each !== spared && isBeginning(each)) ??
    waiting.find((each) => each !== spared)
  );
}
