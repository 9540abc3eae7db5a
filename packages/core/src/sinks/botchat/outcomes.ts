import * as z from 'zod';
import type { Answer } from '../../requests/reply.ts';
import { quoteBody } from '../excerpt.ts';
import { parseJson } from '../json.ts';
import type { Outcome } from '../outcome.ts';
import { remedyFor, type OutcomeRow } from '../outcome-table.ts';
import { isHtmlPage } from '../page.ts';
import { retryAfterMs } from '../retry-after.ts';
import { ANSWERS, type AnswerRow, OTHER_ANSWERS, PAGES } from './outcome-rows.ts';
import { type ChatId, readChatId } from './chat-id.ts';

/** The envelope of every answer (https://core.telegram.org/bots/api#making-requests); fields of a wrong type count as absent. */
const envelope = z.object({
  ok: z.boolean(),
  error_code: z.int().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  parameters: z
    .object({
      retry_after: z.number().nonnegative().optional().catch(undefined),
      migrate_to_chat_id: z.unknown().optional(),
    })
    .optional()
    .catch(undefined),
});
type Envelope = z.infer<typeof envelope>;

function envelopeOf({ body }: Answer): Envelope | undefined {
  const json = parseJson(body);
  const parsed = json.ok ? envelope.safeParse(json.value) : undefined;
  return parsed?.success === true ? parsed.data : undefined;
}

/** The new id of a group that has become a supergroup, if the answer has one. */
export function migratedTo(answer: Answer): ChatId | undefined {
  return answer.status < 400 ? undefined : readChatId(envelopeOf(answer)?.parameters?.migrate_to_chat_id);
}

/** Whether a message was refused because its topic is not there. */
export const isTopicGone = (outcome: Outcome): boolean =>
  outcome.kind === 'rejected-configuration' && outcome.reason === 'TopicDeleted';

/** Texts of refusals of editMessageText. */
const UNCHANGED = /message is not modified|message_not_modified/i;
const GONE =
  /message to edit not found|message can't be edited|message_id_invalid|message_edit_time_expired/i;

/** What a refused update says of the message: it looks so already, or it is gone or cannot be changed. */
export function updateRefusal(answer: Answer | undefined): 'unchanged' | 'gone' | undefined {
  const said = answer?.status === 400 ? (envelopeOf(answer)?.description ?? '') : '';
  return UNCHANGED.test(said) ? 'unchanged' : GONE.test(said) ? 'gone' : undefined;
}

/**
 * The outcome of an answer. `secrets` are redacted; `now`: milliseconds since the epoch; `templated`: whether a custom template made the
 * message.
 */
export function outcomeOfAnswer(
  answer: Answer,
  secrets: readonly string[],
  now: number,
  templated = false,
): Outcome {
  const { status, body, truncated } = answer;
  const fields = envelopeOf(answer);
  // The beginning of a long answer, which was cut, is enough.
  if (status === 200 && (fields?.ok ?? (truncated && body.trimStart().startsWith('{"ok":true'))))
    return { kind: 'delivered', status };
  const code = fields?.ok === false ? (fields.error_code ?? status) : status;
  const description = fields?.description ?? '';
  const page = fields === undefined && isHtmlPage(answer) ? firstOf(PAGES, code, '') : undefined;
  const row = page ?? rowOf(code, description);
  const said = quoteBody(answer, secrets, description === '' ? undefined : description);
  const message = `${page === undefined ? 'the Bot API' : 'the address of the Bot API'} answered ${code}${said}; ${remedyFor(row, templated)}`;
  const wait = code === 429 || code === 420 || code === 503 ? waitOf(answer, fields, now) : undefined;
  return row.kind === 'throttled' || wait !== undefined
    ? { kind: 'throttled', reason: row.reason, message, retryAfterMs: wait }
    : { kind: row.kind, reason: row.reason, message };
}

const firstOf = (rows: readonly AnswerRow[], code: number, text: string): AnswerRow | undefined =>
  rows.find(
    ({ codes, says }) =>
      codes.includes(code) && (says.length === 0 || says.some((part) => text.includes(part))),
  );

function rowOf(code: number, description: string): OutcomeRow {
  const row = firstOf(ANSWERS, code, description.toLowerCase());
  if (row !== undefined) return row;
  if (code < 300) return OTHER_ANSWERS.strange;
  if (code < 400) return OTHER_ANSWERS.redirect;
  return code < 500 ? OTHER_ANSWERS.refused : OTHER_ANSWERS.failing;
}

/** From the parameters, the description, or the header: a proxy may limit, too. */
function waitOf({ headers }: Answer, fields: Envelope | undefined, now: number): number | undefined {
  const seconds =
    fields?.parameters?.retry_after ?? /retry after (\d{1,9})\b/i.exec(fields?.description ?? '')?.[1];
  return seconds === undefined
    ? retryAfterMs(headers['retry-after'], now)
    : Math.ceil(Number(seconds) * 1000);
}
