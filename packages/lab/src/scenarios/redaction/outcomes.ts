import { ANSWERS, OTHER_ANSWERS, PAGES } from '../../../../core/src/sinks/botchat/outcome-rows.ts';
import { SINK_TYPES, type SinkType } from '@hnotif/core/resources';
import type { HookAnswers } from '../../../../core/src/sinks/hook-answers.ts';
import type { OutcomeRow } from '../../../../core/src/sinks/outcome-table.ts';
import { SINKS } from '@hnotif/core/sinks';
import { ROWS } from '../../../../core/src/sinks/teamchat/outcome-rows.ts';
import { OTHER, STATUSES } from '../../../../core/src/sinks/webhook/outcomes.ts';
import { FAILURES, type FailureReason } from '@hnotif/core/requests';
import type { Mode } from './modes.ts';
import type { Resolving } from './names.ts';
import type { Answer, ReceivedRequest } from '../../answering.ts';

/** What may become of a delivery, and how to bring it about. */
export interface Outcome {
  /** As the cell is called. */
  readonly name: string;
  /** The word by which it is known wherever it is told. */
  readonly reason: string;
  /** What the receiver answers, with `echo` in it wherever there is room; `count` requests came before. */
  readonly answer: (echo: string, count: number, request: ReceivedRequest) => Answer;
  /** As what it is told of. Default `failure`. */
  readonly told?: Told;
}

/** A delivery that failed; one that was put off; one that arrived otherwise than was wished; a doubt before any. */
export type Told = 'failure' | 'pause' | 'notice' | 'brief notice' | 'doubt';

/** An answer with a status. The headers echo, too. */
export const plain = (status: number, body: string, type = 'text/plain'): Answer => ({
  kind: 'answer',
  status,
  body,
  type,
  // Every connection is for one request.
  headers: { connection: 'close', ...headersWith(body) },
});

/** Three headers have the echo, and Node reads 16 KiB of headers (characters). */
const LONGEST_HEADER = 4_000;

/** Of an echo what a header can carry. */
function headersWith(body: string): Record<string, string> {
  const value = body
    .replace(/[^\x20-\x7e]+/g, ' ')
    .slice(0, LONGEST_HEADER)
    .trim();
  return { 'x-echo': value, 'www-authenticate': value, location: `/${value}` };
}

const rowsOf = (
  what: string,
  rows: Readonly<Record<string, OutcomeRow>>,
  answer: (key: string, echo: string) => Answer,
): Outcome[] =>
  Object.entries(rows).map(([key, { reason }]) => ({
    name: `${what} ${key}`,
    reason,
    answer: (echo) => answer(key, echo),
  }));

/** Some receivers answer in HTML, some in JSON. */
const bodies = [
  (echo: string): [string, string] => [`! ${echo}`, 'text/plain'],
  (echo: string): [string, string] => [`<p>sorry: </p>${echo}`, 'text/html'],
  (echo: string): [string, string] => [JSON.stringify({ because: echo }), 'application/json'],
];
function byStatus(status: number, echo: string): Answer {
  const [body, type] = (bodies[status % bodies.length] ?? bodies[0])?.(echo) ?? ['', ''];
  return plain(status, body, type);
}

interface StatusRows {
  readonly statuses: HookAnswers['statuses'];
  readonly others: Omit<HookAnswers['others'], 'foreign'>;
}

const statusOutcomes = ({ statuses, others }: StatusRows): Outcome[] => [
  ...rowsOf('status', statuses, (status, echo) => byStatus(Number(status), echo)),
  ...rowsOf('another', others, (key, echo) => byStatus({ redirect: 307, other4xx: 418 }[key] ?? 500, echo)),
];

const chatStatuses = ({
  statuses,
  redirect,
  other4xx,
  other5xx,
}: (typeof ROWS)['webhook' | 'api']): Outcome[] => [
  ...rowsOf('status', statuses, (status, echo) => plain(Number(status), `! ${echo}`)),
  ...rowsOf('another', { redirect, other4xx, other5xx }, (key, echo) =>
    plain({ redirect: 302, other4xx: 418 }[key] ?? 500, `! ${echo}`),
  ),
];

const page = (status: number, echo: string): Answer =>
  plain(status, `<!doctype html><p>${echo}`, 'text/html');

const channel: Outcome[] = [
  ...rowsOf('word', ROWS.webhook.words, (word, echo) => plain(400, `${word} ${echo}`)),
  ...chatStatuses(ROWS.webhook),
  ...rowsOf('a page', { page: ROWS.webhook.page }, (_, echo) => page(200, echo)),
];

export const api = (error: string, echo: string): Answer =>
  plain(
    200,
    JSON.stringify({ ok: false, error, needed: echo, response_metadata: { messages: [`[ERROR] ${echo}`] } }),
    'application/json',
  );

const thread: Outcome[] = [
  ...rowsOf('error', ROWS.api.words, api),
  ...chatStatuses(ROWS.api),
  ...rowsOf('a', { page: ROWS.api.page }, (_, echo) => page(200, echo)),
  ...rowsOf('an', { unreadable: ROWS.api.unreadable }, (_, echo) => plain(200, `! ${echo}`)),
];

export const refusal = (code: number, description: string): Answer =>
  plain(code, JSON.stringify({ ok: false, error_code: code, description }), 'application/json');

const OTHER_CODES: Readonly<Record<string, number>> = {
  strange: 200,
  redirect: 307,
  refused: 418,
  failing: 500,
};
const botchat: Outcome[] = [
  ...PAGES.map(({ codes: [code = 0], reason }): Outcome => ({
    name: `a page ${code}`,
    reason,
    answer: (echo) => page(code, echo),
  })),
  ...ANSWERS.map(({ codes: [code = 0], says: [said = 'no'], reason }): Outcome => ({
    name: `${code} ${said}`,
    reason,
    answer: (echo) => refusal(code, `${said}: ${echo}`),
  })),
  ...rowsOf('another', OTHER_ANSWERS, (key, echo) => refusal(OTHER_CODES[key] ?? 0, `no: ${echo}`)),
];

const ofHook = (type: SinkType): readonly Outcome[] => {
  const { hook } = SINKS[type];
  if (hook === undefined) return [];
  const { foreign, ...others } = hook.others;
  return [
    ...statusOutcomes({ ...hook, others }),
    ...rowsOf('a page', { foreign }, (_, echo) => page(200, echo)),
  ];
};

const some = (outcomes: readonly Outcome[]): readonly Outcome[] => outcomes.filter((_, at) => at % 6 === 0);

/** What the receivers of a mode may answer: each row of the table by which the sink judges. */
export const OUTCOMES: ReadonlyMap<Mode['answers'], readonly Outcome[]> = new Map<
  Mode['answers'],
  readonly Outcome[]
>([
  ...SINK_TYPES.map((type) => [type, ofHook(type)] as const),
  ['webhook', statusOutcomes({ statuses: STATUSES, others: OTHER })],
  ['channel', channel],
  ['thread', thread],
  ['botchat', botchat],
  ['thread board', some(thread)],
  ['botchat board', some(botchat)],
]);

/** How a missing answer is brought about. `turns`: by the clock alone. */
export interface Cause {
  readonly resolving?: Resolving;
  readonly answer?: (echo: string) => Answer;
  readonly turns?: true;
}

const error = (code: string): Cause => ({ resolving: { kind: 'error', code } });

/** How each reason of the transport is caused, for all sinks at once; a text: why it cannot be here. */
export const CAUSES: Readonly<Record<FailureReason, Cause | string>> = {
  Aborted: 'a stop alone calls requests off: redaction-thrown.test.ts shows it',
  BadAnswer: { answer: (echo) => ({ kind: 'garbage', bytes: `${echo}\r\n\r\n` }) },
  CertificateRefused: error('CERT_HAS_EXPIRED'),
  Closed: 'a controller sends nothing after it has closed its client: redaction-thrown.test.ts shows it',
  ConnectTimeout: error('ETIMEDOUT'),
  ConnectionLost: { answer: () => ({ kind: 'reset' }) },
  ConnectionRefused: error('ECONNREFUSED'),
  EgressRefused: { resolving: { kind: 'address', address: '169.254.169.254' } },
  InsecureUrl: 'a controller that permits no plain http: redaction-thrown.test.ts shows it',
  InvalidRequest: error('UND_ERR_INVALID_ARG'),
  LookupWaited: 'is told of no receiver: the request comes again',
  NameLookupFailed: error('EAI_AGAIN'),
  NameNotFound: error('ENOTFOUND'),
  NetworkError: error('EWHATEVER'),
  ProxyFailed: 'a controller has one proxy for all sinks: redaction-thrown.test.ts shows it',
  TimedOut: { answer: () => ({ kind: 'hang' }), turns: true },
  TlsFailed: error('ERR_SSL_WRONG_VERSION_NUMBER'),
  TooManyOpenFiles: 'is told of no receiver: the request comes again',
  Unreachable: error('EHOSTUNREACH'),
};

export const FAILURE_REASONS = Object.keys(FAILURES) as readonly FailureReason[];
