import type { Decision, Request } from '../../../../receivers/src/decision.ts';
import { botchat, posted, teamchat } from '../../../../receivers/src/testing/without-http.ts';
import type { TeamchatMessage } from '../../../../receivers/src/teamchat/message.ts';
import { sleep, type Clock } from '../../clock.ts';
import type { Poster } from '../../requests/poster.ts';
import type { Reply } from '../../requests/reply.ts';

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

/** A message as its readers see it. */
export interface Shown {
  readonly channel: string;
  readonly ts: string;
  readonly thread: string | undefined;
  /** With the data of hnotif. */
  readonly metadata?: TeamchatMessage['metadata'];
  /** With its markup. */
  readonly text: string;
  readonly blocks: readonly unknown[];
  /** Of a root: all statuses that it showed. */
  readonly statuses: readonly unknown[];
}

type Fields = Record<string, unknown>;

/** How long after its request a late one is done (milliseconds). */
const LATE_MS = 8_000;

/** A simulator of packages/receivers without HTTP, in the time of a test, and what happens on the way there. */
export abstract class Chat {
  protected readonly clock: Clock;
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

  #shown: readonly Shown[] | undefined;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  protected abstract handle(request: Request): Decision<object>;
  protected abstract read(): readonly Shown[];
  protected abstract delete(message: Shown): void;
  abstract roots(): readonly Shown[];

  /** All messages that are not deleted, oldest first. */
  get messages(): readonly Shown[] {
    return (this.#shown ??= this.read());
  }

  /** What a user's click does. */
  remove(message: Shown): void {
    this.#shown = undefined;
    this.delete(message);
  }

  /** Only its `post` is there. */
  get transport(): Poster {
    const post: Poster['post'] = (request) => this.#post(request);
    return { post } as Poster;
  }

  async #post({ url, headers, body, signal }: Parameters<Poster['post']>[0]): Promise<Reply> {
    const { pathname } = url;
    const method = pathname.split('/').at(-1) ?? '';
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
    const perform = (): Reply => {
      this.#shown = undefined;
      const {
        status,
        headers: more,
        body,
      } = this.handle(posted(pathname, text, headers, this.clock.now())).settle().answer;
      return answered(body, status, more);
    };
    const fate = this.fate(method);
    const unheard = { kind: 'failed', sent: true, reason: 'ConnectionLost', message: 'lost' } as const;
    if (fate === 'lost') return unheard;
    if (fate === 'refused')
      return { kind: 'failed', sent: false, reason: 'ConnectionRefused', message: 'refused' };
    if (fate === 'throttled')
      return answered('{"ok":false,"error":"ratelimited"}', 429, { 'retry-after': '2' });
    if (fate === 'late') {
      this.clock.after(LATE_MS, perform);
      return unheard;
    }
    const instead = this.answer(method, fields);
    const done =
      instead === undefined
        ? perform()
        : answered(JSON.stringify(instead), Number(instead.error_code ?? 200), {});
    if (fate === 'slow') await sleep(this.clock, 1_000);
    return fate === 'unheard' ? unheard : done;
  }
}

const answered = (body: string, status: number, headers: Readonly<Record<string, string>>): Reply => ({
  ...{ kind: 'answer', status, body, truncated: false, hidden: false },
  headers: { 'content-type': 'application/json', ...headers },
});

export class TeamchatChat extends Chat {
  readonly #chat = teamchat({
    ...{ channels: ['C1', 'C2', 'C0123456789'], token: 'xoxb-canary', now: () => this.clock.now() },
  });
  readonly #statuses = new Map<string, unknown[]>();

  set mayReadHistory(may: boolean) {
    this.#chat.tokens.set('xoxb-canary', { scopes: ['chat:write', ...(may ? ['channels:history'] : [])] });
  }

  /** What happens to a reply whose root was deleted. */
  set lostThreads(what: 'unthread' | 'refuse') {
    this.#chat.manners.lostThreads = what;
  }

  protected override handle(request: Request): Decision<object> {
    const decision = this.#chat.handle(request);
    return {
      ...decision,
      settle: () => {
        const settled = decision.settle();
        const { ts = '', metadata } = settled.findings?.message ?? {};
        const status = metadata?.event_payload.status;
        if (status !== undefined) this.#statuses.set(ts, [...(this.#statuses.get(ts) ?? []), status]);
        return settled;
      },
    };
  }

  protected override read(): readonly Shown[] {
    return ['C1', 'C2', 'C0123456789']
      .flatMap((channel) => this.#chat.workspace.messages(channel))
      .flatMap((root) => [...(root.deleted ? [] : [root]), ...root.replies])
      .sort((a, b) => (a.ts < b.ts ? -1 : 1))
      .map(({ channel, ts, threadTs: thread, metadata, text = '', blocks }) => ({
        ...{ channel, ts, thread, metadata, text, blocks, statuses: this.#statuses.get(ts) ?? [] },
      }));
  }

  override roots(): readonly Shown[] {
    return this.messages.filter(({ metadata }) => metadata?.event_type === 'hnotif_root');
  }

  /** The ids of deliveries, in the order in which they arrived. */
  told(): string[] {
    return this.messages.flatMap(({ metadata }) =>
      metadata?.event_type === 'hnotif_event' ? [String(metadata.event_payload.delivery)] : [],
    );
  }

  protected override delete({ ts }: Shown): void {
    this.#chat.workspace.remove(ts);
  }
}

export class BotchatChat extends Chat {
  readonly #chat = botchat();

  protected override handle(request: Request): Decision<object> {
    return this.#chat.handle(request);
  }

  protected override read(): readonly Shown[] {
    return [-1_001_234_567_890, -1_009_876_543_210].flatMap((chat) =>
      this.#chat.chats.messages(chat).map(({ message_id, replyTo, source: { text } }) => ({
        ...{ channel: String(chat), ts: String(message_id), thread: replyTo && String(replyTo.message_id) },
        ...{ text, blocks: [], statuses: [] },
      })),
    );
  }

  override roots(): readonly Shown[] {
    return this.messages.filter(({ thread }) => thread === undefined);
  }

  protected override delete({ channel, ts }: Shown): void {
    this.#chat.chats.remove(Number(channel), Number(ts));
  }
}
