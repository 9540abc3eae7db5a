import type { Source } from '../../render/context.ts';
import { sinkKey } from '../../resources/sink-address.ts';
import type { SinkSettings } from '../deps.ts';
import { outcomeOfFailure } from '../outcome-table.ts';
import { sharedKey, type Rate } from '../rate.ts';
import { refused, refusedInAllForms, tellRefusals } from '../refusals.ts';
import { CALLED_OFF, type Attempt, type Delivery, type ReadySink } from '../sink.ts';
import type { ChatId } from './chat-id.ts';
import type { BotchatConfig } from './config.ts';
import { builtinMessage, customMessage, plainMessage, type CustomMessage } from './message.ts';
import { migratedTo, outcomeOfAnswer } from './outcomes.ts';

/** A group becomes a supergroup once; more moves than this are no Telegram's. */
const MOST_MOVES = 3;

/**
 * A Telegram chat that is ready to take messages. The ladder: the custom template's message, the built-in one, plain
 * text; each step is taken when Telegram refuses the message as such. A group that has become a supergroup is followed, for
 * as long as the sink lives.
 * https://core.telegram.org/bots/api#sendmessage
 */
export function botchatSink(config: BotchatConfig, settings: SinkSettings): ReadySink {
  const { transport, clock, version, templates, botApiUrl, address } = settings;
  const token = config.token.reveal();
  const url = new URL(`${botApiUrl}/bot${token}/sendMessage`);
  const secrets = credentialsOf(token, url);
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    'user-agent': `hnotif/${version}`,
  };
  /** Where the chat has been; the last one is where it is. */
  const chats: ChatId[] = [config.chatId];
  const current = (): ChatId => chats.at(-1) ?? config.chatId;

  /** Whether there is another chat to send to than the one that was just tried. Several deliveries may learn of a move at once. */
  const follows = (tried: ChatId, moved: ChatId | undefined): boolean => {
    if (moved === undefined) return false;
    if (!chats.includes(moved) && chats.length <= MOST_MOVES) chats.push(moved);
    return tried !== current();
  };

  const messageOf = async (delivery: Delivery, { signal }: Attempt): Promise<CustomMessage> => {
    const { event, plan, sinkName, template, progress } = delivery;
    const source: Source = { event, plan, sinkName, sinkType: 'botchat' };
    // Without a custom template the ladder begins one step lower.
    const step = template === undefined ? progress.level + 1 : progress.level;
    if (template !== undefined && step === 0)
      return customMessage(template, source, config.parseMode, templates, signal);
    const message = step === 1 ? builtinMessage(source, config.parseMode) : plainMessage(source);
    return { ...message, notice: undefined };
  };

  return {
    origin: url.origin,
    rates: ratesOf(config, sinkKey(address)),
    ignoresTemplate: undefined,
    suppresses: () => false,
    coalescesProgress: config.coalesceProgress,
    async deliver(delivery, attempt) {
      const { text, mode, notice } = await messageOf(delivery, attempt);
      const chat = current();
      const body = JSON.stringify({
        chat_id: chat,
        text,
        parse_mode: mode,
        link_preview_options: { is_disabled: true },
      });
      if (!(await attempt.slot())) return CALLED_OFF;
      const { signal } = attempt;
      const reply = await transport.post({ url, owner: address.namespace, headers, body, signal });
      if (reply.kind === 'failed') return outcomeOfFailure(reply, secrets);
      if (follows(chat, migratedTo(reply))) return { kind: 'continue', anew: true };
      const { progress } = delivery;
      const templated = delivery.template !== undefined && progress.level === 0;
      const outcome = outcomeOfAnswer(reply, secrets, clock.now(), templated);
      if (outcome.kind === 'delivered') {
        tellRefusals(progress, attempt);
        if (notice !== undefined) attempt.degraded(notice);
        if (chat !== config.chatId) attempt.degraded(movedNotice(chat));
      }
      // Plain text is the last step.
      if (outcome.kind !== 'rejected-payload') return outcome;
      if (mode === undefined) return refusedInAllForms(outcome, progress);
      progress.level++;
      refused(progress, outcome.message);
      return { kind: 'continue', anew: true };
    },
  };
}

const movedNotice = (chat: ChatId) => ({
  reason: 'ChatMigrated' as const,
  message: `the group of chat_id has become a supergroup and messages go there; put ${chat} into chat_id in the secret`,
});

/** The sink's own bucket, and the one that all sinks of the bot and chat share. */
function ratesOf({ token, chatId, rate }: BotchatConfig, own: string): Rate[] {
  return [
    { key: own, ...rate },
    { key: sharedKey('botchat', token.reveal(), chatId.toLowerCase()), ...rate },
  ];
}

/** The token stands in the address: all in which a receiver or a proxy may show it. */
function credentialsOf(token: string, url: URL): string[] {
  const secret = token.slice(token.indexOf(':') + 1);
  return [url.href, url.pathname, `bot${token}`, token, secret];
}
