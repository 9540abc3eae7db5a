import * as z from 'zod';
import type { SinkSettings } from '../../deps.ts';
import { parseJson } from '../../json.ts';
import { sharedKey, sinkRates, type Rate } from '../../rate.ts';
import { type Card, type Called, type Posted, refused, type RootClient } from '../../roots/root-client.ts';
import type { BotApi } from '../bot-api.ts';
import type { BotchatConfig } from '../config.ts';
import type { SentText } from '../fit.ts';
import { replyTo, textParameters } from '../messages.ts';
import { updateRefusal } from '../outcomes.ts';
import type { Target } from '../target.ts';

/**
 * Telegram takes 20 messages a minute for a group, also with updates (https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this):
 * no minute has more.
 */
const GROUP_RATE = { perSecond: 1 / 4, burst: 5 };

const posted = z.object({ result: z.object({ message_id: z.int() }) });

/** A Telegram chat as boards use it. A bot cannot read what it sent earlier. */
export interface BoardClient extends RootClient {
  readonly cardOf: (message: SentText, isSilent: boolean) => Card;
}

export function boardClient(
  config: BotchatConfig,
  { address }: SinkSettings,
  api: BotApi,
  target: Target,
): BoardClient {
  const { chatId, topic, token } = config;
  const credential = token.reveal();
  const shared = chatId.toLowerCase();
  const rates: readonly Rate[] = [
    ...sinkRates('botchat', address, config.rate, credential, shared),
    ...(isGroup(chatId) ? [{ key: `${sharedKey('botchat', credential, shared)}:group`, ...GROUP_RATE }] : []),
  ];
  return {
    origin: api.urlOf('sendMessage').origin,
    channel: topic === undefined ? chatId : `${chatId}:${topic}`,
    chat: chatId,
    ...{ rates, updateRates: rates },
    cardOf: (message, isSilent) => ({
      async post({ thread }, _, call): Promise<Called<Posted>> {
        const to = target.address;
        const { sentAt, outcome, answer } = await api.request(
          'sendMessage',
          {
            ...{ ...to, ...textParameters(message, config) },
            disable_notification: isSilent || undefined,
            reply_parameters: thread === undefined ? undefined : replyTo(thread),
          },
          call,
        );
        if (answer !== undefined && target.moves(to, answer, outcome)) return refused(undefined, AGAIN);
        const json = parseJson(answer?.body ?? '');
        const place = json.ok && outcome.kind === 'delivered' ? posted.safeParse(json.value).data : undefined;
        if (place === undefined) return refused(sentAt, outcome);
        const { chat_id: channel } = to;
        const ts = String(place.result.message_id);
        return { ok: true, value: { channel, ts, degradation: target.degradationOf(to) } };
      },
      async update({ channel, ts }, _, call): Promise<Called<undefined>> {
        const fields = { chat_id: channel, message_id: Number(ts), ...textParameters(message, config) };
        const { sentAt, outcome, answer } = await api.request('editMessageText', fields, call);
        const refusal = updateRefusal(answer);
        if (outcome.kind === 'delivered' || refusal === 'unchanged') return { ok: true, value: undefined };
        // The message of a group does not move with it.
        const from = { chat_id: channel, message_thread_id: undefined };
        const gone = refusal === 'gone' || (answer !== undefined && target.moves(from, answer, outcome));
        return { ...refused(sentAt, outcome), gone };
      },
    }),
  };
}

/** The message goes to another address at once. */
const AGAIN = { kind: 'wait', forMs: 0 } as const;

/** Users have positive ids. */
const isGroup = (chatId: string): boolean => !/^\d/.test(chatId);
