import { Receiver, type ReceiverOptions } from '../receiver.ts';
import type { ChatSettings } from './chat.ts';
import { Chats } from './chats.ts';
import { Flood, type BotchatRates } from './flood.ts';
import { makeBotchatHandler } from './handler.ts';
import type { BotchatMessage } from './message.ts';
import { describeBotchatRecord, type BotchatFindings } from './record.ts';

export interface BotchatOptions extends ReceiverOptions {
  /** The existing chats; others are not found. Default: every requested one. */
  readonly chats?: readonly ChatSettings[];
  /** The valid tokens, `<bot's number>:<letters>`; others are answered 401. Default: all of that form. */
  readonly tokens?: readonly string[];
  /** Default: no limits. */
  readonly rates?: BotchatRates;
}

/** Starts a chat; resolves when it listens. */
export async function startBotchatReceiver(options: BotchatOptions = {}): Promise<BotchatReceiver> {
  const receiver = new BotchatReceiver(options);
  await receiver.listen();
  return receiver;
}

/** The part of Telegram's Bot API that sending messages needs. Its `url` is the API's base, like `https://api.telegram.org`. */
export class BotchatReceiver extends Receiver<BotchatFindings> {
  readonly #chats: Chats;

  constructor(options: BotchatOptions) {
    const chats = new Chats(options.chats, options.keepMessages);
    const tokens = options.tokens && new Set(options.tokens);
    const flood = new Flood(options.rates ?? {});
    super(options, {
      path: '',
      handle: makeBotchatHandler({ chats, flood, tokens }),
      describe: describeBotchatRecord,
    });
    this.#chats = chats;
  }

  /** A chat as its readers see it: its messages, oldest first. */
  chat(id: number): { readonly messages: readonly BotchatMessage[] } {
    return { messages: this.#chats.messages(id) };
  }

  /** A user deletes a message. */
  deleteMessage(chat: number, message: number): void {
    if (!this.#chats.remove(chat, message)) throw new Error(`there is no message ${message} in chat ${chat}`);
  }

  /** Creates a chat, or replaces its settings: blocks the bot, migrates the group. */
  setChat(settings: ChatSettings): void {
    this.#chats.set(settings);
  }
}
