import type { Answer } from '../../requests/reply.ts';
import type { Degradation } from '../degradation.ts';
import type { Outcome } from '../outcome.ts';
import { remedyFor, type OutcomeRow } from '../outcome-table.ts';
import { isHtmlPage } from '../page.ts';
import { retryAfterMs } from '../retry-after.ts';
import { quoteBody } from '../excerpt.ts';

const MAY_PASS = "it may pass by itself; if not, look into the receiver's log";
const GATEWAY = 'a gateway in front of the receiver got no answer from it; look into the logs of both';

const CREDENTIAL = 'if the receiver wants a credential, put it into headers: {"Authorization": "Bearer …"}';

/**
 * What a webhook's status means. Standard Webhooks: only 2xx is success, redirects are not followed, 410 asks to stop. After 502 or 504
 * of a gateway the receiver may have the message.
 */
export const STATUSES: Readonly<Record<number, OutcomeRow>> = {
  304: {
    kind: 'rejected-configuration',
    reason: 'NotModified',
    remedy: 'this is not an answer to a POST: check url and any cache in front of it',
  },
  400: {
    kind: 'rejected-payload',
    reason: 'BadRequest',
    remedy: 'check that the receiver accepts this payload',
  },
  401: {
    kind: 'rejected-configuration',
    reason: 'Unauthorized',
    remedy: 'check the credential in headers',
    otherwise: CREDENTIAL,
  },
  402: { kind: 'rejected-configuration', reason: 'PaymentRequired', remedy: "check the receiver's account" },
  403: {
    kind: 'rejected-configuration',
    reason: 'Forbidden',
    remedy: 'check what the credential in headers may do',
    otherwise: `check url; ${CREDENTIAL}`,
  },
  404: { kind: 'rejected-configuration', reason: 'NotFound', remedy: 'check url' },
  405: {
    kind: 'rejected-configuration',
    reason: 'MethodNotAllowed',
    remedy: 'check url: nothing accepts a POST there',
  },
  407: {
    kind: 'rejected-configuration',
    reason: 'ProxyUnauthorized',
    remedy: "check the proxy's credentials",
  },
  408: { kind: 'transient', reason: 'RequestTimeout', remedy: MAY_PASS },
  410: {
    kind: 'rejected-configuration',
    reason: 'Gone',
    remedy: 'the receiver does not want more messages: remove the sink or change url',
  },
  413: {
    kind: 'rejected-payload',
    reason: 'PayloadTooLarge',
    remedy: "raise the receiver's limit for bodies",
  },
  415: {
    kind: 'rejected-configuration',
    reason: 'UnsupportedMediaType',
    remedy: 'set Content-Type in headers to what the receiver takes',
  },
  421: { kind: 'rejected-configuration', reason: 'MisdirectedRequest', remedy: 'check the host in url' },
  425: { kind: 'transient', reason: 'TooEarly', remedy: MAY_PASS },
  429: {
    kind: 'throttled',
    reason: 'TooManyRequests',
    remedy: 'ask for fewer events in onEvents, or raise the limit at the receiver',
  },
  502: { kind: 'ambiguous', reason: 'BadGateway', remedy: GATEWAY },
  503: { kind: 'transient', reason: 'ServiceUnavailable', remedy: MAY_PASS },
  504: { kind: 'ambiguous', reason: 'GatewayTimeout', remedy: GATEWAY },
};

/** For other statuses. */
export const OTHER = {
  redirect: {
    kind: 'rejected-configuration',
    reason: 'Redirected',
    remedy: 'redirects are not followed: set url to the final address',
  },
  other4xx: { kind: 'rejected-payload', reason: 'Rejected', remedy: "look into the receiver's log for why" },
  other5xx: { kind: 'transient', reason: 'ServerError', remedy: MAY_PASS },
} as const satisfies Record<string, OutcomeRow>;

/**
 * The outcome of an answer. `secrets` are redacted; `hasHeaders`: whether headers are configured.
 */
export function outcomeOfAnswer(
  answer: Answer,
  secrets: readonly string[],
  now: number,
  hasHeaders = true,
): Outcome {
  const { status, headers } = answer;
  if (status >= 200 && status < 300) return { kind: 'delivered', status };
  const row = rowOf(status);
  const message = `the receiver answered ${status}${quoteBody(answer, secrets)}; ${remedyFor(row, hasHeaders)}`;
  const wait = status === 429 || status === 503 ? retryAfterMs(headers['retry-after'], now) : undefined;
  // A 503 with a time counts as a 429 (RFC 9110 section 10.2.3).
  return row.kind === 'throttled' || wait !== undefined
    ? { kind: 'throttled', reason: row.reason, message, retryAfterMs: wait }
    : { kind: row.kind, reason: row.reason, message };
}

/**
 * What is doubtful about a success; undefined: nothing. The status decides, but a web page mostly comes from a proxy or a login. Many
 * frameworks send a plain `ok` as text/html, so the body is checked, too.
 */
export function degradationOf(answer: Answer): Degradation | undefined {
  const { status, headers } = answer;
  if (headers['content-type']?.startsWith('text/html') !== true || !isHtmlPage(answer)) return undefined;
  const message = `the receiver answered ${status} with an HTML page: is url the receiver's address, and does no proxy or login page answer in its place?`;
  return { reason: 'WebPageAnswered', message };
}

function rowOf(status: number): OutcomeRow {
  const own = STATUSES[status];
  if (own !== undefined) return own;
  if (status < 400) return OTHER.redirect;
  return status < 500 ? OTHER.other4xx : OTHER.other5xx;
}
