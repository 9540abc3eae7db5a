import { shownOf, type Source } from '../../../render/context.ts';
import { section, sentence } from '../mrkdwn.ts';
import type { Block, PresetOptions } from '../types.ts';
import { contextBlock } from './context.ts';
import { shortTargetLines } from './targets.ts';
import { operationOf, phasesOf, planOf, tallyOf, titleOf } from './words.ts';

const LONGEST_ERROR = 400;
const TARGETS_BUDGET = 1_800;

/** One section and one line below it: what happened to which plan, how it stands, and the targets on few lines. */
export function compactBlocks(source: Source, options: PresetOptions): Block[] {
  const { event } = source;
  const { emoji, words } = titleOf(event);
  const { errorMessage, retryCount } = shownOf(event);
  // The headline tells the operations that the contract knows, and a Recovery's attempt.
  const operation = operationOf(event);
  const error = sentence(errorMessage, LONGEST_ERROR);
  const standing = [
    event.kind !== 'PhaseChange' && words.startsWith(operation) ? '' : operation,
    phasesOf(event),
    event.kind === 'Start' ? '' : tallyOf(event.targets),
    event.kind === 'Failure' && retryCount > 0 ? `retries: ${retryCount}` : '',
  ].filter((part) => part !== '');
  const lines = [
    `${emoji} *${words}* — ${planOf(event)}`,
    standing.join('  ·  '),
    error === '' ? '' : `&gt; ${error}`,
    ...shortTargetLines(event.targets, options.maxTargets, TARGETS_BUDGET, error),
  ];
  return [section(lines.filter((line) => line !== '').join('\n')), contextBlock(source, options)];
}
