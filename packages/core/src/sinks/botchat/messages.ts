import { chatMessage } from '../chat-message.ts';
import type { Fitted } from '../../render/cut.ts';
import type { EventKind } from '../../resources/kinds.ts';
import type { SinkSettings } from '../deps.ts';
import { CONTINUE_ANEW, FALLBACK_LEVELS, type Protocol } from '../send.ts';
import type { BotApi } from './bot-api.ts';
import type { BotchatConfig, Silence } from './config.ts';
import type { SentText } from './fit.ts';
import type { ParseMode } from './markup/markup.ts';
import { formsOf } from './message.ts';
import { outcomeOfAnswer } from './outcomes.ts';
import type { Address, Target } from './target.ts';

/** The parameters of a text. https://core.telegram.org/bots/api#sendmessage */
export interface TextParameters {
  readonly text: Fitted;
  readonly parse_mode: ParseMode | undefined;
  readonly link_preview_options: { readonly is_disabled: boolean };
}

/** The message that another one answers. Without it the other one is sent all the same. */
export interface ReplyParameters {
  readonly message_id: number;
  readonly allow_sending_without_reply: true;
}

interface SendMessage extends TextParameters, Address {
  readonly disable_notification: true | undefined;
  readonly reply_parameters: ReplyParameters | undefined;
}

export const textParameters = (
  { text, mode }: SentText,
  { linkPreview }: Pick<BotchatConfig, 'linkPreview'>,
): TextParameters => ({
  ...{ text, parse_mode: mode },
  link_preview_options: { is_disabled: !linkPreview },
});

export const replyTo = (ts: string): ReplyParameters => ({
  message_id: Number(ts),
  allow_sending_without_reply: true,
});

/** Whether a message of this kind arrives without a sound. */
export const isSilent = (silence: Silence, kind: EventKind): boolean =>
  silence === 'non-failures' ? kind !== 'Failure' : silence;

/** One message for each event. `answers`: the message that they all answer. */
export function messageProtocol(
  config: BotchatConfig,
  { clock, templates }: SinkSettings,
  { urlOf, credentials, headers }: BotApi,
  target: Target,
  answers?: ReplyParameters,
): Protocol<SendMessage> {
  const forms = formsOf(config.parseMode);
  return {
    url: urlOf('sendMessage'),
    credentials,
    headers: () => headers,
    async makeMessage(delivery, level, signal) {
      const made = await chatMessage(forms, { sinkType: 'botchat', templates }, delivery, level, signal);
      return {
        ...made,
        content: {
          ...{ ...target.address, ...textParameters(made.content, config) },
          disable_notification: isSilent(config.silence, delivery.event.kind) || undefined,
          reply_parameters: answers,
        },
      };
    },
    outcomeOf(answer, { content, level }) {
      const templated = level === FALLBACK_LEVELS.custom;
      const outcome = outcomeOfAnswer(answer, credentials, clock.now(), templated);
      return target.moves(content, answer, outcome) ? CONTINUE_ANEW : outcome;
    },
    degradationOf: (_, { content }) => target.degradationOf(content),
  };
}
