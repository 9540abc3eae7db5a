import type { PlanView } from '../../../resources/plan-view.ts';
import { withCluster, type Source } from '../../../render/context.ts';
import { fitText } from '../fit.ts';
import { codeBlock, context, fenced, fields, header, name, section, sentence } from '../mrkdwn.ts';
import { BETWEEN } from '../presets/context.ts';
import { rowsOf } from '../presets/default.ts';
import { runDuration, targetDurations } from '../../../render/duration.ts';
import { linkTexts } from '../presets/links.ts';
import { scopesOf } from '../presets/scope.ts';
import { progressBar } from '../../../render/tally.ts';
import { packed, targetLines } from '../presets/targets.ts';
import { shownTime } from '../presets/time.ts';
import {
  headlineOf,
  fitsHeadline,
  operationOf,
  retriedOf,
  retriesOf,
  operationNotIn,
  type Title,
} from '../presets/words.ts';
import type { ChatMessage, PresetOptions } from '../types.ts';
import type { RootStatus } from '../../roots/root-status.ts';
import { LONGEST_ERROR, type Root } from './root.ts';

/** Of all target lines: with everything else it keeps a message below 12,000 characters, which Slack takes. */
const TARGETS_BUDGET = 8_000;
/** https://docs.slack.dev/reference/block-kit/blocks/section-block */
const LONGEST_SECTION = 3_000;
const TEXT_TARGETS_BUDGET = 2_000;

/** Bytes of `text`, above which chat.update answers `msg_too_long` where chat.postMessage cuts. */
const LONGEST_TEXT = 4_000;
const fits = (text: string): boolean => Buffer.byteLength(text) <= LONGEST_TEXT;
/** Error and targets get this part of their room, in turn: the letters of many languages take three bytes. */
const SHARES = [1, 2, 4, 8];

/** The card as blocks, within the limits of the chat. Every value is escaped. */
export function blocksCard(root: Root, plan: PlanView, options: PresetOptions): ChatMessage {
  const { shown } = root;
  const bar = fenced(progressBar(shown.tally));
  const error = codeBlock(root.errorMessage, LONGEST_ERROR);
  const lines = linesOf(root, plan, options.maxTargets, TARGETS_BUDGET, error);
  const title = titleOf(root, plan);
  const time = `Updated ${shownTime(shown.timestamp, options)}`;
  const blocks = [
    header(headlineOf(title, shown.plan, plan)),
    fields(rowsOf(summary(root, plan, title))),
    ...(bar === '' ? [] : [section(bar)]),
    ...(error === '' ? [] : [section(`*Error*\n${error}`)]),
    ...(lines.length === 0 ? [] : packed(['*Targets*', ...lines], LONGEST_SECTION).map(section)),
    context([...linkTexts(plan), ...scopesOf(sourceOf(root, plan), options.scopes), time].join(BETWEEN)),
  ];
  return { text: fitText(noticeText(root, plan)), blocks };
}

/** The card as text in mrkdwn, with the same content. */
export function textCard(root: Root, plan: PlanView, options: PresetOptions): ChatMessage {
  const title = titleOf(root, plan);
  const { shown } = root;
  const scopes = [...linkTexts(plan), ...scopesOf(sourceOf(root, plan), options.scopes)].join(' | ');
  const text = (share: number): string => {
    const error = sentence(root.errorMessage, LONGEST_ERROR / share);
    const targets = linesOf(root, plan, options.maxTargets, TEXT_TARGETS_BUDGET / share, error);
    return [
      `${title.emoji} *${title.words}*`,
      progressBar(shown.tally),
      ...rowsOf(summary(root, plan)),
      ...(error === '' ? [] : [`*Error:* ${error}`]),
      ...(targets.length === 0 ? [] : ['*Targets:*', ...targets]),
      ...(scopes === '' ? [] : [scopes]),
      `*Updated:* ${shownTime(shown.timestamp, options)}`,
    ]
      .filter((line) => line !== '')
      .join('\n');
  };
  return { text: fitText(SHARES.map(text).find(fits) ?? noticeText(root, plan)) };
}

/** The state only, without markup. */
export const plainCard = (root: Root, plan: PlanView): ChatMessage => ({
  text: fitText(noticeText(root, plan)),
});

const EMOJI: Readonly<Record<Exclude<RootStatus, 'Starting'>, string>> = {
  'In Progress': ':hourglass_flowing_sand:',
  Completed: ':white_check_mark:',
  Failed: ':x:',
};

/** The headings of the events, without any text of the plan. */
function titleOf({ status, shown }: Root, plan: PlanView): Title {
  const isShutdown = shown.operation === 'shutdown';
  const begins = isShutdown ? ':crescent_moon:' : ':sunny:';
  const isBestEffort = status === 'Completed' && shown.tally.failed + shown.tally.aborted > 0;
  return {
    emoji: status === 'Starting' ? begins : isBestEffort ? ':warning:' : EMOJI[status],
    words: withCluster(`${isShutdown ? 'Hibernation' : 'Wake-Up'} ${status}`, plan),
  };
}

/** With a headline, rows that repeat it are left out. Without one, all rows of the contract are there. */
function summary(
  { shown, retryCount }: Root,
  plan: PlanView,
  headline?: Title,
): (readonly [label: string, value: string])[] {
  return [
    ['Plan', headline !== undefined && fitsHeadline(shown.plan, plan) ? '' : name(shown.plan, 80)],
    ['Namespace', name(shown.namespace, 80)],
    ['Cycle', name(shown.cycle, 80)],
    ['Phase', name(shown.phase, 60)],
    ['Operation', headline === undefined ? operationOf(shown) : operationNotIn(headline.words, shown)],
    ['Duration', runDuration(shown)],
    ['Retries', retriesOf({ kind: 'Failure', retryCount }, plan)],
    ['Retrying', shown.kind === 'Recovery' ? retriedOf(shown.targets) : ''],
  ];
}

/** One line for lock screens and screen readers. */
function noticeText(root: Root, view: PlanView): string {
  const { shown, errorMessage } = root;
  const plan = `${name(shown.namespace, 80)}/${name(shown.plan, 80)}`;
  const details = [progressBar(shown.tally), sentence(errorMessage, 160)].filter((detail) => detail !== '');
  return [`${titleOf(root, view).words}: ${plan}`, ...details].join(' — ');
}

const linesOf = (
  { shown }: Root,
  plan: PlanView,
  most: number,
  budget: number,
  shownText: string,
): string[] =>
  targetLines(shown.targets, {
    ...{ most, budget, shownText, total: shown.tally.total },
    durationOf: targetDurations(shown, plan),
  });

const sourceOf = ({ shown }: Root, plan: PlanView): Source => ({
  event: shown,
  plan,
  sinkName: '',
  sinkType: 'teamchat',
});
