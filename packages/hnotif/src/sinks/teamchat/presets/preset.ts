import type { LifecycleEvent } from '../../../lifecycle/event.ts';
import { shownOf, type Source } from '../../../render/context.ts';
import { isTroubled } from '../../../render/targets.ts';
import { name, sentence } from '../mrkdwn.ts';
import type { Block, ChatMessage, PresetOptions } from '../types.ts';
import { compactBlocks } from './compact.ts';
import { defaultBlocks } from './default.ts';
import { progressBlocks } from './progress.ts';
import { runDuration } from './duration.ts';
import { tallyOf, tallyText } from './tally.ts';
import { phasesOf, retriedOf, titleOf } from './words.ts';

/**
 * The message of a preset layout: within all limits of the chat, every value escaped, nothing linked or pinged. `auto` is the
 * progress layout for ExecutionProgress and `default` for the rest; `compact` shows progress as the progress layout does.
 */
export function presetMessage(source: Source, options: PresetOptions): ChatMessage {
  return { text: noticeText(source), blocks: blocksOf(source, options) };
}

function blocksOf(source: Source, options: PresetOptions): Block[] {
  const isProgress = source.event.kind === 'ExecutionProgress';
  if (isProgress && options.layout !== 'default') return progressBlocks(source, options);
  return options.layout === 'compact' ? compactBlocks(source, options) : defaultBlocks(source, options);
}

/** What a phone's lock screen and a screen reader show of a message with blocks: one line, in mrkdwn. */
export function noticeText({ event }: Source): string {
  const { target } = shownOf(event);
  const subject = `${name(event.namespace, 80)}/${name(event.plan, 80)}`;
  const { words } = titleOf(event);
  if (target !== undefined) {
    const change = `${name(target.name, 80)} (${name(target.executor, 40)}) → ${name(target.state, 40)}`;
    const why = isTroubled(target) ? sentence(target.message, 100) : '';
    return `${words}: ${change}, ${subject}${why === '' ? '' : ` — ${why}`}`;
  }
  const details = event.kind === 'PhaseChange' ? [phasesOf(event)] : [retryText(event), standing(event)];
  return [`${words}: ${subject}`, ...details].filter((part) => part !== '').join(' — ');
}

/** Fits a lock screen together with what is being retried. */
const LONGEST_DETAIL = 160;

function retryText({ kind, targets }: LifecycleEvent): string {
  const retried = kind === 'Recovery' ? retriedOf(targets, 2) : '';
  return retried === '' ? '' : `retrying: ${retried}`;
}

/** What went wrong, else how the targets stand, and how long it took. */
function standing(event: LifecycleEvent): string {
  const error = sentence(shownOf(event).errorMessage, LONGEST_DETAIL - retryText(event).length);
  if (error !== '' || event.kind === 'Start') return error;
  const [tally, duration] = [tallyText(tallyOf(event.targets)), runDuration(event)];
  return [tally, duration].filter((part) => part !== '').join(' after ');
}
