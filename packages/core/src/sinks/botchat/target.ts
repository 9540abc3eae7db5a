import type { Clock } from '../../clock.ts';
import type { Answer } from '../../requests/reply.ts';
import type { Degradation } from '../degradation.ts';
import type { Outcome } from '../outcome.ts';
import type { ChatId } from './chat-id.ts';
import type { BotchatConfig } from './config.ts';
import { isTopicGone, migratedTo } from './outcomes.ts';

/** Where a message goes, as parameters of the Bot API. */
export interface Address {
  readonly chat_id: ChatId;
  readonly message_thread_id: number | undefined;
}

/** A group becomes a supergroup once. More moves than this are not Telegram's. */
const MOST_MOVES = 3;

/** For so many milliseconds messages for a topic that is gone go to the General topic. Then the topic is tried again. */
const WITHOUT_TOPIC_MS = 10 * 60_000;

/** The chat of a sink. A group that has become a supergroup is followed for as long as the sink lives. */
export class Target {
  readonly #config: BotchatConfig;
  readonly #clock: Clock;
  /** All ids that the chat has had. The last one is its present id. */
  readonly #ids: ChatId[];
  /** Until when the topic counts as gone: milliseconds since the epoch. */
  #goneUntil = 0;

  constructor(config: BotchatConfig, clock: Clock) {
    this.#config = config;
    this.#clock = clock;
    this.#ids = [config.chatId];
  }

  get address(): Address {
    const { chatId, topic } = this.#config;
    return {
      chat_id: this.#ids.at(-1) ?? chatId,
      message_thread_id: this.#clock.now() < this.#goneUntil ? undefined : topic,
    };
  }

  /** Whether a refused message can go to another address at once. Several messages may learn of a move at the same time. */
  moves({ chat_id: tried, message_thread_id: topic }: Address, answer: Answer, outcome: Outcome): boolean {
    const moved = migratedTo(answer);
    if (moved !== undefined) {
      if (!this.#ids.includes(moved) && this.#ids.length <= MOST_MOVES) this.#ids.push(moved);
      if (tried !== this.address.chat_id) return true;
    }
    if (topic === undefined || !isTopicGone(outcome)) return false;
    this.#goneUntil = this.#clock.now() + WITHOUT_TOPIC_MS;
    return true;
  }

  /** What the user should know of a message that arrived at this address. */
  degradationOf({ chat_id: chat, message_thread_id: topic }: Address): Degradation | undefined {
    if (chat !== this.#config.chatId) return movedNotice(chat);
    return topic === this.#config.topic ? undefined : TOPIC_GONE;
  }
}

const movedNotice = (chat: ChatId): Degradation => ({
  reason: 'ChatMigrated',
  message: `the group of chat_id has become a supergroup and messages go there; put ${chat} into chat_id in the secret`,
});

const TOPIC_GONE: Degradation = {
  reason: 'TopicDeleted',
  message:
    'the topic of message_thread_id, or after the colon of chat_id, is not there and messages go to the General topic; put the number of another topic into the secret, or leave it out',
};
