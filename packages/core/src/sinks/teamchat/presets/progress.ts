import type { Source } from '../../../render/context.ts';
import { fenced, section, sentence } from '../mrkdwn.ts';
import type { Block, PresetOptions } from '../types.ts';
import { BETWEEN, contextBlock } from './context.ts';
import { targetDurations } from '../../../render/duration.ts';
import { progressBar, tallyOf } from '../../../render/tally.ts';
import { changeLine } from './targets.ts';
import { operationOf, planOf, titleOf } from './words.ts';

const LONGEST_MESSAGE = 600;

/** Short, because there are many of these: the target that changed, the progress of all, and the context line. */
export function progressBlocks(source: Source, options: PresetOptions): Block[] {
  const { event, plan } = source;
  const { emoji, words } = titleOf(event, plan);
  const change = changeText(source, LONGEST_MESSAGE);
  const lines = [
    `${emoji} *${words}:* ${change === '' ? operationOf(event) : change}`,
    [planOf(event), operationOf(event)].join(BETWEEN),
    fenced(progressBar(tallyOf(event.targets))),
  ];
  return [section(lines.filter((line) => line !== '').join('\n')), contextBlock(source, options)];
}

/** The target that changed, and its message below; `''` where there is none. */
export function changeText({ event, plan }: Source, longest: number): string {
  const target = event.targetExecution;
  if (target === undefined) return '';
  const message = sentence(target.message, longest);
  return `${changeLine(target, targetDurations(event, plan))}${message === '' ? '' : `\n&gt; ${message}`}`;
}
