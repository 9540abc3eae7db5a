import { kindOf } from '../config.ts';

/**
 * A chat of the Bot API: digits, with or without a minus, or `@name`. A text, because JSON numbers are too short for 64 bits. https://core.telegram.org/bots/api#sendmessage
 */
export type ChatId = string;

/** A chat and, in a group with topics, one of them. */
export interface Chat {
  readonly id: ChatId;
  /** `message_thread_id`; undefined: the General topic, or no topics. */
  readonly topic: number | undefined;
}

const NAME = /^@\w{5,32}$/;
const NUMBER = /^[+-]?\d{1,20}$/;
const LARGEST = 2n ** 63n;

/** A number, also as text, or a channel's name. Undefined: `chatIdProblem` says why. */
export function readChatId(value: unknown): ChatId | undefined {
  if (typeof value === 'number')
    return Number.isSafeInteger(value) && value !== 0 ? String(value) : undefined;
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (NAME.test(text)) return text;
  if (!NUMBER.test(text)) return undefined;
  const id = BigInt(text.replace('+', ''));
  return id !== 0n && id < LARGEST && id >= -LARGEST ? String(id) : undefined;
}

const WITH_TOPIC = /^([^:]*):\s*(\d+)\s*$/;

/** A chat's id, or the short form `-1001234567890:42` with a topic. Undefined: `chatIdProblem` says why. */
export function readChat(value: unknown): Chat | undefined {
  const [, before, number] = WITH_TOPIC.exec(typeof value === 'string' ? value : '') ?? [];
  const id = readChatId(before ?? value);
  const topic = readTopic(number);
  return id === undefined || (number !== undefined && topic === undefined) ? undefined : { id, topic };
}

/** A topic's number, also as text: the id of the message that created it. Undefined: it is none. */
export function readTopic(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^\d{1,10}$/.test(text.trim())) return undefined;
  const topic = Number(text);
  return topic >= 1 && topic < 2 ** 31 ? topic : undefined;
}

/** Why a value is not a topic's number, and what to do. */
export function topicProblem(value: unknown): string {
  const found =
    typeof value === 'number'
      ? 'a number that is negative, 0, not whole or too large'
      : typeof value === 'string' && value.trim() === ''
        ? 'an empty text'
        : typeof value === 'string'
          ? 'a text that is no such number'
          : kindOf(value);
  return `message_thread_id: must be the number of a topic, from 1 to 2147483647, found ${found}; copy the last number of the link to the topic, t.me/c/…/42, or leave it out for the general topic`;
}

const FORMS = 'a number such as -1001234567890, or @name of a public channel or group';

/** Why a value is not a chat's id, and what to do. */
export function chatIdProblem(value: unknown): string {
  if (value === undefined) return `chat_id: is missing; give ${FORMS}`;
  if (typeof value === 'number') {
    if (!Number.isInteger(value)) return 'chat_id: is not a whole number; copy it again, in quotes';
    return value === 0
      ? `chat_id: is 0, which is not a chat; give ${FORMS}`
      : 'chat_id: is too large for a number in JSON, which lost its last digits; write it in quotes';
  }
  if (typeof value !== 'string')
    return `chat_id: must be a number or a string, found ${kindOf(value)}; give ${FORMS}`;
  const text = value.trim();
  if (text === '') return `chat_id: is empty; give ${FORMS}`;
  if (NUMBER.test(text)) return `chat_id: is 0 or larger than any chat's id; give ${FORMS}`;
  const [, inLink] = /^(?:https?:\/\/)?t\.me\/c\/(\d+)/i.exec(text) ?? [];
  if (inLink !== undefined)
    return `chat_id: is a link; write -100${inLink}, and the number of the topic, if the group has topics, into message_thread_id`;
  if (/^(https?:\/\/)?((t|telegram)\.me|web\.telegram\.org)\//i.test(text))
    return 'chat_id: is a link; of a public chat give @ and what follows t.me/, else its number';
  if (text.includes(':'))
    return 'chat_id: is not a chat and a topic; write both numbers, such as -1001234567890:42, or the topic into message_thread_id';
  if (text.startsWith('@'))
    return 'chat_id: is not a valid name (@ and 5 to 32 letters, digits and underscores); correct it, or give the number';
  return /^[A-Za-z]\w{4,31}$/.test(text)
    ? 'chat_id: is a name without @; write the @ before it'
    : `chat_id: is neither a number nor a name; give ${FORMS}`;
}
