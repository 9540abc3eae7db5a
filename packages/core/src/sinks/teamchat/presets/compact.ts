import { shownOf, type Source } from '../../../render/context.ts';
import { section, sentence } from '../mrkdwn.ts';
import type { Block, PresetOptions } from '../types.ts';
import { BETWEEN, contextBlock } from './context.ts';
import { runDuration, targetDurations } from '../../../render/duration.ts';
import { tallyOf, tallyText } from '../../../render/tally.ts';
import { shortTargetLines } from './targets.ts';
import { phasesOf, planOf, retriedOf, retriesOf, titleOf, operationNotIn } from './words.ts';

const LONGEST_ERROR = 400;
const TARGETS_BUDGET = 1_800;

/** One section: the event, the plan's state and the targets on few lines. One context line below it. */
export function compactBlocks(source: Source, options: PresetOptions): Block[] {
  const { event, plan } = source;
  const { emoji, words } = titleOf(event, plan);
  const { errorMessage, retryCount } = shownOf(event);
  const error = sentence(errorMessage, LONGEST_ERROR);
  const operation = operationNotIn(words, event);
  const retries = retriesOf({ kind: event.kind, retryCount }, plan);
  const retried = event.kind === 'Recovery' ? retriedOf(event.targets) : '';
  const facts = [
    operation,
    // The heading of a Start says that it begins.
    event.kind === 'Start' && operation === '' ? '' : phasesOf(event),
    event.kind === 'Start' ? '' : tallyText(tallyOf(event.targets)),
    runDuration(event),
    retries === '' ? '' : `retries: ${retries}`,
    retried === '' ? '' : `retrying: ${retried}`,
  ].filter((part) => part !== '');
  const listing = {
    most: options.maxTargets,
    budget: TARGETS_BUDGET,
    shownText: error,
    durationOf: targetDurations(event, plan),
  };
  const lines = [
    `${emoji} *${words}* — ${planOf(event)}`,
    facts.join(BETWEEN),
    error === '' ? '' : `&gt; ${error}`,
    ...shortTargetLines(event.targets, listing),
  ];
  return [section(lines.filter((line) => line !== '').join('\n')), contextBlock(source, options)];
}
