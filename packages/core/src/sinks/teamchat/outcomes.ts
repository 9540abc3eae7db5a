import type { Answer } from '../../requests/reply.ts';
import type { Degradation } from '../degradation.ts';
import { quoteBody, quoteError } from '../excerpt.ts';
import type { Outcome } from '../outcome.ts';
import { remedyFor, type OutcomeRow } from '../outcome-table.ts';
import { isHtmlPage } from '../page.ts';
import { retryAfterMs } from '../retry-after.ts';
import { ROWS } from './outcome-rows.ts';
import { type ApiBody, apiBody, headOf, readJson, type Said, webhookBody } from './answer-body.ts';

export type { ApiBody };

/** The table of incoming webhooks, or of the Web API. */
type Others = (typeof ROWS)['webhook' | 'api'];

/** The request of an answer. */
export interface AnswerContext {
  /** Redacted in the chat's text. */
  readonly secrets: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Whether a custom template made the message. Default: false. */
  readonly templated?: boolean;
}

/**
 * Microsoft Teams says in a 200 that it refused the message.
 * https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using#rate-limiting-for-connectors
 */
const RELAYED = /^\s*Webhook message delivery failed\b.{1,200}?\bHTTP error ([45]\d\d)\b/s;

/**
 * The outcome of a message to an incoming webhook, by `CHANNEL_PROOFS`. An error word says more than the status, and a success without one
 * is never repeated: other chats have answers of their own.
 */
export function outcomeOfWebhookAnswer(answer: Answer, asked: AnswerContext): Outcome {
  const [, relayed] = RELAYED.exec(answer.body) ?? [];
  const status = relayed !== undefined && isSuccess(answer.status) ? Number(relayed) : answer.status;
  const { said, word } = wordsOf(answer);
  const known =
    said?.ok === true || word === undefined ? undefined : rowNamed(ROWS.webhook.words, word, status);
  if (known !== undefined) return worded(known, answer, { ...said, error: word }, asked);
  if (!isSuccess(status) || said?.ok === false)
    return numbered(rowOfStatus(ROWS.webhook, status), answer, said, asked);
  return isHtmlPage(answer)
    ? numbered(ROWS.webhook.page, answer, undefined, asked)
    : { kind: 'delivered', status };
}

/** What is doubtful about a success of an incoming webhook; undefined: nothing. */
export function degradationOfWebhook(
  answer: Answer,
  { secrets }: Pick<AnswerContext, 'secrets'>,
): Degradation | undefined {
  const { status, body } = answer;
  if ((status === 200 && body.trim() === 'ok') || wordsOf(answer).said?.ok === true) return undefined;
  const message = `the chat answered ${status}${quoteBody(answer, secrets)}, and Slack answers 200 and "ok": the message counts as delivered and is not sent again; if nothing is in the channel, check webhook_url and any proxy`;
  return { reason: 'AnswerUnknown', message };
}

/** What a webhook's answer says: its JSON, and its error word. */
function wordsOf({ body }: Answer): { readonly said: Said | undefined; readonly word: string | undefined } {
  const json = readJson(body, webhookBody);
  const said = json && {
    ...json,
    ok: json.ok === false || json.success === false ? false : (json.ok ?? json.success),
  };
  return { said, word: said === undefined ? wordIn(body) : said.error };
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** The result of a call of the Web API. */
export interface ApiOutcome {
  /** `delivered`: the call succeeded. */
  readonly outcome: Outcome;
  /** The chat's error code, if there is one. The caller handles some, such as `message_not_found`. */
  readonly error: string | undefined;
  /** The answer of a call that succeeded. */
  readonly body: ApiBody | undefined;
}

/** The result of a call of the Web API. Its answers are always 200; `ok` says whether it succeeded. */
export function outcomeOfApiAnswer(answer: Answer, asked: AnswerContext): ApiOutcome {
  const { status } = answer;
  const json = readJson(answer.body, apiBody) ?? (answer.truncated ? headOf(answer.body) : undefined);
  const succeeded = isSuccess(status);
  if (succeeded && json?.ok === true)
    return { outcome: { kind: 'delivered', status }, error: undefined, body: json };
  const error = json?.ok === false ? json.error : undefined;
  const known = error === undefined ? undefined : rowNamed(ROWS.api.words, error, status);
  const row = known ?? (error !== undefined && succeeded ? ROWS.api.other4xx : undefined);
  const outcome =
    row !== undefined && json !== undefined
      ? worded(row, answer, json, asked)
      : numbered(
          succeeded
            ? json === undefined
              ? unreadableRow(answer)
              : ROWS.api.other4xx
            : rowOfStatus(ROWS.api, status),
          answer,
          json,
          asked,
        );
  return { outcome, error, body: undefined };
}

const unreadableRow = (answer: Answer): OutcomeRow =>
  isHtmlPage(answer) && !answer.truncated ? ROWS.api.page : ROWS.api.unreadable;

/** By the chat's own word, which says more than the status. */
function worded(row: OutcomeRow, answer: Answer, json: Said, asked: AnswerContext): Outcome {
  const verb = row.kind.startsWith('rejected') ? 'refused' : 'answered';
  return outcome(
    row,
    answer,
    json,
    asked,
    `the chat ${verb}${quoteError(answer, asked.secrets, saidIn(json))}`,
  );
}

/** By the status. */
function numbered(row: OutcomeRow, answer: Answer, json: Said | undefined, asked: AnswerContext): Outcome {
  const said = json === undefined ? '' : saidIn(json);
  const quoted = quoteBody(answer, asked.secrets, said === '' ? undefined : said);
  return outcome(row, answer, json, asked, `the chat answered ${answer.status}${quoted}`);
}

function outcome(
  row: OutcomeRow,
  { status, headers }: Answer,
  json: Said | undefined,
  { now, templated = false }: AnswerContext,
  what: string,
): Outcome {
  const message = `${what}; ${remedyFor(row, templated)}`;
  const { reason } = row;
  const wait = retryAfterMs(headers['retry-after'], now) ?? (json?.retry_after && json.retry_after * 1000);
  // A 503 that names a time is an overload that the receiver manages, as a 429 is (RFC 9110 section 10.2.3).
  if (row.kind === 'throttled' || (status === 503 && wait !== undefined))
    return { kind: 'throttled', reason, message, retryAfterMs: wait };
  return { kind: row.kind, reason, message };
}

/** The error, the missing scope, and Slack's hints: `invalid_blocks (must be less than 3001 characters [json-pointer:/blocks/2/text/text])`. */
function saidIn({ error, needed, response_metadata: metadata }: Said): string {
  const hints = (metadata?.messages ?? []).map((message) => message.replace(/^\[ERROR\]\s*/, ''));
  const details = [needed === undefined ? '' : `needed: ${needed}`, ...hints]
    .filter((part) => part !== '')
    .join('; ');
  return details === '' ? (error ?? '') : `${error ?? ''} (${details})`.trimStart();
}

function rowOfStatus({ statuses, redirect, other4xx, other5xx }: Others, status: number): OutcomeRow {
  const own = statuses[status];
  if (own !== undefined) return own;
  if (status < 300) return other4xx;
  if (status < 400) return redirect;
  return status < 500 ? other4xx : other5xx;
}

/** The row of an error code. A 429 is throttled whatever its code. */
const rowNamed = (
  rows: Readonly<Record<string, OutcomeRow>>,
  word: string,
  status: number,
): OutcomeRow | undefined => (status !== 429 && Object.hasOwn(rows, word) ? rows[word] : undefined);

/** The error code at the beginning of a webhook's answer. */
const wordIn = (body: string): string | undefined => /^\s*([a-z][a-z_]{1,60})(?!\w)/.exec(body)?.[1];
