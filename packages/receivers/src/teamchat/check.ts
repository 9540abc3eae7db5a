import { checkBlocks, tooLong } from './blocks.ts';
import type { Entity } from './entities.ts';
import { scanMessage } from './scan.ts';
import { isFields, text, type Fields, type Report } from './shape.ts';
import { isWellFormed } from './wellformed.ts';

/** The errors with which Slack's Web API refuses a message's content. */
export type ContentError =
  | 'invalid_json'
  | 'invalid_arguments'
  | 'invalid_blocks_format'
  | 'invalid_blocks'
  | 'msg_blocks_too_long'
  | 'invalid_attachments'
  | 'too_many_attachments'
  | 'no_text';

/** The result of the checks that need no channel. */
export interface MessageCheck {
  /** Undefined if the message is valid. */
  readonly error: ContentError | undefined;
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
/** https://docs.slack.dev/reference/methods/chat.postMessage, errors */
const MOST_ATTACHMENTS = 100;

const EMPTY: Content = { text: '', blocks: [], attachments: [], mrkdwn: true };

/**
 * Checks a message like chat.postMessage and incoming webhooks: an object with `text`, `blocks`, `attachments` and more. Pure, for any
 * value.
 */
export function checkTeamchatMessage(message: unknown): MessageCheck {
  if (!isFields(message)) return refused('invalid_arguments', ['the message is not an object'], []);
  const blocks = listOf(message.blocks);
  const attachments = listOf(message.attachments);
  if (!isWellFormed({ ...message, blocks, attachments }))
    return refused('invalid_json', ['a text holds half a surrogate pair, or the message is too deep'], []);
  const entities = scanMessage({ ...message, blocks, attachments });
  const refuse = (error: ContentError, errors: readonly string[] = [error]): MessageCheck =>
    refused(error, errors, entities);

  if (message.text != null && typeof message.text !== 'string') return refuse('invalid_arguments');
  if (blocks === undefined) return refuse('invalid_blocks_format');
  if (attachments === undefined) return refuse('invalid_attachments');
  if (attachments.length > MOST_ATTACHMENTS) return refuse('too_many_attachments');
  const errors: string[] = [];
  const report: Report = (what, at) => {
    errors.push(`${what} [json-pointer:${at}]`);
  };
  for (const name of STRINGS) if (message[name] != null) string(message[name], `/${name}`, report);
  if (errors.length > 0) return refuse('invalid_arguments', errors);
  checkBlocks(blocks, '/blocks', report);
  if (errors.length > 0) return refuse('invalid_blocks', errors);
  const attached = checkAttachments(attachments, report);
  if (errors.length > 0) return refuse('invalid_attachments', errors);
  if (tooLong(blocks, attached)) return refuse('msg_blocks_too_long');
  const shown = message.text ?? '';
  if (shown.trim() === '' && blocks.length === 0 && attachments.length === 0) return refuse('no_text');

  const cut = shown.length > LONGEST_TEXT ? [...shown].slice(0, LONGEST_TEXT).join('') : shown;
  return {
    error: undefined,
    errors: [],
    warnings: cut === shown ? [] : ['message_truncated'],
    entities,
    content: {
      text: cut,
      blocks,
      attachments,
      mrkdwn: message.mrkdwn !== false && message.mrkdwn !== 'false',
    },
  };
}

/** Arguments that are texts. https://docs.slack.dev/reference/methods/chat.postMessage, arguments */
const STRINGS = ['username', 'icon_emoji', 'icon_url', 'parse'] as const;
const string = text(Infinity, 0);

/**
 * Checks the blocks in attachments, and returns them. In practice errors there are called `invalid_attachments` (slackapi/bolt-js#717),
 * and the list of errors may be empty (slackapi/java-slack-sdk#415).
 */
function checkAttachments(attachments: readonly Fields[], report: Report): Fields[] {
  return attachments.flatMap(({ blocks }, index) => {
    const at = `/attachments/${index}/blocks`;
    const list = listOf(blocks);
    if (list === undefined) report('must provide an array', at);
    else checkBlocks(list, at, report);
    return list ?? [];
  });
}

function refused(error: ContentError, errors: readonly string[], entities: readonly Entity[]): MessageCheck {
  return { error, errors, warnings: [], entities, content: EMPTY };
}

/** A list of objects, or its JSON text, as in forms; an empty list without one. */
function listOf(value: unknown): readonly Fields[] | undefined {
  if (value == null || value === '') return [];
  const list = typeof value === 'string' ? parse(value) : value;
  return Array.isArray(list) && list.every(isFields) ? list : undefined;
}

/** Undefined if it is not JSON. */
export function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
