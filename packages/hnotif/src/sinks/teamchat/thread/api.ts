import { z } from 'zod';
import type { Secret } from '../../../transport/secret.ts';
import type { SinkSettings } from '../../deps.ts';
import type { Outcome } from '../../outcome.ts';
import { outcomeOfFailure } from '../../outcome-table.ts';
import { type ApiBody, outcomeOfApiAnswer } from '../outcomes.ts';
import type { ChatMessage } from '../types.ts';
import { type Marker, markerOf, type Metadata } from './marker.ts';

/** A call that did not do what was asked. */
export interface Refused {
  readonly ok: false;
  /** The word of the Web API; `truncated`: the answer is longer than what is read of one; `''`: none came. */
  readonly code: string;
  readonly outcome: Exclude<Outcome, { kind: 'delivered' | 'continue' }>;
}

export type Called<T> = { readonly ok: true; readonly value: T } | Refused;

/** Where a message was posted. */
export interface Posted {
  readonly channel: string;
  readonly ts: string;
  /** False: the thread it was meant for is gone, and it stands in the channel itself. */
  readonly threaded: boolean;
}

/** A message of ours that was read. */
export interface Found {
  readonly ts: string;
  readonly marker: Marker;
}

export interface Page {
  /** How many messages it has, those of others too. */
  readonly count: number;
  readonly ours: readonly Found[];
  /** Of the next page; `''`: this is the last one. */
  readonly cursor: string;
}

export interface PageQuery {
  readonly channel: string;
  /** Milliseconds since the epoch, both ends exclusive. */
  readonly oldest: number;
  readonly latest: number;
  readonly limit: number;
  readonly cursor: string;
}

/** The methods of the Web API that threads are made of. Each makes one request and never rejects. */
export interface ChatApi {
  post(
    message: ChatMessage,
    to: { readonly channel: string; readonly thread?: string },
    metadata: Metadata | undefined,
    signal: AbortSignal,
  ): Promise<Called<Posted>>;
  /** Without metadata: they stay as they are. */
  update(
    message: ChatMessage,
    at: { readonly channel: string; readonly ts: string },
    metadata: Metadata | undefined,
    signal: AbortSignal,
  ): Promise<Called<undefined>>;
  /** Messages of a channel, without replies. */
  history(query: PageQuery, signal: AbortSignal): Promise<Called<Page>>;
  /** A root and its replies, the oldest first. */
  replies(query: PageQuery & { readonly thread: string }, signal: AbortSignal): Promise<Called<Page>>;
}

type Method = 'chat.postMessage' | 'chat.update' | 'conversations.history' | 'conversations.replies';

/**
 * The Web API with one token. Writing methods take JSON, with its charset (https://docs.slack.dev/apis/web-api/); the reading
 * ones are asked with forms, which all versions of their pages allow.
 */
export function webApi(token: Secret, settings: SinkSettings): ChatApi {
  const { transport, clock, version, chatApiUrl } = settings;
  const secrets = [token.reveal()];

  const call = async (
    method: Method,
    contentType: string,
    body: string,
    signal: AbortSignal,
  ): Promise<Called<ApiBody>> => {
    const reply = await transport.post({
      url: new URL(`${chatApiUrl}/${method}`),
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token.reveal()}`,
        'content-type': contentType,
        'user-agent': `hnotif/${version}`,
      },
      body,
      signal,
    });
    if (reply.kind === 'failed') return refused('', outcomeOfFailure(reply, secrets));
    const { outcome, error, body: read } = outcomeOfApiAnswer(reply, secrets, clock.now());
    if (read !== undefined) return { ok: true, value: read };
    return refused(reply.truncated ? 'truncated' : (error ?? ''), outcome);
  };
  const write = (method: Method, fields: object, signal: AbortSignal): Promise<Called<ApiBody>> =>
    call(method, 'application/json; charset=utf-8', JSON.stringify(fields, wellFormed), signal);
  const read = async (method: Method, fields: Record<string, string>, signal: AbortSignal) => {
    const form = new URLSearchParams(fields).toString();
    const called = await call(method, 'application/x-www-form-urlencoded', form, signal);
    return called.ok ? { ok: true as const, value: pageOf(called.value) } : called;
  };

  return {
    async post(message, { channel, thread }, metadata, signal) {
      const fields = { ...BARE, ...message, channel, thread_ts: thread, metadata };
      const called = await write('chat.postMessage', fields, signal);
      if (!called.ok) return called;
      const { success, data } = posted.safeParse(called.value);
      if (!success) return NO_PLACE;
      const inThread = data.message === undefined || data.message.thread_ts !== undefined;
      const threaded = thread === undefined || inThread;
      return { ok: true, value: { channel: data.channel, ts: data.ts, threaded } };
    },
    async update(message, { channel, ts }, metadata, signal) {
      // Blocks that are left out may stay as they were: https://docs.slack.dev/reference/methods/chat.update/
      const { text, blocks = [] } = message;
      const fields = { parse: BARE.parse, text, blocks, channel, ts, metadata };
      const called = await write('chat.update', fields, signal);
      return called.ok ? { ok: true, value: undefined } : called;
    },
    history: (query, signal) => read('conversations.history', formOf(query), signal),
    replies: (query, signal) => read('conversations.replies', { ...formOf(query), ts: query.thread }, signal),
  };
}

/**
 * No links and previews are made of what stands bare in a text.
 * https://docs.slack.dev/messaging/formatting-message-text#automatic-parsing
 */
const BARE = { parse: 'none', unfurl_links: false, unfurl_media: false };

const formOf = ({ channel, oldest, latest, limit, cursor }: PageQuery): Record<string, string> => ({
  channel,
  oldest: (oldest / 1000).toFixed(6),
  latest: (latest / 1000).toFixed(6),
  limit: String(limit),
  include_all_metadata: 'true',
  ...(cursor !== '' && { cursor }),
});

const posted = z.object({
  channel: z.string(),
  ts: z.string(),
  message: z.object({ thread_ts: z.string().optional() }).optional().catch(undefined),
});

/** A success that does not say where the message is. */
const NO_PLACE: Refused = {
  ok: false,
  code: '',
  outcome: {
    kind: 'ambiguous',
    reason: 'BadAnswer',
    message: 'the chat took the message but did not say where it is; check --chat-api-url and any proxy',
  },
};

const message = z.object({ ts: z.string(), metadata: z.unknown() });

function pageOf(body: ApiBody): Page {
  const messages = Array.isArray(body.messages) ? (body.messages as readonly unknown[]) : [];
  const ours = messages.flatMap((each) => {
    const { data } = message.safeParse(each);
    const marker = data === undefined ? undefined : markerOf(data.metadata);
    return data === undefined || marker === undefined ? [] : [{ ts: data.ts, marker }];
  });
  return { count: messages.length, ours, cursor: body.response_metadata?.next_cursor ?? '' };
}

const refused = (code: string, outcome: Outcome): Refused =>
  outcome.kind === 'delivered' || outcome.kind === 'continue' ? NO_PLACE : { ok: false, code, outcome };

/** Half a surrogate pair is no character: as a JSON escape it makes the whole message invalid. */
const wellFormed = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed() : value;
