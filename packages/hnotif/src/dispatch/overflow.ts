import type { LifecycleEvent } from '../lifecycle/event.ts';

/** Whether an event may be lost under pressure: the others tell how a night went. */
export const isExpendable = (event: LifecycleEvent): boolean =>
  event.kind === 'ExecutionProgress' || event.kind === 'PhaseChange';

/** The target whose progress an event tells; undefined for other kinds. */
const targetOf = (event: LifecycleEvent): string | undefined =>
  event.kind === 'ExecutionProgress' ? (event.targetExecution?.name ?? '') : undefined;

/** How much progress of each target waits: what makes finding the victim cheap, however long the stream. */
export class WaitingProgress {
  readonly #counts = new Map<string, number>();

  add(event: LifecycleEvent): void {
    const target = targetOf(event);
    if (target !== undefined) this.#counts.set(target, this.of(target) + 1);
  }

  remove(event: LifecycleEvent): void {
    const target = targetOf(event);
    if (target === undefined) return;
    const rest = this.of(target) - 1;
    if (rest > 0) this.#counts.set(target, rest);
    else this.#counts.delete(target);
  }

  of(target: string): number {
    return this.#counts.get(target) ?? 0;
  }
}

/**
 * Which of a full stream's events goes: the oldest progress that a later one of the same target makes old news, else
 * the oldest progress, else the oldest phase change, else the oldest Start or Recovery, else the oldest of all. So
 * the last word on a night is the last to go. `from` (0 or 1) protects the head in flight. Returns -1 when nothing
 * stands behind it. Ends early, near the front, wherever progress repeats itself.
 */
export function victim(
  waiting: readonly { readonly event: LifecycleEvent }[],
  from: 0 | 1,
  progress: WaitingProgress,
): number {
  const inFlight = from === 1 && waiting[0] !== undefined ? targetOf(waiting[0].event) : undefined;
  let oldestProgress = -1;
  let phaseChange = -1;
  let beginning = -1;
  for (let index = from; index < waiting.length; index++) {
    const event = waiting[index]?.event;
    if (event === undefined) break;
    const target = targetOf(event);
    if (target !== undefined) {
      if (progress.of(target) - (target === inFlight ? 1 : 0) > 1) return index;
      if (oldestProgress < 0) oldestProgress = index;
    } else if (event.kind === 'PhaseChange') {
      if (phaseChange < 0) phaseChange = index;
    } else if (beginning < 0 && (event.kind === 'Start' || event.kind === 'Recovery')) beginning = index;
  }
  for (const index of [oldestProgress, phaseChange, beginning]) if (index >= 0) return index;
  return from < waiting.length ? from : -1;
}
