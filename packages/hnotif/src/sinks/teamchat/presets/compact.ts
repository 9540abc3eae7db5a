import { shownOf, type Source } from '../../../render/context.ts';
import { section, sentence } from '../mrkdwn.ts';
import type { Block, PresetOptions } from '../types.ts';
import { contextBlock } from './context.ts';
import { targetLines } from './targets.ts';
import { needsLook, operationOf, phasesOf, planOf, tallyOf, titleOf } from './words.ts';

const LONGEST_ERROR = 400;
const TARGETS_BUDGET = 1_800;

/** One section and one line below it: what happened to which plan, how it stands, and only those targets that need a look. */
export function compactBlocks(source: Source, options: PresetOptions): Block[] {
  const { event } = source;
  const { emoji, words } = titleOf(event);
  const { errorMessage } = shownOf(event);
  const error = sentence(errorMessage, LONGEST_ERROR);
  const told = errorMessage.slice(0, LONGEST_ERROR / 2);
  const standing = [
    event.kind === 'PhaseChange' ? operationOf(event) : '',
    phasesOf(event),
    event.kind === 'Start' ? '' : tallyOf(event.targets),
  ].filter((part) => part !== '');
  const lines = [
    `${emoji} *${words}* — ${planOf(event)}`,
    standing.join('  ·  '),
    error === '' ? '' : `&gt; ${error}`,
    ...targetLines(event.targets.filter(needsLook), options.maxTargets, TARGETS_BUDGET, told),
  ];
  return [section(lines.filter((line) => line !== '').join('\n')), contextBlock(source, options)];
}
