import type { BotchatRecord, MsteamsRecord, TeamchatRecord, WebhookRecord } from '@hnotif/receivers';
import type { MessageItem } from '@hnotif/core/page';
import { printableLine } from '../printable.ts';
import { cardLines } from './show/msteams.ts';

/** What a list says about a record; undefined: it is not a message. */
export type Said = Pick<MessageItem, 'to' | 'text' | 'answer'> | undefined;

export function sayWebhook({
  answered,
  json,
  jsonError,
  schemaErrors,
  signatureReason,
}: WebhookRecord): Said {
  const { context, rendered } = (json ?? {}) as {
    readonly context?: {
      readonly event?: string;
      readonly sinkName?: string;
      readonly plan?: { readonly name?: string };
    };
    readonly rendered?: string;
  };
  const what = `${context?.event ?? ''} ${context?.plan?.name ?? ''}`.trim();
  const problem = [jsonError, signatureReason, schemaErrors[0]].find(
    (each) => each !== undefined && each !== '',
  );
  return {
    to: context?.sinkName ?? '',
    text: lineOf(rendered === undefined ? what : `${what}: ${rendered}`),
    answer: problem ?? String(answered.status ?? 'no answer'),
  };
}

/** Its calls that are messages, and what they do. The others only look something up. */
const POSTS: Readonly<Record<string, string>> = {
  webhook: 'posted',
  'chat.postMessage': 'posted',
  'chat.update': 'edited',
  sendMessage: 'posted',
  editMessageText: 'edited',
};

export function sayTeamchat(
  { call, error, message, params }: TeamchatRecord,
  nameOf: (channel: string) => string,
): Said {
  const done = POSTS[call];
  if (done === undefined) return undefined;
  const isReply = done === 'posted' && message?.threadTs !== undefined;
  return {
    to: message === undefined ? '' : `#${nameOf(message.channel)}`,
    text: lineOf(message?.text ?? params.text),
    answer: error ?? (isReply ? 'replied' : done),
  };
}

export function sayBotchat({ call, message, params, refusal }: BotchatRecord): Said {
  const done = POSTS[call];
  if (done === undefined) return undefined;
  return {
    to: message === undefined ? '' : chatName(message.chat),
    text: lineOf(message?.text ?? params.text),
    answer: refusal?.description ?? done,
  };
}

export const sayMsteams = ({ message, error, failure }: MsteamsRecord, to: string): Said => ({
  to,
  text: lineOf(message && cardLines(message)[0]),
  answer: error ?? failure ?? 'posted',
});

/** Characters of a line in the list. */
const LINE = 160;

const lineOf = (text: unknown): string =>
  typeof text === 'string' ? printableLine(text.slice(0, LINE)) : '';

const chatName = (chat: NonNullable<BotchatRecord['message']>['chat']): string =>
  'title' in chat ? String(chat.title) : String(chat.id);
