import * as z from 'zod';
import type { Answer } from '../requests/reply.ts';
import { quoteBody } from './excerpt.ts';
import { parseJson } from './json.ts';
import type { Outcome } from './outcome.ts';
import { remedyFor, type OutcomeRow } from './outcome-table.ts';
import type { Proofs } from './proof.ts';
import { retryAfterMs } from './retry-after.ts';

/** What a chat answers at the address of its incoming webhook: the status decides. */
export interface HookAnswers {
  /** The field of the configuration that has the address. The address is a credential. */
  readonly field: string;
  /** The answer to a message that has arrived. */
  readonly success: readonly [status: number, body: string];
  /** By the code of a body `{"error": {"code": …}}`. They come before the status. Default: none. */
  readonly codes?: Readonly<Record<string, OutcomeRow>>;
  readonly statuses: Readonly<Record<number, OutcomeRow>>;
  /** For other statuses. `foreign`: a success that another service has given, such as a web page. */
  readonly others: Readonly<Record<'redirect' | 'other4xx' | 'other5xx' | 'foreign', OutcomeRow>>;
  /** What each answer proves about its message. */
  readonly proofs: Proofs;
}

/** The outcome of an answer that is no success of the chat. `templated`: whether the message is the output of a custom template. */
export function outcomeOfHook(
  answers: Pick<HookAnswers, 'codes' | 'statuses' | 'others'>,
  answer: Answer,
  {
    credentials,
    now,
    templated,
  }: { readonly credentials: readonly string[]; readonly now: number; readonly templated: boolean },
): Outcome {
  const { status, headers } = answer;
  const row = rowOfCode(answers.codes, answer) ?? rowOf(answers, status);
  const { kind, reason } = row;
  const message = `the chat answered ${status}${quoteBody(answer, credentials)}; ${remedyFor(row, templated)}`;
  const wait = status === 429 || status === 503 ? retryAfterMs(headers['retry-after'], now) : undefined;
  // A 503 with a time counts as a 429 (RFC 9110 section 10.2.3).
  return kind === 'throttled' || wait !== undefined
    ? { kind: 'throttled', reason, message, retryAfterMs: wait }
    : { kind, reason, message };
}

const WITH_CODE = z.object({ error: z.object({ code: z.string() }) });

function rowOfCode(codes: HookAnswers['codes'], { body }: Answer): OutcomeRow | undefined {
  if (codes === undefined) return undefined;
  const json = parseJson(body);
  const code = WITH_CODE.safeParse(json.ok ? json.value : undefined).data?.error.code;
  return code !== undefined && Object.hasOwn(codes, code) ? codes[code] : undefined;
}

function rowOf({ statuses, others }: Pick<HookAnswers, 'statuses' | 'others'>, status: number): OutcomeRow {
  const row = statuses[status];
  if (row !== undefined) return row;
  if (status < 300) return others.foreign;
  if (status < 400) return others.redirect;
  return status < 500 ? others.other4xx : others.other5xx;
}

/** Words of addresses that are no part of a credential. */
const PUBLIC: ReadonlySet<string> = new Set([
  ...['services', 'hooks', 'triggers', 'workflows', 'api'],
  ...['powerautomate', 'automations', 'direct', 'manual', 'paths', 'invoke'],
]);

/** All forms in which a receiver or a proxy may show the address of an incoming webhook. */
export function credentialsOfAddress(url: URL): string[] {
  const segments = url.pathname.split('/').filter((segment) => segment.length >= 6 && !PUBLIC.has(segment));
  const whole = [url.pathname + url.search, url.pathname].filter((path) => path !== '/');
  return [url.href, ...whole, ...segments, ...url.searchParams.values()];
}
