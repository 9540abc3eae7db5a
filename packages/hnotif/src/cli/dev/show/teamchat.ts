import type { TeamchatMessage, TeamchatRecord } from '@hnotif/receivers';
import { blockLines } from './blocks.ts';
import { gutter, lead } from './frame.ts';
import { mrkdwnLines } from './mrkdwn.ts';
import { plain, type Paint } from '../../paint.ts';
import { printableLine } from '../../printable.ts';

/** The used fields of a request. */
export type ShownRecord = Pick<TeamchatRecord, 'call' | 'error' | 'errors' | 'message' | 'arrivedAt'>;

/**
 * What a request changed in the channel, as readers see it. A message in the channel is shown in full; a reply and an updated root have
 * one line each. A request without a visible change makes no line; a refused one says why.
 */
export function teamchatLines(record: ShownRecord, channel: string, paint: Paint): string[] {
  const { call, error, errors, message, arrivedAt } = record;
  if (error !== undefined)
    return [paint('red', printableLine(`refused: teamchat ${call} ${[error, ...errors].join('; ')}`))];
  if (message === undefined) return [];
  const place = paint('magenta', `#${printableLine(channel)}`);
  const begin = lead(arrivedAt, undefined, paint);
  if (call === 'chat.update') {
    const before = message.edits.at(-1);
    const now = summaryOf(message, plain);
    if (before !== undefined && summaryOf(before, plain) === now) return [];
    return [`${begin}${place} ${paint(isFailure(now) ? ['bold', 'red'] : 'bold', `✎ ${now}`)}`];
  }
  if (message.threadTs !== undefined) {
    const summary = summaryOf(message, plain);
    return [`${begin}${place}   ↳ ${isFailure(summary) ? paint('red', summary) : summaryOf(message, paint)}`];
  }
  return [`${begin}${paint('gray', 'teamchat')} ${place}`, ...gutter(contentLines(message, paint), paint)];
}

/** hnotif's own messages about failures begin with these signs. */
const isFailure = (summary: string): boolean => /^(❌|🚨)/u.test(summary);

type Content = Pick<TeamchatMessage, 'text' | 'blocks' | 'attachments' | 'mrkdwn'>;

/** A whole message, as readers see it. */
export function contentLines({ text, blocks, attachments, mrkdwn }: Content, paint: Paint): string[] {
  const below = blockLines(attachments, paint);
  if (blocks.length > 0) return [...blockLines(blocks, paint), ...below];
  return [...(text === '' ? [] : mrkdwnLines(text, paint, { emphasis: mrkdwn })), ...below];
}

/** The number of lines that summarize a message without blocks. */
const TELLING = 3;

/**
 * A message on one line: with blocks its notification text, after the first emoji of the blocks; without blocks its first lines.
 */
function summaryOf(content: Content, paint: Paint): string {
  if (content.blocks.length === 0 || content.text === '')
    return contentLines(content, paint).slice(0, TELLING).join(' · ');
  const [first = ''] = blockLines(content.blocks, plain);
  const [emoji = ''] = /^\p{Extended_Pictographic}\ufe0f?/u.exec(first) ?? [];
  const text = mrkdwnLines(content.text, paint, { emphasis: content.mrkdwn }).join(' ');
  return emoji === '' ? text : `${emoji} ${text}`;
}
