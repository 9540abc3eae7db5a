import { ACCEPTED, verdictOf, type Verdict } from '@hnotif/judges';
import { LIMITS, type TelegramText } from '@hnotif/judges/telegram';
import { chatMessage, isBlank } from '../chat-message.ts';
import type { Fitted } from '../../render/cut.ts';
import type { LifecycleEvent } from '../../lifecycle/event.ts';
import { emptyOutput, type SinkDefinition, sinkOf } from '../definition.ts';
import type { SinkSettings } from '../deps.ts';
import { sinkRates } from '../rate.ts';
import { CONTINUE_ANEW, FALLBACK_LEVELS, type Protocol, send } from '../send.ts';
import type { ReadySink } from '../sink.ts';
import type { Origin } from '../value-at.ts';
import type { ChatId } from './chat-id.ts';
import { BOTCHAT_CONFIG, type BotchatConfig, readBotchatConfig } from './config.ts';
import { fitText } from './fit.ts';
import type { ParseMode } from './markup/markup.ts';
import { judgeFrom } from './judge-from.ts';
import { formsOf } from './message.ts';
import { isTopicGone, migratedTo, outcomeOfAnswer } from './outcomes.ts';

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

/** A group becomes a supergroup once. More moves than this are not Telegram's. */
const MOST_MOVES = 3;

/** The parameters of sendMessage. https://core.telegram.org/bots/api#sendmessage */
interface SendMessage {
  readonly chat_id: ChatId;
  readonly text: Fitted;
  readonly parse_mode: ParseMode | undefined;
  readonly link_preview_options: { readonly is_disabled: boolean };
  readonly message_thread_id: number | undefined;
  readonly disable_notification: true | undefined;
}

/** For so many milliseconds messages for a topic that is gone go to the General topic. Then the topic is tried again. */
const WITHOUT_TOPIC_MS = 10 * 60_000;

/** A group that has become a supergroup is followed for as long as the sink lives. */
export function botchatSink(config: BotchatConfig, settings: SinkSettings): ReadySink {
  const { clock, version, templates, botApiUrl, address } = settings;
  const token = config.token.reveal();
  const url = new URL(`${botApiUrl}/bot${token}/sendMessage`);
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    'user-agent': `hnotif/${version}`,
  };
  const forms = formsOf(config.parseMode);
  /** All ids that the chat has had. The last one is its present id. */
  const ids: ChatId[] = [config.chatId];
  const currentId = (): ChatId => ids.at(-1) ?? config.chatId;
  /** Until when the topic counts as gone: milliseconds since the epoch. */
  let goneUntil = 0;
  const isSilent = ({ kind }: LifecycleEvent): boolean =>
    config.silence === 'non-failures' ? kind !== 'Failure' : config.silence;

  /** Whether the message can go to another id than `tried`. Several deliveries may learn of a move at once. */
  const follows = (tried: ChatId, moved: ChatId | undefined): boolean => {
    if (moved === undefined) return false;
    if (!ids.includes(moved) && ids.length <= MOST_MOVES) ids.push(moved);
    return tried !== currentId();
  };

  const protocol: Protocol<SendMessage> = {
    url,
    credentials: credentialsOf(token, url),
    headers: () => headers,
    async makeMessage(delivery, level, signal) {
      const made = await chatMessage(forms, { sinkType: 'botchat', templates }, delivery, level, signal);
      const { text, mode } = made.content;
      return {
        ...made,
        content: {
          chat_id: currentId(),
          text,
          parse_mode: mode,
          link_preview_options: { is_disabled: !config.linkPreview },
          message_thread_id: clock.now() < goneUntil ? undefined : config.topic,
          disable_notification: isSilent(delivery.event) || undefined,
        },
      };
    },
    outcomeOf(answer, { content, level }) {
      if (follows(content.chat_id, migratedTo(answer))) return CONTINUE_ANEW;
      const now = clock.now();
      const outcome = outcomeOfAnswer(answer, protocol.credentials, now, level === FALLBACK_LEVELS.custom);
      if (content.message_thread_id === undefined || !isTopicGone(outcome)) return outcome;
      goneUntil = now + WITHOUT_TOPIC_MS;
      return CONTINUE_ANEW;
    },
    degradationOf: (_, { content }) => {
      if (content.chat_id !== config.chatId) return movedNotice(content.chat_id);
      return content.message_thread_id === config.topic ? undefined : TOPIC_GONE;
    },
  };

  return {
    origin: url.origin,
    rates: sinkRates('botchat', address, config.rate, token, config.chatId.toLowerCase()),
    ignoresTemplate: undefined,
    suppresses: () => false,
    coalescesProgress: config.coalesceProgress,
    rehearse: (delivery, signal) => protocol.makeMessage(delivery, FALLBACK_LEVELS.custom, signal),
    deliver: (delivery, attempt) => send(protocol, settings, delivery, attempt),
  };
}

const movedNotice = (chat: ChatId) => ({
  reason: 'ChatMigrated' as const,
  message: `the group of chat_id has become a supergroup and messages go there; put ${chat} into chat_id in the secret`,
});

const TOPIC_GONE = {
  reason: 'TopicDeleted' as const,
  message:
    'the topic of message_thread_id, or after the colon of chat_id, is not there and messages go to the General topic; put the number of another topic into the secret, or leave it out',
};

/** The token is part of the address: all forms in which a receiver or a proxy may show it. */
function credentialsOf(token: string, url: URL): string[] {
  const secret = token.slice(token.indexOf(':') + 1);
  return [url.href, url.pathname, `bot${token}`, token, secret];
}
