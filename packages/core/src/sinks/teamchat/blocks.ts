import { faultInWords, type Fault } from '@hnotif/judges';
import { isFields, readMessage } from '@hnotif/judges/slack';
import { EMPTY_OUTPUT, isBlank } from '../chat-message.ts';
import { kindOf } from '../config.ts';
import { jsonProblem } from '../json-remedy.ts';
import { parseJson } from '../json.ts';
import type { Origin } from '../value-at.ts';
import { fitText } from './fit.ts';
import type { Block, ChatMessage, TemplateMessage } from './types.ts';

export type BlocksReading =
  | { readonly ok: true; readonly message: TemplateMessage }
  /** Where and what, for a condition: `/blocks/2/text/text: has 3012 characters; 3000 are allowed (invalid_blocks); …`. */
  | {
      readonly ok: false;
      readonly problem: string;
      /** Why Slack would refuse it. Absent: it is no message. */
      readonly faults?: readonly Fault[];
    };

/** Far beyond what the chat takes in all; nothing of this size is looked into. */
const LONGEST_OUTPUT = 200_000;

/** What a template may say. Where a message goes, and as an answer to what, is not a template's to say. */
const FIELDS: ReadonlySet<string> = new Set<keyof ChatMessage>([
  ...(['text', 'blocks', 'attachments', 'mrkdwn', 'unfurl_links', 'unfurl_media'] as const),
  ...(['link_names', 'parse', 'username', 'icon_emoji', 'icon_url'] as const),
]);

/**
 * Reads what a template of format json made: an object with `blocks`, with `attachments` or with both, or the list of blocks alone,
 * that Slack takes. `fallback` is the message's `text` where it has blocks and no text (mrkdwn, escaped); without blocks
 * a text would be shown above the attachments, so that none is added. Other fields than those of a message are left out.
 */
export function parseBlocks(output: string, fallback: string, origin?: Origin): BlocksReading {
  if (output.length > LONGEST_OUTPUT)
    return failed(`the output has ${output.length} characters, more than any message may have`);
  if (isBlank(output)) return failed(EMPTY_OUTPUT);
  const json = parseJson(output);
  if (!json.ok) return failed(jsonProblem(output, json, origin));
  const payload: unknown = Array.isArray(json.value) ? { blocks: json.value } : json.value;
  if (!isFields(payload))
    return failed(`the output must be an object with blocks or a list of blocks, found ${kindOf(payload)}`);
  if (typeof payload.type === 'string' && /^(?:message|AdaptiveCard)$/.test(payload.type))
    return failed(
      'the output is a message of Microsoft Teams, which Slack does not read; write {"blocks": [ … ]} for Slack, or use a sink of type webhook with enable_renderer: true and this template for Microsoft Teams',
    );
  if (typeof payload.type === 'string' && payload.blocks === undefined)
    return failed('the output is one block, not a message; write {"blocks": [ … ]} around it');
  // In the order of the output, in which faults are found.
  const message = Object.fromEntries(
    Object.entries(payload).filter(([name, value]) => value != null && FIELDS.has(name)),
  );
  const { faults, blocks, attachments } = readMessage(message);
  const [first, ...others] = faults;
  if (first !== undefined)
    return {
      ok: false,
      problem: `${faultInWords(first)}${others.length === 0 ? '' : ` (and ${others.length} more)`}`,
      faults,
    };
  if (blocks.length === 0 && attachments.length === 0)
    return failed('the output has no blocks and no attachments; add a list of blocks');
  const { text, blocks: _blocks, attachments: _attachments, ...extras } = message;
  const own = typeof text === 'string' && text.trim() !== '' ? fitText(text) : undefined;
  const shown = blocks.length === 0 ? own : (own ?? fitText(fallback));
  return {
    ok: true,
    message: {
      ...extras,
      ...(attachments.length > 0 && { attachments }),
      ...(shown !== undefined && { text: shown }),
      ...(blocks.length > 0 && { blocks: blocks as readonly Block[] }),
    },
  };
}

const failed = (problem: string): BlocksReading => ({ ok: false, problem });
