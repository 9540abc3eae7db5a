import * as z from 'zod';
import { Secret } from '../../redaction/secret.ts';
import { BOARD_CONFIG, type BoardSettings, boardSettings, idleBoardFields } from '../board/config.ts';
import {
  choice,
  coalesceProgress,
  type ConfigReading,
  must,
  rateLimit,
  type RateLimit,
  trimmed,
  unknownFields,
} from '../config.ts';
import { valueWrapping } from '../wrapping.ts';
import { chatIdProblem, type ChatId, readChat, readTopic, topicProblem } from './chat-id.ts';
import { PARSE_MODES, type ParseMode } from './markup/markup.ts';

/** A botchat sink's configuration, checked. */
export interface BotchatConfig {
  readonly token: Secret;
  readonly chatId: ChatId;
  /** `message_thread_id`; undefined: the General topic, or a chat without topics. */
  readonly topic: number | undefined;
  readonly parseMode: ParseMode;
  readonly silence: Silence;
  readonly linkPreview: boolean;
  readonly rate: RateLimit;
  readonly coalesceProgress: boolean;
  /** Undefined: one message for each event. */
  readonly board: BoardSettings | undefined;
}

/** Which messages arrive without a sound: all, none, or all except those of Failure. */
export type Silence = boolean | 'non-failures';

/** The contract's. */
const RATE_LIMIT = { rate: 5, unit: 'second', burst: 10 } as const;

/** The token becomes part of a path: special characters are not allowed. */
const TOKEN = /^\d{1,20}:[\w-]{1,200}$/;
const TOKEN_FORM = '123456789:AAbb-CC_dd';
const TOKEN_REMEDY = `copy the token from @BotFather, it is of the form ${TOKEN_FORM}`;

const token = z.preprocess(
  trimmed,
  z.string({ error: must('token', 'a string', TOKEN_REMEDY) }).superRefine((text, context) => {
    const message = tokenProblem(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  }),
);

function tokenProblem(text: string): string | undefined {
  if (TOKEN.test(text)) return undefined;
  if (text === '') return `token: is empty; ${TOKEN_REMEDY}`;
  if (/^bot\d+:/i.test(text))
    return 'token: begins with "bot", which belongs to the address; leave it out and begin with the digits';
  const wrapped = valueWrapping(text, (inner) => TOKEN.test(inner));
  if (wrapped !== undefined) return `token: ${wrapped}`;
  return `token: is not of the form ${TOKEN_FORM}; copy it whole from @BotFather, without quotes, blanks or line breaks`;
}

const parseMode = z.preprocess(
  (value) => (typeof value === 'string' ? canonicalMode(value) : (value ?? undefined)),
  z
    .enum(PARSE_MODES, {
      error: ({ input }) => {
        if (typeof input !== 'string')
          return must('parse_mode', '"HTML" or "MarkdownV2"', 'write one of them or leave it out')({ input });
        return input.toLowerCase() === 'markdown'
          ? "parse_mode: Markdown is Telegram's legacy mode and is not served; write MarkdownV2, and escape values with escapeMarkdown"
          : 'parse_mode: is neither HTML nor MarkdownV2; write one of them, or leave it out for HTML';
      },
    })
    .default('HTML'),
);

/** The name in Telegram's spelling, from any case. */
function canonicalMode(text: string): string {
  const name = text.trim();
  return PARSE_MODES.find((mode) => mode.toLowerCase() === name.toLowerCase()) ?? name;
}

const chat = z.unknown().transform((value, context) => {
  const read = readChat(value);
  if (read !== undefined) return read;
  context.addIssue({ code: 'custom', message: chatIdProblem(value) });
  return z.NEVER;
});

/** Default: none. To be changed for a group with topics. */
const topic = z
  .unknown()
  .optional()
  .transform((value, context) => {
    if (value === undefined || value === null) return undefined;
    const read = readTopic(value);
    if (read !== undefined) return read;
    context.addIssue({ code: 'custom', message: topicProblem(value) });
    return z.NEVER;
  });

/** Default false: messages make a sound. To be changed for a chat that should ring for failures only, or never. */
const silence = z.preprocess(
  (value) => (typeof value === 'string' ? value.trim().toLowerCase() : (value ?? undefined)),
  z
    .union([z.boolean(), z.literal('non-failures')], {
      error: () =>
        'disable_notification: is neither true, false nor "non-failures"; write one of them, true and false without quotes',
    })
    .default(false),
);

/** Default false: links show no preview. */
const linkPreview = z.preprocess(
  (value) => value ?? undefined,
  z
    .boolean({ error: must('link_preview', 'true or false', 'write it without quotes or leave it out') })
    .default(false),
);

export const BOTCHAT_CONFIG = z.object({
  token,
  chat_id: chat,
  message_thread_id: topic,
  parse_mode: parseMode,
  disable_notification: silence,
  link_preview: linkPreview,
  delivery_mode: choice('delivery_mode', ['message', 'board'], 'message'),
  ...BOARD_CONFIG,
  rate_limit: rateLimit(RATE_LIMIT),
  coalesce_progress: coalesceProgress,
});

/** The General topic. Telegram takes messages for it only without the number (github.com/tdlib/telegram-bot-api/issues/798). */
const GENERAL = 1;

/** Fields as other programs, or older versions of the Bot API, name them. */
const OTHER_NAMES = {
  topic: 'use message_thread_id',
  thread_id: 'use message_thread_id',
  silent: 'use disable_notification',
  disable_web_page_preview: 'use link_preview, its opposite',
};

/**
 * Reads the parsed JSON of a botchat sink's secret. Reports all problems at once. Unknown fields are accepted and named in the notes.
 */
export function readBotchatConfig(json: unknown): ConfigReading<BotchatConfig> {
  const parsed = BOTCHAT_CONFIG.safeParse(json);
  const unknown = unknownFields(json, BOTCHAT_CONFIG.shape, OTHER_NAMES);
  if (!parsed.success)
    return { ok: false, problems: [...parsed.error.issues.map(({ message }) => message), ...unknown] };
  const { data } = parsed;
  const { id, topic: inChat } = data.chat_id;
  const thread = data.message_thread_id ?? inChat;
  if (inChat !== undefined && thread !== inChat)
    return {
      ok: false,
      problems: ['message_thread_id: is not the topic in chat_id; leave one of them out', ...unknown],
    };
  const config: BotchatConfig = {
    token: new Secret(data.token),
    chatId: id,
    topic: thread === GENERAL ? undefined : thread,
    parseMode: data.parse_mode,
    silence: data.disable_notification,
    linkPreview: data.link_preview,
    rate: data.rate_limit,
    coalesceProgress: data.coalesce_progress,
    board: data.delivery_mode === 'board' ? boardSettings(data) : undefined,
  };
  return { ok: true, config, notes: [...unknown, ...(config.board ? [] : idleBoardFields(json))] };
}
