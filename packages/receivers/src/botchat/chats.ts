import { chatOf, refusalOf, topicRefusal, type Chat, type ChatSettings } from './chat.ts';
import type { BotchatMessage } from './message.ts';
import { badRequest, type Refusal } from './refusal.ts';

/** The result of looking up a chat identifier. */
export type Address =
  | { readonly ok: true; readonly chat: Chat }
  | { readonly ok: false; readonly refusal: Refusal };

/** The existing chats and their messages. */
export class Chats {
  readonly #settings = new Map<number, ChatSettings>();
  readonly #messages = new Map<number, BotchatMessage[]>();
  /** Whether every requested chat exists. */
  readonly #open: boolean;
  readonly #keep: number;
  #lastMessage = 0;

  /** @param keep of messages in each chat, and of the edits of each. */
  constructor(settings: readonly ChatSettings[] | undefined, keep = Infinity) {
    this.#keep = keep;
    this.#open = settings === undefined;
    for (const each of settings ?? []) this.set(each);
  }

  /** Creates a chat, or replaces its settings. */
  set(settings: ChatSettings): void {
    this.#settings.set(settings.id, settings);
  }

  /** Finds the chat of a message by its number or `@name`, and checks whether the bot may write there, and to the topic. */
  address(chatId: string, topic: number | undefined): Address {
    const settings = this.#find(chatId);
    if (settings === undefined) return { ok: false, refusal: badRequest('chat not found') };
    const refusal = refusalOf(settings) ?? (topic === undefined ? undefined : topicRefusal(settings, topic));
    return refusal === undefined ? { ok: true, chat: chatOf(settings) } : { ok: false, refusal };
  }

  /** Empty for a chat without messages, or without existence. */
  messages(id: number): readonly BotchatMessage[] {
    return this.#messages.get(id) ?? [];
  }

  post(message: Omit<BotchatMessage, 'message_id'>): BotchatMessage {
    const posted = { message_id: ++this.#lastMessage, ...message };
    const others = this.#messages.get(message.chat.id);
    if (others === undefined) this.#messages.set(message.chat.id, [posted]);
    else {
      others.push(posted);
      if (others.length > this.#keep) others.shift();
    }
    return posted;
  }

  /** Changes a message. Fields that are not given stay. */
  edit(message: BotchatMessage, change: Partial<BotchatMessage>): BotchatMessage {
    const { text, entities, edits = [] } = message;
    return this.#replace(message, {
      ...message,
      ...change,
      edits: [...edits, { text, entities }].slice(-this.#keep),
    });
  }

  /** A user deletes a message. False: it is not there. */
  remove(chat: number, id: number): boolean {
    const message = this.messages(chat).find(({ message_id }) => message_id === id);
    if (message !== undefined) this.#replace(message, undefined);
    return message !== undefined;
  }

  #replace<M extends BotchatMessage | undefined>(
    { chat: { id }, message_id: old }: BotchatMessage,
    by: M,
  ): M {
    const others = this.messages(id).flatMap((each) => (each.message_id === old ? (by ?? []) : each));
    this.#messages.set(id, others);
    return by;
  }

  #find(chatId: string): ChatSettings | undefined {
    if (chatId.startsWith('@')) {
      const name = chatId.slice(1).toLowerCase();
      const named = [...this.#settings.values()].find(({ username }) => username?.toLowerCase() === name);
      return (
        named ?? (this.#open && /^[a-z]\w{3,31}$/.test(name) ? this.#make(this.#freeId(), name) : undefined)
      );
    }
    const id = /^-?[1-9]\d{0,15}$/.test(chatId) ? Number(chatId) : 0;
    const known = this.#settings.get(id);
    return known ?? (this.#open && id !== 0 ? this.#make(id) : undefined);
  }

  #make(id: number, username?: string): ChatSettings {
    const settings: ChatSettings = username === undefined ? { id } : { id, type: 'channel', username };
    this.set(settings);
    return settings;
  }

  #freeId(): number {
    let id = -1_001_000_000_001;
    while (this.#settings.has(id)) id--;
    return id;
  }
}
