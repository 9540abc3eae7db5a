import * as z from 'zod';
import type { Clock } from '../../../clock.ts';
import type { SinkAddress } from '../../../resources/sink-address.ts';
import type { Poster } from '../../../requests/poster.ts';
import type { Secret } from '../../../redaction/secret.ts';
import type { Outcome } from '../../outcome.ts';
import { outcomeOfFailure } from '../../outcome-table.ts';
import { type Call, type Called, type Place, refused } from '../../roots/root-client.ts';
import { ABORTED } from '../../sink.ts';
import { type ApiBody, outcomeOfApiAnswer } from '../outcomes.ts';
import type { ChatMessage } from '../types.ts';
import { formOf, type Page, type PageQuery, pageOf } from './history-page.ts';
import type { Metadata } from './marker.ts';

/** Where a message was posted. */
export interface Posted extends Place {
  /** False: its thread is gone, and the message is in the channel itself. */
  readonly threaded: boolean;
}

/** The methods of the Web API for threads. Each makes one request and never rejects. */
export interface ChatApi {
  post(
    message: ChatMessage,
    /** `broadcast`: the channel shows the reply, too. Default false. */
    to: { readonly channel: string; readonly thread?: string; readonly broadcast?: boolean },
    metadata: Metadata | undefined,
    call: Call,
  ): Promise<Called<Posted>>;
  /** Undefined metadata do not change. */
  update(
    message: ChatMessage,
    at: Place,
    metadata: Metadata | undefined,
    call: Call,
  ): Promise<Called<undefined>>;
  /** Messages of a channel, without replies. */
  history(query: PageQuery, call: Call): Promise<Called<Page>>;
  /** A root and its replies, oldest first. */
  replies(query: PageQuery & { readonly thread: string }, call: Call): Promise<Called<Page>>;
}

/** The message is gone, is not ours, or can no longer be edited: https://docs.slack.dev/reference/methods/chat.update/ */
const GONE: ReadonlySet<string> = new Set(['message_not_found', 'cant_update_message', 'edit_window_closed']);

type Method = 'chat.postMessage' | 'chat.update' | 'conversations.history' | 'conversations.replies';

interface ApiSettings {
  readonly transport: Poster;
  readonly clock: Clock;
  /** hnotif's version, for `User-Agent`. */
  readonly version: string;
  readonly chatApiUrl: string;
  readonly address: SinkAddress;
}

/**
 * The Web API with one token. Writing methods take JSON, with its charset (https://docs.slack.dev/apis/web-api/); reading
 * methods take forms.
 */
export function webApi(
  token: Secret,
  { transport, clock, version, chatApiUrl, address }: ApiSettings,
): ChatApi {
  const secrets = [token.reveal()];

  const request = async (
    method: Method,
    contentType: string,
    body: string,
    { answered, signal, slot }: Call,
  ): Promise<Called<ApiBody>> => {
    if (!(await slot())) return refused(undefined, ABORTED);
    const sentAt = clock.now();
    const reply = await transport.post({
      url: new URL(`${chatApiUrl}/${method}`),
      owner: address.namespace,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token.reveal()}`,
        'content-type': contentType,
        'user-agent': `hnotif/${version}`,
      },
      body,
      signal,
    });
    if (reply.kind === 'failed') return refused(sentAt, outcomeOfFailure(reply, secrets));
    answered?.(reply.status);
    const { outcome, error, body: read } = outcomeOfApiAnswer(reply, { secrets, now: clock.now() });
    if (read !== undefined) return { ok: true, value: read };
    return refused(sentAt, outcome, reply.truncated ? 'truncated' : error);
  };
  const read = async (method: Method, fields: Record<string, string>, call: Call): Promise<Called<Page>> => {
    const form = new URLSearchParams(fields).toString();
    const called = await request(method, 'application/x-www-form-urlencoded', form, call);
    return called.ok ? { ok: true, value: pageOf(called.value) } : called;
  };

  return {
    async post(message, { channel, thread, broadcast = false }, metadata, call) {
      const fields = {
        ...{ ...BARE, ...message, channel, thread_ts: thread, metadata },
        ...(broadcast && { reply_broadcast: true }),
      };
      const begun = clock.now();
      const called = await request('chat.postMessage', JSON_TYPE, wellFormedJson(fields), call);
      return called.ok ? postedIn(called.value, thread, begun) : called;
    },
    async update(message, { channel, ts }, metadata, call) {
      // Absent blocks may stay unchanged: https://docs.slack.dev/reference/methods/chat.update/
      const { text, blocks = [] } = message;
      const fields = { parse: BARE.parse, text, blocks, channel, ts, metadata };
      const called = await request('chat.update', JSON_TYPE, wellFormedJson(fields), call);
      return called.ok ? { ok: true, value: undefined } : { ...called, gone: GONE.has(called.code) };
    },
    history: (query, call) => read('conversations.history', formOf(query), call),
    replies: (query, call) => read('conversations.replies', { ...formOf(query), ts: query.thread }, call),
  };
}

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * The chat makes no links and previews from plain text.
 * https://docs.slack.dev/messaging/formatting-message-text#automatic-parsing
 */
const BARE = { parse: 'none', unfurl_links: false, unfurl_media: false };

const DELIVERED: Outcome = { kind: 'delivered', status: 200 };

const posted = z.object({
  channel: z.string(),
  ts: z.string(),
  message: z.object({ thread_ts: z.string().optional() }).optional().catch(undefined),
});

/** Where a message is that was posted in `thread`, or in the channel. */
function postedIn(body: ApiBody, thread: string | undefined, begun: number): Called<Posted> {
  const { success, data } = posted.safeParse(body);
  if (!success) return refused(begun, DELIVERED);
  const { channel, message, ts } = data;
  const isInThread = message === undefined || message.thread_ts !== undefined;
  return { ok: true, value: { channel, ts, threaded: thread === undefined || isInThread } };
}

/** Half a surrogate pair, as a JSON escape, makes the whole message invalid. Few messages have one: to look at each text is slow. */
function wellFormedJson(fields: object): string {
  const json = JSON.stringify(fields);
  return /\\ud[89a-f]/.test(json) ? JSON.stringify(fields, wellFormed) : json;
}

const wellFormed = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed() : value;
