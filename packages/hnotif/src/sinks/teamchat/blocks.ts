import { cutText } from '../../render/cut.ts';
import { kindOf } from '../config.ts';
import { parseJson } from '../json.ts';
import { checkAttachments, checkBlocks, checkMarkdown, isFields, type Report } from './block-rules.ts';
import type { Block, ChatExtras, TemplateMessage } from './types.ts';
import { jsonProblem } from './well-formed.ts';

export type BlocksReading =
  | { readonly ok: true; readonly message: TemplateMessage }
  /** Where and what, for a condition: `blocks[2].text.text: has 3012 characters, 3000 are allowed`. */
  | { readonly ok: false; readonly problem: string };

/** Far beyond what the chat takes in all; nothing of this size is looked into. */
const LONGEST_OUTPUT = 200_000;
/** https://docs.slack.dev/changelog/2018-truncating-really-long-messages */
const LONGEST_TEXT = 40_000;
/** https://docs.slack.dev/reference/methods/chat.postMessage#errors (too_many_attachments) */
const MOST_ATTACHMENTS = 100;

/** What may stand beside `blocks` and `text`, and of which kind. Where it goes, and as an answer to what, is not a template's to say. */
const EXTRAS: Readonly<Record<keyof ChatExtras | 'mrkdwn', string>> = {
  attachments: 'a list',
  mrkdwn: 'a boolean',
  unfurl_links: 'a boolean',
  unfurl_media: 'a boolean',
  link_names: 'a boolean',
  parse: 'a string',
  username: 'a string',
  icon_emoji: 'a string',
  icon_url: 'a string',
};

/**
 * Reads what a template of format json made: an object with `blocks`, with `attachments` or with both, or the list of blocks alone,
 * within the documented limits. `fallback` is the message's `text` where it has blocks and no text (mrkdwn, escaped); without blocks
 * a text would be shown above the attachments, so that none is added. Other fields than those of a message are left out.
 */
export function parseBlocks(output: string, fallback: string): BlocksReading {
  if (output.length > LONGEST_OUTPUT)
    return failed(`the output has ${output.length} characters, more than any message may have`);
  if (output.trim() === '') return failed('the output is empty');
  const json = parseJson(output);
  if (!json.ok) return failed(`the output is not JSON: see line ${json.line}, column ${json.column}`);
  const payload: unknown = Array.isArray(json.value) ? { blocks: json.value } : json.value;
  if (!isFields(payload))
    return failed(`the output must be an object with blocks or a list of blocks, found ${kindOf(payload)}`);
  const { blocks, text, attachments } = payload;
  const faults: string[] = [];
  const report: Report = (at, what) => {
    faults.push(`${at}: ${what}`);
  };
  const isAttached = blocks === undefined && attachments !== undefined && !isEmpty(attachments);
  if (isAttached) {
    if (Array.isArray(attachments) && !attachments.some(showsSomething))
      report('attachments', 'show nothing');
  } else if (!Array.isArray(blocks))
    report(
      'blocks',
      blocks === undefined
        ? 'is missing, and there are no attachments'
        : `must be a list, found ${kindOf(blocks)}`,
    );
  else if (blocks.length === 0) report('blocks', 'is empty');
  else checkBlocks(blocks, 'blocks', report);
  if (text !== undefined && typeof text !== 'string')
    report('text', `must be a string, found ${kindOf(text)}`);
  const extras: Record<string, unknown> = {};
  for (const [name, kind] of Object.entries(EXTRAS)) {
    const value = payload[name];
    if (value === undefined) continue;
    if (kindOf(value) !== kind) report(name, `must be ${kind}, found ${kindOf(value)}`);
    extras[name] = value;
  }
  if (Array.isArray(attachments)) {
    if (attachments.length > MOST_ATTACHMENTS)
      report('attachments', `has ${attachments.length} entries, ${MOST_ATTACHMENTS} are allowed`);
    else checkAttachments(attachments, report);
  }
  checkMarkdown([blocks, ...listOf(attachments).map(blocksOf)].flatMap(listOf), report);
  for (const [name, value] of Object.entries({ ...extras, blocks, text })) checkJson(value, name, report);
  const [first, ...others] = faults;
  if (first !== undefined)
    return failed(others.length === 0 ? first : `${first} (and ${others.length} more)`);
  const own = typeof text === 'string' && text.trim() !== '' ? cutText(text, LONGEST_TEXT) : undefined;
  if (isAttached) return { ok: true, message: { ...extras, ...(own !== undefined && { text: own }) } };
  return { ok: true, message: { ...extras, text: own ?? fallback, blocks: blocks as Block[] } };
}

const failed = (problem: string): BlocksReading => ({ ok: false, problem });

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/**
 * What of an attachment is seen: its blocks, or one of its older fields.
 * https://docs.slack.dev/messaging/formatting-message-text#secondary-attachments
 */
const SEEN = [
  'text',
  'fallback',
  'pretext',
  'title',
  'author_name',
  'footer',
  'image_url',
  'thumb_url',
] as const;

/** Whether an attachment may show something. Values that are not attachments are reported elsewhere. */
function showsSomething(attachment: unknown): boolean {
  if (!isFields(attachment)) return true;
  const { blocks, fields } = attachment;
  if ([blocks, fields].some((list) => list != null && !isEmpty(list))) return true;
  return SEEN.some((name) => {
    const value = attachment[name];
    return typeof value === 'string' && value.trim() !== '';
  });
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const blocksOf = (attachment: unknown): unknown => (isFields(attachment) ? attachment.blocks : undefined);

/** Reports in which part of the message there is what no reader of JSON takes. */
function checkJson(value: unknown, at: string, report: Report): void {
  const parts = Array.isArray(value)
    ? value.map((each: unknown, i) => [`${at}[${i}]`, each, 2] as const)
    : ([[at, value, 1]] as const);
  for (const [place, part, depth] of parts) {
    const fault = jsonProblem(part, depth);
    if (fault !== undefined) report(place, fault);
  }
}
