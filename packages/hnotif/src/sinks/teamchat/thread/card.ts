import type { PlanView } from '../../../resources/plan-view.ts';
import type { Source } from '../../../render/context.ts';
import { codeBlock, context, fields, header, name, section, sentence } from '../mrkdwn.ts';
import { scopesOf } from '../presets/scope.ts';
import { packed, targetLines } from '../presets/targets.ts';
import { shownTime } from '../presets/time.ts';
import { operationOf } from '../presets/words.ts';
import type { ChatMessage, PresetOptions } from '../types.ts';
import { progressBar, type Root, type RootStatus, type ShownEvent } from './root.ts';

/** A screen of a phone. */
const LONGEST_ERROR = 1_200;
/** Of all target lines: with everything else it keeps a message below 12,000 characters, which Slack takes. */
const TARGETS_BUDGET = 8_000;
/** https://docs.slack.dev/reference/block-kit/blocks/section-block */
const LONGEST_SECTION = 3_000;
const TEXT_TARGETS_BUDGET = 2_000;

/** Bytes of `text`, above which chat.update answers `msg_too_long` where chat.postMessage cuts. */
const LONGEST_TEXT = 4_000;
const fits = (text: string): boolean => Buffer.byteLength(text) <= LONGEST_TEXT;
/** Error and targets have this part of their room: letters of many languages take three bytes. */
const SHARES = [1, 2, 4, 8];

/** The card as blocks. Every value is escaped; whatever the plan, it is within the limits of the chat. */
export function blocksCard(root: Root, plan: PlanView, options: PresetOptions): ChatMessage {
  const { shown } = root;
  const bar = barOf(root);
  const error = codeBlock(root.errorMessage, LONGEST_ERROR);
  const lines = linesOf(shown, options.maxTargets, TARGETS_BUDGET);
  const { emoji, words } = titleOf(root);
  const time = `Updated ${shownTime(shown.timestamp, options)}`;
  const blocks = [
    header(`${emoji} ${words}`),
    fields(rowsOf(root)),
    ...(bar === '' ? [] : [section(`\`${bar}\``)]),
    ...(error === '' ? [] : [section(`*Error*\n${error}`)]),
    ...(lines.length === 0 ? [] : packed(['*Targets*', ...lines], LONGEST_SECTION).map(section)),
    context([...scopesOf(sourceOf(root, plan), options.scopes), time].join('  ·  ')),
  ];
  return { text: noticeText(root), blocks };
}

/** The card as text in mrkdwn, with the same content. */
export function textCard(root: Root, plan: PlanView, options: PresetOptions): ChatMessage {
  const { emoji, words } = titleOf(root);
  const bar = barOf(root);
  const scopes = scopesOf(sourceOf(root, plan), options.scopes).join(' | ');
  const text = (share: number): string => {
    const error = sentence(root.errorMessage, LONGEST_ERROR / share);
    const targets = linesOf(root.shown, options.maxTargets, TEXT_TARGETS_BUDGET / share);
    return [
      `${emoji} *${words}*`,
      bar,
      ...rowsOf(root),
      ...(error === '' ? [] : [`*Error:* ${error}`]),
      ...(targets.length === 0 ? [] : ['*Targets:*', ...targets]),
      ...(scopes === '' ? [] : [scopes]),
      `*Updated:* ${shownTime(root.shown.timestamp, options)}`,
    ]
      .filter((line) => line !== '')
      .join('\n');
  };
  return { text: SHARES.map(text).find(fits) ?? plainCard(root).text };
}

/** The least that tells how it stands, without markup. */
export const plainCard = (root: Root): ChatMessage => ({ text: noticeText(root) });

const EMOJI: Readonly<Record<Exclude<RootStatus, 'Starting'>, string>> = {
  'In Progress': ':hourglass_flowing_sand:',
  Completed: ':white_check_mark:',
  Failed: ':x:',
};

/** The headings of the events, without any text of the plan. */
function titleOf({ status, shown }: Root): { readonly emoji: string; readonly words: string } {
  const isShutdown = shown.operation === 'shutdown';
  const begins = isShutdown ? ':crescent_moon:' : ':sunny:';
  return {
    emoji: status === 'Starting' ? begins : EMOJI[status],
    words: `${isShutdown ? 'Hibernation' : 'Wake-Up'} ${status}`,
  };
}

function rowsOf({ shown, retryCount }: Root): string[] {
  const rows: readonly (readonly [label: string, value: string])[] = [
    ['Plan', name(shown.plan, 80)],
    ['Namespace', name(shown.namespace, 80)],
    ['Cycle', name(shown.cycle, 80)],
    ['Phase', name(shown.phase, 60)],
    ['Operation', operationOf(shown)],
    ['Retries', retryCount > 0 ? String(retryCount) : ''],
  ];
  return rows.filter(([, value]) => value !== '').map(([label, value]) => `*${label}:* ${value}`);
}

/** What lock screens and screen readers get: one line. */
function noticeText(root: Root): string {
  const { shown, errorMessage } = root;
  const plan = `${name(shown.namespace, 80)}/${name(shown.plan, 80)}`;
  const details = [barOf(root), sentence(errorMessage, 160)].filter((detail) => detail !== '');
  return [`${titleOf(root).words}: ${plan}`, ...details].join(' — ');
}

/** Those that are not kept are counted all the same: where there are such, the last line tells of more. */
function linesOf({ targets, total }: ShownEvent, most: number, budget: number): string[] {
  const lines = targetLines(targets, most, budget);
  return total === targets.length
    ? lines
    : [...lines.slice(0, -1), `… and ${total - (lines.length - 1)} more`];
}

const barOf = ({ shown }: Root): string => progressBar(shown);

const sourceOf = ({ shown }: Root, plan: PlanView): Source => ({
  event: shown,
  plan,
  sinkName: '',
  sinkType: 'teamchat',
});
