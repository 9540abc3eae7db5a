import type { ChatMessage } from '@hnotif/receivers/view';
import type { ShownRequest } from '../rehearsal/requests.ts';

/** A request at a receiver, as a list shows it. */
export interface MessageItem {
  readonly id: string;
  readonly receiver: 'webhook' | 'teamchat' | 'botchat' | 'msteams';
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The `webhook-id`, the same for every attempt; `''`: it has none. */
  readonly eventId: string;
  /** A channel, a chat, or a sink. */
  readonly to: string;
  /** One line of it. */
  readonly text: string;
  /** What the receiver made of it: `posted`, `edited`, `200`, `channel_not_found`. */
  readonly answer: string;
  readonly accepted: boolean;
  /** The how-manyeth request with the same id. */
  readonly attempt: number;
}

/** A message with all that is known about it. */
export interface MessageDetail extends MessageItem {
  readonly request: ShownRequest;
  /** The message as its readers see it now: in Slack with its thread. Absent: a webhook, or it was refused. */
  readonly drawing?: ChatMessage;
  /** All requests with the same id, this one included. */
  readonly requests: readonly MessageItem[];
}

/** Where messages come from. */
export interface Inbox {
  /** The newest, oldest first. */
  list(): readonly MessageItem[];
  get(id: string): MessageDetail | undefined;
  /** Calls a listener with each request. Returns a function that ends this. */
  follow(listener: (item: MessageItem) => void): () => void;
}

/** The most that a page lists. */
export const MOST_MESSAGES = 500;
