import type { LifecycleEvent, TargetState } from '../../../lifecycle/event.ts';
import { shownOf, withCluster } from '../../../render/context.ts';
import { isUnsuccessful } from '../../../render/targets.ts';
import type { PlanView } from '../../../resources/plan-view.ts';
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

export interface Title {
  readonly emoji: string;
  /** The contract's heading, with the name of the cluster if it is known, without any text of the plan. */
  readonly words: string;
}

export function titleOf(event: LifecycleEvent, plan: PlanView): Title {
  const { emoji, words } = headingOf(event);
  return { emoji, words: withCluster(words, plan) };
}

function headingOf(event: LifecycleEvent): Title {
  const isShutdown = event.operation === 'shutdown';
  const what = isShutdown ? 'Hibernation' : 'Wake-Up';
  switch (event.kind) {
    case 'Start':
      return {
        emoji: isShutdown ? ':crescent_moon:' : ':sunny:',
        words: `${what} Starting (${event.targets.length} ${event.targets.length === 1 ? 'target' : 'targets'})`,
      };
    case 'Success':
      // A run may end well for the plan and not for all targets.
      return {
        emoji: event.targets.some(isUnsuccessful) ? ':warning:' : ':white_check_mark:',
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

/** Kubernetes names. In other texts a `:name:` would become an emoji. */
const HEADLINE_NAME = /^[A-Za-z0-9][-.A-Za-z0-9]*$/;
/** Of the names in a headline together, in characters: Slack takes 150, with the words. */
const LONGEST_NAMES = 70;

/** Whether the headline names the plan. If not, a line below it does. */
export const fitsHeadline = (plan: string, { cluster = '' }: Pick<PlanView, 'cluster'>): boolean =>
  plan.length + cluster.length <= LONGEST_NAMES && HEADLINE_NAME.test(plan);

/** The headline names the plan: messages of thirty plans may come at once. */
export const headlineOf = ({ emoji, words }: Title, plan: string, view: PlanView): string =>
  `${emoji} ${words}${fitsHeadline(plan, view) ? ` — ${plan}` : ''}`;

/** The operation in words; an unknown one as the plan names it. */
export function operationOf({ operation }: Pick<LifecycleEvent, 'operation'>): string {
  if (operation === 'shutdown') return 'Hibernation';
  return operation === 'wakeup' ? 'Wake-Up' : name(operation) || 'N/A';
}

/** The operation, or `''` where the heading contains it. */
export const operationNotIn = (words: string, event: Pick<LifecycleEvent, 'operation'>): string =>
  event.operation !== '' && words.startsWith(operationOf(event)) ? '' : operationOf(event);

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

/** `3 of 3`; `3` where the limit is unknown or exceeded; `''` for none, or where the heading has the number. */
export function retriesOf(
  { kind, retryCount }: Pick<LifecycleEvent, 'kind' | 'retryCount'>,
  { retries = 0 }: Pick<PlanView, 'retries'>,
): string {
  if (retryCount <= 0) return '';
  if (retryCount <= retries) return `${retryCount} of ${retries}`;
  return kind === 'Recovery' ? '' : String(retryCount);
}

/**
 * The targets of a retry: those that have not ended. Operators write a message into those that they reset; a Pending target without a
 * message was not tried yet. `most`: names.
 */
export function retriedOf(targets: readonly TargetState[], most = 5): string {
  const open = targets.filter(({ state }) => state !== 'Completed' && state !== 'Aborted');
  const reset = open.filter(({ state, message }) => state !== 'Pending' || message.trim() !== '');
  const retried = reset.length > 0 ? reset : open;
  const names = retried.slice(0, most).map((target) => name(target.name, 40) || 'unnamed');
  const more = retried.length - names.length;
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
