import type { LifecycleEvent, TargetState } from '../../../lifecycle/event.ts';
import { shownOf } from '../../../render/context.ts';
import { isTroubled } from '../../../render/targets.ts';
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
        words: `${what} Starting (${event.targets.length} ${event.targets.length === 1 ? 'target' : 'targets'})`,
      };
    case 'Success':
      // A run may end well for the plan and not for all targets.
      return {
        emoji: event.targets.some(isTroubled) ? ':warning:' : ':white_check_mark:',
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

/** Names that Kubernetes gives, as far as a headline has room. There every `:name:` would become an emoji. */
const HEADLINE_NAME = /^[A-Za-z0-9][-.A-Za-z0-9]{0,69}$/;

/** Whether a headline may name the plan. Where not, a line below it does. */
export const mayHead = (plan: string): boolean => HEADLINE_NAME.test(plan);

/** A headline that says which plan it is about: thirty of them may come at once. */
export const headlineOf = ({ emoji, words }: Title, plan: string): string =>
  `${emoji} ${words}${mayHead(plan) ? ` — ${plan}` : ''}`;

/** What a person calls the operation; the plan's own word where we have no better. */
export function operationOf({ operation }: Pick<LifecycleEvent, 'operation'>): string {
  if (operation === 'shutdown') return 'Hibernation';
  return operation === 'wakeup' ? 'Wake-Up' : name(operation) || 'N/A';
}

/** The operation where the heading does not tell it; else `''`. */
export const untoldOperation = (words: string, event: Pick<LifecycleEvent, 'operation'>): string =>
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

/**
 * `3 of 3`; without the second number where the plan does not say it, or was retried more often: then it is no news beside a heading
 * that tells the attempt. `''` for none.
 */
export function retriesOf(
  { kind, retryCount }: Pick<LifecycleEvent, 'kind' | 'retryCount'>,
  { retries = 0 }: Pick<PlanView, 'retries'>,
): string {
  if (retryCount <= 0) return '';
  if (retryCount <= retries) return `${retryCount} of ${retries}`;
  return kind === 'Recovery' ? '' : String(retryCount);
}

/**
 * Which targets a retry is about: those that are not through. Operators write into the ones that they reset why; of others that are
 * still Pending nothing was tried yet. `most`: names.
 */
export function retriedOf(targets: readonly TargetState[], most = 5): string {
  const open = targets.filter(({ state }) => state !== 'Completed' && state !== 'Aborted');
  const told = open.filter(({ state, message }) => state !== 'Pending' || message.trim() !== '');
  const retried = told.length > 0 ? told : open;
  const names = retried.slice(0, most).map((target) => name(target.name, 40) || 'unnamed');
  const more = retried.length - names.length;
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
