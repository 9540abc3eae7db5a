import type { Formatted, TelegramText } from '@hnotif/judges/telegram';
import type { Chat } from './chat.ts';

/** A message as its readers see it. */
export interface BotchatMessage extends Formatted {
  /** 1, 2, 3 … in all chats together. */
  readonly message_id: number;
  readonly chat: Chat;
  /** Seconds since the epoch. */
  readonly date: number;
  /** Whether the sender disabled the preview of links. */
  readonly previewDisabled: boolean;
  /** The number of its topic; absent: General, or a chat without topics. */
  readonly topic?: number;
  /** Present if it arrived without a sound. */
  readonly silent?: true;
  /** The message that it answers. */
  readonly replyTo?: BotchatMessage;
  /** When it was changed last, in seconds since the epoch; absent: never. */
  readonly editedAt?: number;
  /** What readers saw before, oldest first; absent: it was never changed. */
  readonly edits?: readonly Formatted[];
  /** The fields from the sender. */
  readonly source: TelegramText;
}

/** The bot, as the Bot API writes it (core.telegram.org/bots/api#user). */
export interface Bot {
  readonly id: number;
  readonly is_bot: true;
  readonly first_name: string;
  readonly username: string;
}

/** A message in the Bot API's form. Entities are omitted if there are none. */
export function sentMessage(message: BotchatMessage, bot: Bot): Readonly<Record<string, unknown>> {
  const { message_id, chat, date, text, entities, previewDisabled, topic, replyTo, editedAt } = message;
  const linked = entities.some(({ type }) => type === 'url' || type === 'text_link');
  return {
    message_id,
    ...(chat.type === 'channel' ? { sender_chat: chat } : { from: bot }),
    chat,
    date,
    ...(editedAt !== undefined && { edit_date: editedAt }),
    ...(topic !== undefined && { message_thread_id: topic, is_topic_message: true }),
    ...(replyTo && { reply_to_message: sentMessage(replyTo, bot) }),
    text,
    ...(entities.length > 0 && { entities }),
    ...(previewDisabled && linked && { link_preview_options: { is_disabled: true } }),
  };
}
