import { describeRequest, type RequestRecord } from '../record.ts';
import type { BotchatMessage } from './message.ts';
import type { Params } from './params.ts';
import type { Refusal } from './refusal.ts';

/** The chat's findings about a request. */
export interface BotchatFindings {
  /** The method, such as `sendMessage`; `''` for any other path. */
  readonly call: string;
  /** Empty if they could not be read. */
  readonly params: Params;
  /** The error in the request; undefined if it is valid. A fault does not change it. */
  readonly refusal: Refusal | undefined;
  /** The message in the chat after the request; undefined without one. */
  readonly message: BotchatMessage | undefined;
}

/** One request at the chat. Its path contains the token. */
export interface BotchatRecord extends RequestRecord, BotchatFindings {}

/** One line about a record, for people who look for an error. */
export function describeBotchatRecord(record: BotchatRecord): string {
  const { refusal, message } = record;
  const parts = [describeRequest(record)];
  if (refusal !== undefined) parts.push(refusal.description);
  if (message !== undefined) {
    parts.push(`message ${message.message_id} ${JSON.stringify(message.text.slice(0, 60))}`);
  }
  return parts.join(', ');
}
