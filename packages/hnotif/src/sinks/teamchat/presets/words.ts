import type { LifecycleEvent, TargetState } from '../../../lifecycle/event.ts';
import { shownOf } from '../../../render/context.ts';
import { name } from '../mrkdwn.ts';

/** Standard shortcodes, which every workspace has. */
const STATE_EMOJI: ReadonlyMap<string, string> = new Map([
  ['Pending', ':white_circle:'],
  ['Running', ':hourglass_flowing_sand:'],
  ['Completed', ':white_check_mark:'],
  ['Failed', ':x:'],
  ['Aborted', ':no_entry_sign:'],
]);

export const emojiOf = (state: string): string => STATE_EMOJI.get(state) ?? ':grey_question:';

/** Whether somebody has to look at the target. */
export const needsLook = ({ state }: TargetState): boolean => state === 'Failed' || state === 'Aborted';

export interface Title {
  readonly emoji: string;
  /** The contract's heading, without any text of the plan. */
  readonly words: string;
}

export function titleOf(event: LifecycleEvent): Title {
  const isShutdown = event.operation === 'shutdown';
  const what = isShutdown ? 'Hibernation' : 'Wake-Up';
  switch (event.kind) {
    case 'Start':
      return {
        emoji: isShutdown ? ':crescent_moon:' : ':sunny:',
        words: `${what} Starting (${event.targets.length} targets)`,
      };
    case 'Success':
      // A run may end well for the plan and not for all targets.
      return {
        emoji: event.targets.some(needsLook) ? ':warning:' : ':white_check_mark:',
        words: `${what} Completed`,
      };
    case 'Failure':
      return { emoji: ':x:', words: `${what} Failed` };
    case 'Recovery':
      return { emoji: ':arrows_counterclockwise:', words: `${what} Retrying (attempt ${event.retryCount})` };
    case 'ExecutionProgress':
      return { emoji: emojiOf(event.targetExecution?.state ?? ''), words: 'Target Progress' };
    case 'PhaseChange':
      return { emoji: ':information_source:', words: 'Phase Change' };
  }
}

/** What a person calls the operation; the plan's own word where we have no better. */
export function operationOf({ operation }: LifecycleEvent): string {
  if (operation === 'shutdown') return 'Hibernation';
  return operation === 'wakeup' ? 'Wake-Up' : name(operation) || 'N/A';
}

/** `Hibernating → Hibernated`, or the phase alone; `''` where there is none. */
export function phasesOf(event: LifecycleEvent): string {
  const phases = [shownOf(event).previousPhase, event.phase];
  return phases
    .filter((phase) => phase !== '')
    .map((phase) => name(phase, 60))
    .join(' → ');
}

export const planOf = ({ namespace, plan }: LifecycleEvent): string =>
  `*${name(plan)}* in ${name(namespace) || 'no namespace'}`;

const COUNTED = ['Failed', 'Aborted', 'Running', 'Pending'] as const;

/** How the targets stand: `4/5 completed, 1 failed`; `''` where there is none. */
export function tallyOf(targets: readonly TargetState[]): string {
  if (targets.length === 0) return '';
  const count = (state: string): number => targets.filter((target) => target.state === state).length;
  const rest = COUNTED.map((state) => [count(state), state.toLowerCase()] as const).filter(([n]) => n > 0);
  return [
    `${count('Completed')}/${targets.length} completed`,
    ...rest.map(([n, state]) => `${n} ${state}`),
  ].join(', ');
}

const DONE: ReadonlySet<string> = new Set(['Completed', 'Failed', 'Aborted']);

/** What the progress bar counts. */
export const doneOf = (
  targets: readonly TargetState[],
): { readonly done: number; readonly total: number } => ({
  done: targets.filter(({ state }) => DONE.has(state)).length,
  total: targets.length,
});
