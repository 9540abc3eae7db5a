import { shownOf, type Source } from '../../../render/context.ts';
import { name, sentence } from '../mrkdwn.ts';
import type { Block, ChatMessage, PresetOptions } from '../types.ts';
import { compactBlocks } from './compact.ts';
import { defaultBlocks } from './default.ts';
import { progressBlocks } from './progress.ts';
import { phasesOf, tallyOf, titleOf } from './words.ts';

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
  const { target, errorMessage } = shownOf(event);
  const plan = `${name(event.namespace, 80)}/${name(event.plan, 80)}`;
  const { words } = titleOf(event);
  if (target !== undefined)
    return `${words}: ${name(target.name, 80)} (${name(target.executor, 40)}) → ${name(target.state, 40)}, ${plan}`;
  const detail =
    event.kind === 'PhaseChange'
      ? phasesOf(event)
      : sentence(errorMessage, 160) || (event.kind === 'Start' ? '' : tallyOf(event.targets));
  return `${words}: ${plan}${detail === '' ? '' : ` — ${detail}`}`;
}
