import { describeRequest, type RequestRecord } from '../record.ts';
import type { Entity } from '@hnotif/judges/slack';
import type { TeamchatMessage } from './message.ts';
import type { Fields } from '@hnotif/judges/slack';

/** What the chat finds out about a request. */
export interface TeamchatFindings {
  /** `webhook`, the Web API's method such as `chat.postMessage`, or `''` for any other path. */
  readonly call: string;
  /** The payload or the arguments, without the token; empty if they could not be read. */
  readonly params: Fields;
  /** Slack's error code for the request; undefined if the request is valid. A fault does not change it. */
  readonly error: string | undefined;
  /** Details of the error: `must be less than 151 characters [json-pointer:/blocks/0/text/text]`. */
  readonly errors: readonly string[];
  /** The entities in the texts of the message, also of an invalid one. */
  readonly entities: readonly Entity[];
  /** The message as the request left it in the channel; undefined if it changed nothing. */
  readonly message: TeamchatMessage | undefined;
}

/** One request at the chat. */
export interface TeamchatRecord extends RequestRecord, TeamchatFindings {}

/** One line about a record, for people who look for an error. */
export function describeTeamchatRecord(record: TeamchatRecord): string {
  const { error, errors, message } = record;
  const parts = [describeRequest(record)];
  if (error !== undefined) parts.push([error, ...errors].join('; '));
  if (message !== undefined) parts.push(`message ${message.ts} ${JSON.stringify(message.text.slice(0, 60))}`);
  return parts.join(', ');
}
