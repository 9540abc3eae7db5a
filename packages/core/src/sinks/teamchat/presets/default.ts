import { shownOf, type Source } from '../../../render/context.ts';
import { codeBlock, fenced, fields, header, name, section } from '../mrkdwn.ts';
import type { Block, PresetOptions } from '../types.ts';
import { contextBlock } from './context.ts';
import { runDuration, targetDurations } from '../../../render/duration.ts';
import { changeText } from './progress.ts';
import { progressBar, tallyOf, tallyText } from '../../../render/tally.ts';
import { packed, targetLines } from './targets.ts';
import {
  headlineOf,
  fitsHeadline,
  phasesOf,
  retriedOf,
  retriesOf,
  titleOf,
  operationNotIn,
  type Title,
} from './words.ts';

/** Of the error: a screen of a phone. */
const LONGEST_ERROR = 1_200;
/** Of all target lines: with everything else it keeps a message below 12,000 characters, which Slack takes. */
const TARGETS_BUDGET = 8_000;
/** https://docs.slack.dev/reference/block-kit/blocks/section-block */
const LONGEST_SECTION = 3_000;

/** From top to bottom: headline, summary in two columns, error, targets (unsuccessful ones first), context line. */
export function defaultBlocks(source: Source, options: PresetOptions): Block[] {
  const { event, plan } = source;
  const title = titleOf(event, plan);
  const error = codeBlock(shownOf(event).errorMessage, LONGEST_ERROR);
  return [
    header(headlineOf(title, event.plan, plan)),
    fields(summary(source, title)),
    ...(error === '' ? [] : [section(`*Error*\n${error}`)]),
    ...(event.kind === 'ExecutionProgress' ? change(source) : targets(source, options, error)),
    contextBlock(source, options),
  ];
}

function summary({ event, plan }: Source, { words }: Title): string[] {
  const { retryCount } = shownOf(event);
  const hasBar = event.kind === 'ExecutionProgress';
  return rowsOf([
    ['Plan', fitsHeadline(event.plan, plan) ? '' : name(event.plan)],
    ['Namespace', name(event.namespace)],
    ['Phase', phasesOf(event)],
    ['Operation', operationNotIn(words, event)],
    ['Targets', event.kind === 'Start' || hasBar ? '' : tallyText(tallyOf(event.targets))],
    ['Duration', runDuration(event)],
    ['Retries', retriesOf({ kind: event.kind, retryCount }, plan)],
    ['Retrying', event.kind === 'Recovery' ? retriedOf(event.targets) : ''],
  ]);
}

/** The rows that have a value: `*Phase:* Error`. A section needs at least one. */
export function rowsOf(rows: readonly (readonly [label: string, value: string])[]): string[] {
  const shown = rows.filter(([, value]) => value !== '');
  return (shown.length === 0 ? [['Plan', 'unnamed'] as const] : shown).map(
    ([label, value]) => `*${label}:* ${value}`,
  );
}

function targets({ event, plan }: Source, { maxTargets }: PresetOptions, error: string): Block[] {
  const lines = targetLines(event.targets, {
    ...{ most: maxTargets, budget: TARGETS_BUDGET },
    ...{ shownText: error, durationOf: targetDurations(event, plan) },
  });
  return lines.length === 0 ? [] : packed(['*Targets*', ...lines], LONGEST_SECTION).map(section);
}

/** The target that changed, and the progress of all. */
function change(source: Source): Block[] {
  const lines = [changeText(source, LONGEST_ERROR), fenced(progressBar(tallyOf(source.event.targets)))];
  const shown = lines.filter((line) => line !== '');
  return shown.length === 0 ? [] : [section(shown.join('\n'))];
}
