import { shownOf, type Source } from '../../../render/context.ts';
import { codeBlock, fields, header, name, section, sentence } from '../mrkdwn.ts';
import type { Block, PresetOptions } from '../types.ts';
import { progressBar } from '../thread/root.ts';
import { contextBlock } from './context.ts';
import { changeLine, packed, targetLines } from './targets.ts';
import { doneOf, operationOf, phasesOf, tallyOf, titleOf } from './words.ts';

/** Of the error: a screen of a phone. */
const LONGEST_ERROR = 1_200;
/** Of all target lines: with everything else it keeps a message below 12,000 characters, which Slack takes. */
const TARGETS_BUDGET = 8_000;
/** https://docs.slack.dev/reference/block-kit/blocks/section-block */
const LONGEST_SECTION = 3_000;

/**
 * What happened as a headline; then which plan and how it stands, two columns of one line each; then what went wrong; then
 * the targets, those in trouble first; at the bottom, small, where and when.
 */
export function defaultBlocks(source: Source, options: PresetOptions): Block[] {
  const { event } = source;
  const { emoji, words } = titleOf(event);
  const error = codeBlock(shownOf(event).errorMessage, LONGEST_ERROR);
  return [
    header(`${emoji} ${words}`),
    fields(summary(source)),
    ...(error === '' ? [] : [section(`*Error*\n${error}`)]),
    ...(event.kind === 'ExecutionProgress' ? change(source) : targets(source, options, error)),
    contextBlock(source, options),
  ];
}

function summary({ event }: Source): string[] {
  const { retryCount } = shownOf(event);
  const rows: readonly (readonly [label: string, value: string])[] = [
    ['Plan', name(event.plan)],
    ['Namespace', name(event.namespace)],
    ['Phase', phasesOf(event)],
    ['Operation', operationOf(event)],
    ['Targets', event.kind === 'Start' ? '' : tallyOf(event.targets)],
    // The headline of Recovery tells it.
    ['Retries', event.kind === 'Failure' && retryCount > 0 ? String(retryCount) : ''],
  ];
  return rows.filter(([, value]) => value !== '').map(([label, value]) => `*${label}:* ${value}`);
}

function targets({ event }: Source, { maxTargets }: PresetOptions, error: string): Block[] {
  const lines = targetLines(event.targets, maxTargets, TARGETS_BUDGET, error);
  return lines.length === 0 ? [] : packed(['*Targets*', ...lines], LONGEST_SECTION).map(section);
}

/** The one target that changed, and how far the others are. */
function change({ event }: Source): Block[] {
  const target = event.targetExecution;
  const bar = progressBar(doneOf(event.targets));
  const message = sentence(target?.message ?? '', LONGEST_ERROR);
  const lines = [
    target === undefined ? '' : changeLine(target),
    message === '' ? '' : `&gt; ${message}`,
    bar === '' ? '' : `\`${bar}\``,
  ].filter((line) => line !== '');
  return lines.length === 0 ? [] : [section(lines.join('\n'))];
}
