import type { TargetState } from '../lifecycle/event.ts';

const RANKS: readonly string[] = ['Failed', 'Aborted'];

/** Whether somebody has to look at the target. */
export const isTroubled = ({ state }: TargetState): boolean => RANKS.includes(state);

/** In the order in which every message lists them: failed ones, aborted ones, and the others, each in the plan's order. */
export function troubledFirst(targets: readonly TargetState[]): readonly TargetState[] {
  if (!targets.some(isTroubled)) return targets;
  return [
    ...RANKS.flatMap((rank) => targets.filter(({ state }) => state === rank)),
    ...targets.filter((target) => !isTroubled(target)),
  ];
}
