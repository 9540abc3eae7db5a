import type { TargetState } from '../lifecycle/event.ts';

const UNSUCCESSFUL: readonly string[] = ['Failed', 'Aborted'];

/** Whether somebody has to look at the target. */
export const isUnsuccessful = ({ state }: TargetState): boolean => UNSUCCESSFUL.includes(state);

/** In the order in which every message lists them: failed ones, aborted ones, and the others, each in the plan's order. */
export function unsuccessfulFirst(targets: readonly TargetState[]): readonly TargetState[] {
  if (!targets.some(isUnsuccessful)) return targets;
  return [
    ...UNSUCCESSFUL.flatMap((rank) => targets.filter(({ state }) => state === rank)),
    ...targets.filter((target) => !isUnsuccessful(target)),
  ];
}
