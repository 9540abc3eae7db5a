import { TEAM, userOf } from './render.ts';
import type { PlainAnswer, Request } from '../decision.ts';
import { mediaType } from '../body.ts';
import { readArguments } from './arguments.ts';
import type { Context } from './context.ts';
import { history, replies } from './history.ts';
import { postMessage } from './post.ts';
import { reading, refuse, type Refusal, type Ruling } from './ruling.ts';
import type { Fields } from '@hnotif/judges/slack';
import type { Bearer } from './tokens.ts';
import { updateMessage } from './update.ts';

type Method = (fields: Fields, bearer: Bearer, context: Context) => Ruling;

const METHODS: ReadonlyMap<string, Method> = new Map([
  ['chat.postMessage', postMessage],
  ['chat.update', updateMessage],
  ['conversations.history', history],
  ['conversations.replies', replies],
  ['auth.test', (_fields, { bot }) => reading(() => identity(bot))],
]);
const READS = /^(conversations|auth)\./;

/** A call of the Web API, and its result. */
export interface Call {
  /** The arguments, without the token. */
  readonly params: Fields;
  readonly warnings: readonly string[];
  readonly ruling: Ruling;
}

/** https://docs.slack.dev/apis/web-api */
export function handleCall(call: string, request: Request, context: Context): Call {
  const { method: verb, headers } = request;
  const args = readArguments(request);
  const { token: _token, ...params } = 'error' in args ? {} : args.fields;
  const warnings = 'error' in args ? [] : args.warnings;
  const decide = (): Ruling => {
    const method = METHODS.get(call);
    if (method === undefined) return refuse('unknown_method');
    if (verb !== 'POST' && !(verb === 'GET' && READS.test(call))) return refuse('invalid_arguments');
    if ('error' in args) return refuse(args.error);
    const isJson = mediaType(headers['content-type']) === 'application/json';
    const bearer = context.tokens.bearer(headers, args.fields, isJson);
    if ('error' in bearer) return bearer;
    const retryAfter = context.limiter.call(call, bearer.token);
    if (retryAfter > 0) return refuse('ratelimited', { retryAfter });
    return method(params, bearer, context);
  };
  return { params, warnings, ruling: decide() };
}

/** The Web API's answer: 200 for all but too many requests. */
export function callAnswer(body: Fields, retryAfter?: number): PlainAnswer {
  const pause = retryAfter === undefined ? undefined : { 'retry-after': String(retryAfter) };
  return {
    status: retryAfter === undefined ? 200 : 429,
    headers: { 'content-type': 'application/json; charset=utf-8', ...pause },
    body: JSON.stringify(body),
  };
}

export function refusalBody({ error, errors, more }: Refusal): Fields {
  const messages = errors.map((each) => `[ERROR] ${each}`);
  const details = messages.length === 0 ? undefined : { errors, response_metadata: { messages } };
  return { ok: false, error, ...details, ...more };
}

/** Puts warnings into an answer. */
export function withWarnings(body: Fields, warnings: readonly string[]): Fields {
  if (warnings.length === 0) return body;
  const metadata = { ...(body.response_metadata as Fields | undefined), warnings };
  return { ...body, warning: warnings.join(','), response_metadata: metadata };
}

/** https://docs.slack.dev/reference/methods/auth.test */
function identity(bot: string): Fields {
  return {
    ok: true,
    url: 'https://hnotif.slack.com/',
    team: 'hnotif',
    user: 'hnotif',
    team_id: TEAM,
    user_id: userOf(bot),
    bot_id: bot,
    is_enterprise_install: false,
  };
}
