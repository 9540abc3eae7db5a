import type { LifecycleEvent, TargetState } from '../lifecycle/event.ts';

/** What an object and its references cost besides its texts; measured on V8, rounded up. */
const OVERHEAD = 400;
const TARGET_OVERHEAD = 120;

/** Bytes an event keeps alive by itself: its texts (two bytes a character, the worst case), not its target table. */
export const sizeOfEvent = ({ errorMessage, cycle, targetExecution }: SizedEvent): number =>
  OVERHEAD + 2 * (errorMessage.length + cycle.length + (targetExecution?.message.length ?? 0));

type SizedEvent = Pick<LifecycleEvent, 'errorMessage' | 'cycle' | 'targetExecution'>;

const SIZES = new WeakMap<readonly TargetState[], number>();

/** Bytes of a target table, which all events of one step share. */
export function sizeOfTable(targets: readonly TargetState[]): number {
  if (targets.length === 0) return 0;
  const known = SIZES.get(targets);
  if (known !== undefined) return known;
  let bytes = 0;
  for (const target of targets)
    bytes += TARGET_OVERHEAD + 2 * (target.name.length + target.executor.length + target.message.length);
  SIZES.set(targets, bytes);
  return bytes;
}
