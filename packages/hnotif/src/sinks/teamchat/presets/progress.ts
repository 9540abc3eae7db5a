import type { Source } from '../../../render/context.ts';
import { section, sentence } from '../mrkdwn.ts';
import { progressBar } from '../thread/root.ts';
import type { Block, PresetOptions } from '../types.ts';
import { contextBlock } from './context.ts';
import { changeLine } from './targets.ts';
import { doneOf, operationOf, planOf, titleOf } from './words.ts';

const LONGEST_MESSAGE = 600;

/** There are many of these: the target that changed, how far the run is, and the line below. */
export function progressBlocks(source: Source, options: PresetOptions): Block[] {
  const { event } = source;
  const target = event.targetExecution;
  const { emoji, words } = titleOf(event);
  const message = sentence(target?.message ?? '', LONGEST_MESSAGE);
  const bar = progressBar(doneOf(event.targets));
  const lines = [
    `${emoji} *${words}:* ${target === undefined ? operationOf(event) : changeLine(target)}`,
    message === '' ? '' : `&gt; ${message}`,
    `${bar === '' ? '' : `\`${bar}\`  `}${planOf(event)}  ·  ${operationOf(event)}`,
  ];
  return [section(lines.filter((line) => line !== '').join('\n')), contextBlock(source, options)];
}
