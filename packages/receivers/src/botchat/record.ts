import { describeRequest, type RequestRecord } from '../record.ts';
import type { BotchatMessage } from './message.ts';
import type { Params } from './params.ts';
import type { Refusal } from './refusal.ts';

/** What the chat finds out about a request. */
export interface BotchatFindings {
  /** The method, `sendMessage` or `getMe`; `''` for any other path. */
  readonly call: string;
  /** Empty where they could not be read. */
  readonly params: Params;
  /** What is wrong with the request; undefined when it is in order. A fault does not change it. */
  readonly refusal: Refusal | undefined;
  /** The message as the request left it in the chat; undefined where it left none. */
  readonly message: BotchatMessage | undefined;
}

/** One request at the chat. Its path holds the token. */
export interface BotchatRecord extends RequestRecord, BotchatFindings {}

/** One line about a record, for a human who looks for what went wrong. */
export function describeBotchatRecord(record: BotchatRecord): string {
  const { refusal, message } = record;
  const parts = [describeRequest(record)];
  if (refusal !== undefined) parts.push(refusal.description);
  if (message !== undefined) {
    parts.push(`message ${message.message_id} ${JSON.stringify(message.text.slice(0, 60))}`);
  }
  return parts.join(', ');
}
