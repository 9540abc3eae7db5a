import { isDeepStrictEqual } from 'node:util';
import { descriptionOf, finishText, LEGACY, parseText, type Formatted } from '@hnotif/judges/telegram';
import type { Handler, Request, Decision } from '../decision.ts';
import type { Chats } from './chats.ts';
import type { Flood } from './flood.ts';
import { sentMessage, type Bot } from './message.ts';
import { readParams, type Params } from './params.ts';
import { isTrue, readPreview } from './preview.ts';
import type { BotchatFindings } from './record.ts';
import { readReply } from './reply.ts';
import { answering, badRequest, NOT_FOUND, refusing, tooMany, type Refusal } from './refusal.ts';

export interface Context {
  readonly chats: Chats;
  readonly flood: Flood;
  /** The valid tokens; undefined: all well-formed ones. */
  readonly tokens: ReadonlySet<string> | undefined;
}

/** The Bot API's decision about requests, as far as sending messages needs it. */
export function makeBotchatHandler(context: Context): Handler<BotchatFindings> {
  return (request) => {
    const { token, call } = route(request.path);
    const known = CALLS.find((name) => name.toLowerCase() === call.toLowerCase());
    if (token === undefined || known === undefined) return refuse('', {}, NOT_FOUND);
    // A malformed token does not match the path.
    if (!/^\d+:[\w-]+$/.test(token)) return refuse(known, {}, NOT_FOUND);
    if (context.tokens?.has(token) === false) {
      return refuse(known, {}, { code: 401, description: 'Unauthorized' });
    }
    if (request.method !== 'POST' && request.method !== 'GET') {
      return refuse(known, {}, { code: 405, description: 'Method Not Allowed' });
    }
    const reading = readParams(request);
    if (!reading.ok) return refuse(known, {}, reading.refusal);
    const { params } = reading;
    const bot = botOf(token);
    if (known === 'getMe') {
      const answer = answering({ ...bot, can_join_groups: true, can_read_all_group_messages: false });
      return { findings: findings(known, params), takes: false, settle: () => ({ answer }) };
    }
    return known === 'sendMessage'
      ? sendMessage(request, params, bot, context)
      : editMessageText(request, params, bot, context);
  };
}

const CALLS = ['sendMessage', 'editMessageText', 'getMe'] as const;

/** Checks in the order of the Bot API: markup, chat, length of the message, rate limit. */
function sendMessage(
  { arrivedAt }: Request,
  params: Params,
  bot: Bot,
  { chats, flood }: Context,
): Decision<BotchatFindings> {
  const no = (refusal: Refusal): Decision<BotchatFindings> => refuse('sendMessage', params, refusal);
  const { chat_id: chatId = '', text = '', parse_mode } = params;
  const content = readContent(params);
  if (!content.ok) return no(content.refusal);
  const { parsed, previewDisabled } = content;
  if (chatId === '') return no(badRequest('chat_id is empty'));
  const topic = Number(params.message_thread_id ?? 0) || undefined;
  const address = chats.address(chatId.trim(), topic);
  if (!address.ok) return no(address.refusal);
  const finished = finishText(parsed);
  if (!finished.ok) return no(badRequest(descriptionOf(finished.fault)));
  const { chat } = address;
  const reply = readReply(params, chats.messages(chat.id));
  if (!reply.ok) return no(badRequest(reply.description));
  const wait = flood.take(chat.id, chat.type !== 'private', arrivedAt);
  if (wait > 0) return no(tooMany(wait));
  return {
    findings: findings('sendMessage', params),
    takes: true,
    settle: () => {
      const message = chats.post({
        chat,
        date: Math.floor(arrivedAt / 1000),
        text: finished.text,
        entities: finished.entities,
        previewDisabled,
        source: { text, parse_mode },
        ...(topic !== undefined && { topic }),
        ...(isTrue(params.disable_notification) && { silent: true }),
        ...(reply.to && { replyTo: reply.to }),
      });
      return { answer: answering(sentMessage(message, bot)), findings: { message } };
    },
  };
}

type Content =
  | { readonly ok: true; readonly parsed: Formatted; readonly previewDisabled: boolean }
  | { readonly ok: false; readonly refusal: Refusal };

/** The text of a message, with its markup parsed, and whether links have previews. */
function readContent(params: Params): Content {
  const no = (reason: string): Content => ({ ok: false, refusal: badRequest(reason) });
  const { text = '', parse_mode, entities } = params;
  if (entities !== undefined) return no('entities are not simulated');
  const parsed = parseText({ text, parse_mode });
  if (!parsed.ok) return no(descriptionOf(parsed.fault));
  if (parse_mode?.toLowerCase() === LEGACY) return no('parse_mode Markdown is not simulated');
  const preview = readPreview(params);
  return preview.ok ? { ok: true, parsed, previewDisabled: preview.disabled } : no(preview.description);
}

/**
 * Checks in the order of the Bot API: markup, chat, message, length, change, rate limit. All messages of a chat are the bot's own.
 * https://core.telegram.org/bots/api#editmessagetext
 */
function editMessageText(
  { arrivedAt }: Request,
  params: Params,
  bot: Bot,
  { chats, flood }: Context,
): Decision<BotchatFindings> {
  const no = (refusal: Refusal): Decision<BotchatFindings> => refuse('editMessageText', params, refusal);
  const { chat_id: chatId = '', message_id: id = '', text = '', parse_mode } = params;
  const content = readContent(params);
  if (!content.ok) return no(content.refusal);
  const { parsed, previewDisabled } = content;
  if (chatId === '') return no(badRequest('chat_id is empty'));
  if (!/^[1-9]\d*$/.test(id)) return no(badRequest('message identifier is not specified'));
  const address = chats.address(chatId.trim(), undefined);
  if (!address.ok) return no(address.refusal);
  const { chat } = address;
  const find = () => chats.messages(chat.id).find(({ message_id }) => message_id === Number(id));
  const message = find();
  if (message === undefined) return no(badRequest('message to edit not found'));
  const finished = finishText(parsed);
  if (!finished.ok) return no(badRequest(descriptionOf(finished.fault)));
  const { entities } = finished;
  if (finished.text === message.text && isDeepStrictEqual(entities, message.entities))
    return no(badRequest(NOT_MODIFIED));
  const wait = flood.take(chat.id, chat.type !== 'private', arrivedAt);
  if (wait > 0) return no(tooMany(wait));
  return {
    findings: findings('editMessageText', params),
    takes: true,
    settle: () => {
      const edited = chats.edit(find() ?? message, {
        ...{ text: finished.text, entities, previewDisabled, source: { text, parse_mode } },
        editedAt: Math.floor(arrivedAt / 1000),
      });
      return { answer: answering(sentMessage(edited, bot)), findings: { message: edited } };
    },
  };
}

const NOT_MODIFIED =
  'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message';

function refuse(call: string, params: Params, refusal: Refusal): Decision<BotchatFindings> {
  const answer = refusing(refusal);
  return { findings: findings(call, params, refusal), takes: false, settle: () => ({ answer }) };
}

function findings(call: string, params: Params, refusal?: Refusal): BotchatFindings {
  return { call, params, refusal, message: undefined };
}

/** The parts of a path `/bot<token>/<method>`. */
function route(path: string): { readonly token: string | undefined; readonly call: string } {
  const [, token, call = ''] = /^\/bot([^/?]+)\/([^/?]+)(?:\?|$)/.exec(path) ?? [];
  return { token: token?.replace(/%3a/gi, ':'), call };
}

function botOf(token: string): Bot {
  return { id: Number(token.split(':', 1)[0]), is_bot: true, first_name: 'hnotif', username: 'hnotif_bot' };
}
