import { ANSWERS, OTHER_ANSWERS, PAGES } from '../../../../core/src/sinks/botchat/outcome-rows.ts';
import { SINK_TYPES, type SinkType } from '@hnotif/core/resources';
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

type StatusRows = Readonly<Record<'redirect' | 'other4xx' | 'other5xx', OutcomeRow>> & {
  readonly statuses: Readonly<Record<number, OutcomeRow>>;
};

const byStatuses = (
  { statuses, redirect, other4xx, other5xx }: StatusRows,
  say: (status: number, echo: string) => Answer = byStatus,
): Outcome[] => [
  ...rowsOf('status', statuses, (status, echo) => say(Number(status), echo)),
  ...rowsOf('another', { redirect, other4xx, other5xx }, (key, echo) =>
    say({ redirect: 307, other4xx: 418 }[key] ?? 500, echo),
  ),
];

const inText = (status: number, echo: string): Answer => plain(status, `! ${echo}`);

const page = (status: number, echo: string): Answer =>
  plain(status, `<!doctype html><p>${echo}`, 'text/html');

const channel: Outcome[] = [
  ...rowsOf('word', ROWS.webhook.words, (word, echo) => plain(400, `${word} ${echo}`)),
  ...byStatuses(ROWS.webhook, inText),
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
  ...byStatuses(ROWS.api, inText),
  ...rowsOf('a', { page: ROWS.api.page }, (_, echo) => page(200, echo)),
  ...rowsOf('an', { unreadable: ROWS.api.unreadable }, (_, echo) => inText(200, echo)),
];

export const refusal = (code: number, description: string, parameters?: object): Answer =>
  plain(code, JSON.stringify({ ok: false, error_code: code, description, parameters }), 'application/json');

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
  ...ANSWERS.map(({ codes, says: [said = 'no'], reason }): Outcome => ({
    name: `${codes.join('/')} ${said}`,
    reason,
    answer: (echo) => refusal(codes[0] ?? 0, `${said}: ${echo}`),
  })),
  ...rowsOf('another', OTHER_ANSWERS, (key, echo) => refusal(OTHER_CODES[key] ?? 0, `no: ${echo}`)),
];

const some = (outcomes: readonly Outcome[]): readonly Outcome[] => outcomes.filter((_, at) => at % 6 === 0);

/** A kind of receiver. */
interface Receiver {
  /** What it may answer: each row of the table by which the sink judges. */
  readonly outcomes: readonly Outcome[];
  /** What it says that has taken a message. */
  readonly taken: Answer;
}

const ofHook = (type: SinkType): [SinkType, Receiver][] => {
  const { hook } = SINKS[type];
  if (hook === undefined) return [];
  const { statuses, others, success } = hook;
  const foreign = rowsOf('a page', { foreign: others.foreign }, (_, echo) => page(200, echo));
  return [
    [type, { outcomes: [...byStatuses({ statuses, ...others }), ...foreign], taken: plain(...success) }],
  ];
};

const JSON_TYPE = 'application/json';
const POSTED = plain(200, '{"ok":true,"channel":"C0","ts":"1700000000.000100"}', JSON_TYPE);
const SENT = plain(200, '{"ok":true,"result":{"message_id":1,"chat":{"id":-100}}}', JSON_TYPE);

export const RECEIVERS: ReadonlyMap<Mode['answers'], Receiver> = new Map<Mode['answers'], Receiver>([
  ...SINK_TYPES.flatMap(ofHook),
  ['webhook', { outcomes: byStatuses({ statuses: STATUSES, ...OTHER }), taken: plain(200, '') }],
  ['channel', { outcomes: channel, taken: plain(200, 'ok') }],
  ['thread', { outcomes: thread, taken: POSTED }],
  ['botchat', { outcomes: botchat, taken: SENT }],
  ['thread board', { outcomes: some(thread), taken: POSTED }],
  ['botchat board', { outcomes: some(botchat), taken: SENT }],
]);

export function receiverOf({ name, answers }: Pick<Mode, 'name' | 'answers'>): Receiver {
  const receiver = RECEIVERS.get(answers);
  if (receiver === undefined) throw new Error(`mode ${name} has no answers`);
  return receiver;
}

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
