import type { TargetState } from '../lifecycle/event.ts';

const UNSUCCESSFUL: readonly string[] = ['Failed', 'Aborted'];

export const isUnsuccessful = ({ state }: TargetState): boolean => UNSUCCESSFUL.includes(state);

/** The order in messages: failed targets, aborted ones, the others; each group in the plan's order. */
export function unsuccessfulFirst(targets: readonly TargetState[]): readonly TargetState[] {
  if (!targets.some(isUnsuccessful)) return targets;
  return [
    ...UNSUCCESSFUL.flatMap((rank) => targets.filter(({ state }) => state === rank)),
    ...targets.filter((target) => !isUnsuccessful(target)),
  ];
}
