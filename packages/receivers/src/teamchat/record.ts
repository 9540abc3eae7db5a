import { describeRequest, type RequestRecord } from '../record.ts';
import type { Entity } from './entities.ts';
import type { TeamchatMessage } from './message.ts';
import type { Fields } from './shape.ts';

/** What the chat finds out about a request. */
export interface TeamchatFindings {
  /** `webhook`, the Web API's method such as `chat.postMessage`, or `''` for any other path. */
  readonly call: string;
  /** The payload or the arguments, without the token; empty where they could not be read. */
  readonly params: Fields;
  /** Slack's word for what is wrong with the request; undefined when it is in order. A fault does not change it. */
  readonly error: string | undefined;
  /** The details of it: `must be less than 151 characters [json-pointer:/blocks/0/text/text]`. */
  readonly errors: readonly string[];
  /** What the message's texts make of themselves, whether it is in order or not. */
  readonly entities: readonly Entity[];
  /** The message as the request left it in the channel; undefined where it changed nothing. */
  readonly message: TeamchatMessage | undefined;
}

/** One request at the chat. */
export interface TeamchatRecord extends RequestRecord, TeamchatFindings {}

/** One line about a record, for a human who looks for what went wrong. */
export function describeTeamchatRecord(record: TeamchatRecord): string {
  const { error, errors, message } = record;
  const parts = [describeRequest(record)];
  if (error !== undefined) parts.push([error, ...errors].join('; '));
  if (message !== undefined) parts.push(`message ${message.ts} ${JSON.stringify(message.text.slice(0, 60))}`);
  return parts.join(', ');
}
