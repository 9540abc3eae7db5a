import * as z from 'zod';
import { Secret } from '../../transport/secret.ts';
import {
  coalesceProgress,
  type ConfigReading,
  kindOf,
  must,
  rateLimit,
  type RateLimit,
  unknownFields,
} from '../config.ts';
import { valueWrapping } from '../wrapping.ts';
import { chatIdProblem, type ChatId, readChatId } from './chat-id.ts';
import { PARSE_MODES, type ParseMode } from './markup/markup.ts';

/** A botchat sink's configuration, checked. */
export interface BotchatConfig {
  readonly token: Secret;
  readonly chatId: ChatId;
  readonly parseMode: ParseMode;
  readonly rate: RateLimit;
  readonly coalesceProgress: boolean;
}

/** The contract's. */
const RATE_LIMIT = { rate: 5, unit: 'second', burst: 10 } as const;

/** The token becomes part of a path: special characters are not allowed. */
const TOKEN = /^\d{1,20}:[\w-]{1,200}$/;
const TOKEN_FORM = '123456789:AAbb-CC_dd';
const TOKEN_REMEDY = `copy the token from @BotFather, it is of the form ${TOKEN_FORM}`;

const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);

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

const chatId = z.unknown().transform((value, context) => {
  const id = readChatId(value);
  if (id !== undefined) return id;
  context.addIssue({ code: 'custom', message: chatIdProblem(value) });
  return z.NEVER;
});

export const BOTCHAT_CONFIG = z.object(
  {
    token,
    chat_id: chatId,
    parse_mode: parseMode,
    rate_limit: rateLimit(RATE_LIMIT),
    coalesce_progress: coalesceProgress,
  },
  { error: ({ input }) => `the configuration must be a JSON object, found ${kindOf(input)}` },
);

/**
 * Reads the parsed JSON of a botchat sink's secret. Reports all problems at once. Unknown fields are accepted and named in the notes.
 */
export function readBotchatConfig(json: unknown): ConfigReading<BotchatConfig> {
  const parsed = BOTCHAT_CONFIG.safeParse(json);
  const unknown = unknownFields(json, BOTCHAT_CONFIG.shape);
  if (!parsed.success)
    return { ok: false, problems: [...parsed.error.issues.map(({ message }) => message), ...unknown] };
  const { token: text, chat_id: id, parse_mode: mode, rate_limit: rate, coalesce_progress } = parsed.data;
  const config: BotchatConfig = {
    token: new Secret(text),
    chatId: id,
    parseMode: mode,
    rate,
    coalesceProgress: coalesce_progress,
  };
  return { ok: true, config, notes: unknown };
}
