import { ACCEPTED, verdictOf, type Verdict } from '@hnotif/judges';
import { LIMITS, type TelegramText } from '@hnotif/judges/telegram';
import { isBlank } from '../chat-message.ts';
import { emptyOutput, type SinkDefinition, sinkOf } from '../definition.ts';
import type { SinkSettings } from '../deps.ts';
import { sinkRates } from '../rate.ts';
import { FALLBACK_LEVELS, sender } from '../send.ts';
import type { ReadySink } from '../sink.ts';
import type { Origin } from '../value-at.ts';
import { botchatBoard } from './board/board.ts';
import { botApi } from './bot-api.ts';
import { BOTCHAT_CONFIG, type BotchatConfig, readBotchatConfig } from './config.ts';
import { fitText } from './fit.ts';
import type { ParseMode } from './markup/markup.ts';
import { judgeFrom } from './judge-from.ts';
import { messageProtocol } from './messages.ts';
import { Target } from './target.ts';

/** A Telegram chat, by a bot's token. */
export const BOTCHAT: SinkDefinition = {
  schema: BOTCHAT_CONFIG,
  example: '{"token": "…", "chat_id": "…"}',
  receiver: 'Telegram',
  read: (json, settings) => sinkOf(readBotchatConfig(json), (config) => botchatSink(config, settings)),
  dropsRepeats: false,
  isRateLimited: true,
  showsLinks: true,
  judge: (body, origin) => judgeFrom(body as TelegramText, origin),
  knowsRules: true,
  judgeOutput: (output, { parseMode }, origin) => ({
    problem: emptyOutput(output),
    verdict: isBlank(output) ? ACCEPTED : judgeMarkup(output, parseMode, origin),
    reading: parseMode,
  }),
  longestText: LIMITS.units,
  preview: { chat: 'botchat' },
};

/** The verdict about what is sent of an output: one that is too long is cut. */
function judgeMarkup(output: string, parseMode: ParseMode, origin: Origin | undefined): Verdict {
  const { text, fault } = fitText(output.toWellFormed(), parseMode);
  return fault === undefined ? judgeFrom({ text, parse_mode: parseMode }, origin) : verdictOf([fault]);
}

/** A message for each event, or a board: `delivery_mode` says which. */
export function botchatSink(config: BotchatConfig, settings: SinkSettings): ReadySink {
  const { board, chatId, rate, token } = config;
  if (board !== undefined) return botchatBoard(config, board, settings);
  const target = new Target(config, settings.clock);
  const protocol = messageProtocol(config, settings, botApi(config, settings), target);
  return {
    origin: protocol.url.origin,
    rates: sinkRates('botchat', settings.address, rate, token.reveal(), chatId.toLowerCase()),
    ignoresTemplate: undefined,
    suppresses: () => false,
    coalescesProgress: config.coalesceProgress,
    rehearse: (delivery, signal) => protocol.makeMessage(delivery, FALLBACK_LEVELS.custom, signal),
    deliver: sender(protocol, settings),
  };
}
