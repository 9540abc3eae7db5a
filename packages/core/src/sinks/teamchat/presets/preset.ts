import type { LifecycleEvent } from '../../../lifecycle/event.ts';
import { shownOf, type Source } from '../../../render/context.ts';
import { isUnsuccessful } from '../../../render/targets.ts';
import { fitText } from '../fit.ts';
import { name, sentence } from '../mrkdwn.ts';
import type { Block, ChatMessage, PresetOptions } from '../types.ts';
import { compactBlocks } from './compact.ts';
import { defaultBlocks } from './default.ts';
import { progressBlocks } from './progress.ts';
import { runDuration } from '../../../render/duration.ts';
import { tallyOf, tallyText } from '../../../render/tally.ts';
import { phasesOf, retriedOf, titleOf } from './words.ts';

/**
 * The message of a preset layout: within all limits of the chat, every value escaped, nothing linked or pinged. `auto` is the
 * progress layout for ExecutionProgress and `default` for the rest; `compact` shows progress as the progress layout does.
 */
export function presetMessage(source: Source, options: PresetOptions): ChatMessage {
  return { text: fitText(noticeText(source)), blocks: blocksOf(source, options) };
}

function blocksOf(source: Source, options: PresetOptions): Block[] {
  const isProgress = source.event.kind === 'ExecutionProgress';
  if (isProgress && options.layout !== 'default') return progressBlocks(source, options);
  return options.layout === 'compact' ? compactBlocks(source, options) : defaultBlocks(source, options);
}

/** One line in mrkdwn for lock screens and screen readers. */
export function noticeText({ event, plan }: Source): string {
  const { target } = shownOf(event);
  const subject = `${name(event.namespace, 80)}/${name(event.plan, 80)}`;
  const { words } = titleOf(event, plan);
  if (target !== undefined) {
    const change = `${name(target.name, 80)} (${name(target.executor, 40)}) → ${name(target.state, 40)}`;
    const why = isUnsuccessful(target) ? sentence(target.message, 100) : '';
    return `${words}: ${change}, ${subject}${why === '' ? '' : ` — ${why}`}`;
  }
  const details = event.kind === 'PhaseChange' ? [phasesOf(event)] : [retryText(event), resultText(event)];
  return [`${words}: ${subject}`, ...details].filter((part) => part !== '').join(' — ');
}

/** Fits a lock screen, together with the retried targets. */
const LONGEST_DETAIL = 160;

function retryText({ kind, targets }: LifecycleEvent): string {
  const retried = kind === 'Recovery' ? retriedOf(targets, 2) : '';
  return retried === '' ? '' : `retrying: ${retried}`;
}

/** The error; or the state of the targets, and the duration. */
function resultText(event: LifecycleEvent): string {
  const error = sentence(shownOf(event).errorMessage, LONGEST_DETAIL - retryText(event).length);
  if (error !== '' || event.kind === 'Start') return error;
  const [tally, duration] = [tallyText(tallyOf(event.targets)), runDuration(event)];
  return [tally, duration].filter((part) => part !== '').join(' after ');
}
