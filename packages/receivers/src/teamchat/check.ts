import {
  entitiesOfMessage,
  explanationsOf,
  readMessage,
  type Entity,
  type Fields,
  type SlackError,
} from '@hnotif/judges/slack';

/** The result of the checks that need no channel. */
export interface MessageCheck {
  /** Undefined if the message is valid. */
  readonly error: SlackError | undefined;
  /** Empty if the message is valid, else the errors: `must be … [json-pointer:/blocks/0/text/text]`. */
  readonly errors: readonly string[];
  /** Changes to an accepted message: `message_truncated`. */
  readonly warnings: readonly string[];
  /** The entities that ping, link or look different from their source, also of an invalid message. */
  readonly entities: readonly Entity[];
  /** The visible content; empty with an error. */
  readonly content: Content;
}

/** A message's content, as it is stored. */
export interface Content {
  /** At most 40,000 code points. `''` without a text. */
  readonly text: string;
  readonly blocks: readonly Fields[];
  readonly attachments: readonly Fields[];
  /** Whether markup such as `*bold*` in `text` has an effect. */
  readonly mrkdwn: boolean;
}

/** https://docs.slack.dev/changelog/2018-04-truncating-really-long-messages */
const LONGEST_TEXT = 40_000;

const EMPTY: Content = { text: '', blocks: [], attachments: [], mrkdwn: true };

/**
 * Checks a message like chat.postMessage and incoming webhooks: an object with `text`, `blocks`, `attachments` and more. Pure, for any
 * value.
 */
export function checkTeamchatMessage(message: unknown): MessageCheck {
  const { faults, fields, blocks, attachments } = readMessage(message);
  const [first] = faults;
  const entities = entitiesOfMessage(fields);
  if (first !== undefined)
    return { error: first.error, errors: explanationsOf(faults), warnings: [], entities, content: EMPTY };
  const shown = typeof fields.text === 'string' ? fields.text : '';
  const text = shown.length > LONGEST_TEXT ? [...shown].slice(0, LONGEST_TEXT).join('') : shown;
  const mrkdwn = fields.mrkdwn !== false && fields.mrkdwn !== 'false';
  const warnings = text === shown ? [] : ['message_truncated'];
  return { error: undefined, errors: [], warnings, entities, content: { text, blocks, attachments, mrkdwn } };
}
