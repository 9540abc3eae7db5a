import { sleep, type Clock } from '../../../../clock.ts';
import type { Poster } from '../../../../requests/poster.ts';
import type { Reply } from '../../../../requests/reply.ts';

/** What happens to one request. */
export type Fate =
  | 'taken'
  /** The chat did it, and its answer was lost. */
  | 'unheard'
  /** It never reached the chat, and the client cannot know that. */
  | 'lost'
  /** It never reached the chat, and that is known. */
  | 'refused'
  | 'throttled'
  /** The transport accepts no more requests. */
  | 'closed'
  /** The chat does it at once, and answers a second later. */
  | 'slow'
  /** The chat did it a while after everybody had given it up. */
  | 'late';

export interface Stored {
  readonly channel: string;
  readonly ts: string;
  readonly thread: string | undefined;
  readonly metadata:
    | { readonly event_type: string; readonly event_payload: Record<string, string> }
    | undefined;
  readonly text: string;
  readonly blocks: readonly unknown[];
  readonly deleted: boolean;
  /** Of a root: all statuses that it showed. */
  readonly statuses: readonly string[];
}

export type Fields = Record<string, unknown>;

/** How long after its request a late one is done (milliseconds). */
const LATE_MS = 8_000;

/** The Web API as its pages describe it, in memory: the part that a thread needs. */
export class FakeChat {
  protected readonly clock: Clock;
  readonly messages: Stored[] = [];
  /** Each request: the method's last word. */
  readonly calls: string[] = [];
  /** `at`: monotonic milliseconds. */
  readonly requests: {
    readonly method: string;
    readonly type: string;
    readonly fields: Fields;
    readonly at: number;
  }[] = [];
  /** Asked for each request. */
  fate: (method: string) => Fate = () => 'taken';
  /** Answers instead of the method itself, if it gives anything. */
  answer: (method: string, fields: Fields) => Fields | undefined = () => undefined;
  mayReadHistory = true;
  /** What happens to a reply whose root was deleted. */
  lostThreads: 'unthread' | 'refuse' = 'unthread';
  #micros = 0;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Only its `post` is there. */
  get transport(): Poster {
    const post: Poster['post'] = (request) => this.#post(request);
    return { post } as Poster;
  }

  roots(): Stored[] {
    return this.messages.filter(
      ({ metadata, deleted }) => metadata?.event_type === 'hnotif_root' && !deleted,
    );
  }

  /** The ids of deliveries, in the order in which they arrived. */
  told(): string[] {
    return this.messages.flatMap(({ metadata }) =>
      metadata?.event_type === 'hnotif_event' ? [metadata.event_payload.delivery ?? ''] : [],
    );
  }

  /** What a user's click does. */
  remove({ ts }: Stored): void {
    const i = this.messages.findIndex((message) => message.ts === ts);
    const message = this.messages[i];
    if (message !== undefined) this.messages[i] = { ...message, deleted: true };
  }

  async #post({ url, headers, body, signal }: Parameters<Poster['post']>[0]): Promise<Reply> {
    const method = url.pathname.split('/').at(-1) ?? '';
    const type = headers['content-type'] ?? '';
    const text = String(body);
    const fields = type.includes('json')
      ? (JSON.parse(text) as Fields)
      : Object.fromEntries(new URLSearchParams(text));
    this.calls.push(method.split('.').at(-1) ?? '');
    this.requests.push({ method, type, fields, at: this.clock.monotonic() });
    if (signal?.aborted === true)
      return { kind: 'failed', sent: false, reason: 'Aborted', message: 'aborted' };
    await Promise.resolve();
    const fate = this.fate(method);
    const unheard = { kind: 'failed', sent: true, reason: 'ConnectionLost', message: 'lost' } as const;
    if (fate === 'lost') return unheard;
    if (fate === 'refused')
      return { kind: 'failed', sent: false, reason: 'ConnectionRefused', message: 'refused' };
    if (fate === 'throttled')
      return answerOf({ ok: false, error: 'ratelimited' }, 429, { 'retry-after': '2' });
    if (fate === 'late') {
      this.clock.after(LATE_MS, () => this.perform(method, fields));
      return unheard;
    }
    const done = this.answer(method, fields) ?? this.perform(method, fields);
    if (fate === 'slow') await sleep(this.clock, 1_000);
    return fate === 'unheard' ? unheard : answerOf(done, Number(done.error_code ?? 200));
  }

  /** Carries out a request. */
  protected perform(method: string, fields: Fields): Fields {
    switch (method) {
      case 'chat.postMessage':
        return this.#postMessage(fields);
      case 'chat.update':
        return this.#update(fields);
      case 'conversations.history':
        return this.#list(
          fields,
          this.messages.filter(({ thread, deleted }) => thread === undefined && !deleted).reverse(),
        );
      case 'conversations.replies':
        return this.#replies(fields);
      default:
        return { ok: false, error: 'unknown_method' };
    }
  }

  #postMessage(fields: Fields): Fields {
    const {
      channel,
      text = '',
      blocks = [],
      metadata,
      thread_ts: wanted,
    } = fields as unknown as Stored & {
      readonly thread_ts?: string;
    };
    const root = this.messages.find(({ ts }) => ts === wanted);
    // A root that is gone but has replies is a tombstone, under which the thread goes on.
    const goesOn =
      root !== undefined && (!root.deleted || this.messages.some(({ thread }) => thread === wanted));
    if (wanted !== undefined && !goesOn && this.lostThreads === 'refuse')
      return { ok: false, error: 'thread_not_found' };
    const thread = goesOn ? wanted : undefined;
    const ts = this.#nextTs();
    const statuses = metadata?.event_payload.status === undefined ? [] : [metadata.event_payload.status];
    this.messages.push({ channel, ts, thread, metadata, text, blocks, deleted: false, statuses });
    return {
      ok: true,
      channel,
      ts,
      message: { ts, text, ...(thread !== undefined && { thread_ts: thread }) },
    };
  }

  #update(fields: Fields): Fields {
    const i = this.messages.findIndex(({ ts, deleted }) => ts === fields.ts && !deleted);
    const old = this.messages[i];
    if (old === undefined) return { ok: false, error: 'message_not_found' };
    const { text, blocks, metadata = old.metadata } = fields as unknown as Stored;
    const status = metadata?.event_payload.status;
    const statuses = status === undefined ? old.statuses : [...old.statuses, status];
    this.messages[i] = { ...old, text, blocks, metadata, statuses };
    return { ok: true, channel: old.channel, ts: old.ts, text };
  }

  #replies(fields: Fields): Fields {
    const root = this.messages.find(({ ts }) => ts === fields.ts);
    if (root === undefined) return { ok: false, error: 'thread_not_found' };
    return this.#list(
      fields,
      this.messages.filter(({ thread }) => thread === fields.ts),
      root,
    );
  }

  #list({ oldest, latest, limit, cursor = '0' }: Fields, all: readonly Stored[], root?: Stored): Fields {
    if (!this.mayReadHistory)
      return { ok: false, error: 'missing_scope', needed: 'channels:history', provided: 'chat:write' };
    const within = all.filter(({ ts }) => Number(ts) > Number(oldest) && Number(ts) < Number(latest));
    const list = root === undefined ? within : [root, ...within];
    const [from, to] = [Number(cursor), Number(cursor) + Number(limit)];
    const messages = list.slice(from, to).map(({ ts, metadata }) => ({ ts, metadata }));
    const more = to < list.length;
    return {
      ok: true,
      messages,
      has_more: more,
      ...(more && { response_metadata: { next_cursor: String(to) } }),
    };
  }

  #nextTs(): string {
    this.#micros = Math.max(this.clock.now() * 1000, this.#micros + 1);
    const digits = String(this.#micros);
    return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
  }
}

const answerOf = (body: Fields, status = 200, headers: Record<string, string> = {}): Reply => ({
  kind: 'answer',
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
  truncated: false,
  hidden: false,
});
