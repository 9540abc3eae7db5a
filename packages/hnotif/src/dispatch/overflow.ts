import type { LifecycleEvent } from '../lifecycle/event.ts';

/** Whether an event may be lost under pressure: the others tell how a night went. */
export const isExpendable = (event: LifecycleEvent): boolean =>
  event.kind === 'ExecutionProgress' || event.kind === 'PhaseChange';

/**
 * Which of a full stream's events goes: progress that a later one of the same target makes old news, else the
 * oldest progress, else the oldest phase change, else the oldest Start or Recovery, else the oldest of all. So
 * the last word on a night is the last to go. `from` protects what stands before it (the head in flight).
 * Returns -1 when nothing stands behind `from`.
 */
export function victim(events: readonly LifecycleEvent[], from: number): number {
  const seen = new Set<string>();
  const best = { superseded: -1, progress: -1, phase: -1, beginning: -1 };
  for (let index = events.length - 1; index >= from; index--) {
    const event = events[index];
    if (event === undefined) continue;
    if (event.kind === 'ExecutionProgress') {
      const target = event.targetExecution?.name ?? '';
      if (seen.has(target)) best.superseded = index;
      seen.add(target);
      best.progress = index;
    } else if (event.kind === 'PhaseChange') best.phase = index;
    else if (event.kind === 'Start' || event.kind === 'Recovery') best.beginning = index;
  }
  const oldest = from < events.length ? from : -1;
  return (
    [best.superseded, best.progress, best.phase, best.beginning, oldest].find((index) => index >= 0) ?? -1
  );
}
