import {
  startBotchatReceiver,
  startTeamchatReceiver,
  startWebhookReceiver,
  type Answer,
  type BotchatReceiver,
  type FaultMatch,
  type FaultRule,
  type TeamchatMessage,
  type TeamchatReceiver,
  type WebhookReceiver,
} from '@hnotif/receivers';
import type { Dice } from '../storm/dice.ts';
import type { Arrival, RootMessage, SinkSpec } from './record.ts';

/** The longest latency of the receivers (milliseconds). */
const LATENCY_MS = 800;
/** More than any run sends. */
const PLENTY = { rate: 1_000, unit: 'second', burst: 1_000 };

/** What goes wrong with a message, and how often. */
const FAULTS: readonly Pick<FaultRule, 'fault' | 'probability'>[] = [
  { probability: 0.08, fault: { kind: 'latency', ms: 80 } },
  { probability: 0.01, fault: { kind: 'latency', ms: LATENCY_MS } },
  { probability: 0.01, fault: { kind: 'status', status: 500 } },
  { probability: 0.01, fault: { kind: 'status', status: 503 } },
  { probability: 0.005, fault: { kind: 'status', status: 502, accepted: true } },
  { probability: 0.001, fault: { kind: 'status', status: 429, retryAfter: { inSeconds: 1 } } },
  { probability: 0.01, fault: { kind: 'reset-before-accept' } },
  { probability: 0.01, fault: { kind: 'reset-after-accept' } },
];

/** The receivers of all sinks; they keep what arrived, in a few words. */
export class Post {
  readonly arrivals: Arrival[] = [];
  readonly #webhook: WebhookReceiver;
  readonly #chat: TeamchatReceiver;
  readonly #bot: BotchatReceiver;
  readonly #threads: readonly string[];
  readonly #sinkOfChat = new Map<string, string>();

  private constructor(
    webhook: WebhookReceiver,
    chat: TeamchatReceiver,
    bot: BotchatReceiver,
    threads: readonly string[],
  ) {
    this.#webhook = webhook;
    this.#chat = chat;
    this.#bot = bot;
    this.#threads = threads;
    webhook.onRecord(({ id, path, json, answered }) => {
      const { context } = objectOf(json);
      this.#keep({ sink: path.slice(1), id, message: context, thread: '', answered });
    });
    chat.onRecord(({ call, path, params, answered, message }) => {
      const { metadata, channel, thread_ts: thread = '', text } = params as Record<string, unknown>;
      if (call === 'webhook') {
        const sink = path.split('/').at(-1) ?? '';
        this.#keep({ sink, id: '', message: textOf(text), thread: '', answered });
        return;
      }
      const { event_type: type, event_payload: payload } = objectOf(metadata);
      if (call !== 'chat.postMessage' || type !== 'hnotif_event') return;
      const sink = this.#sinkOfChat.get(String(channel)) ?? String(channel);
      // Where it stands counts, not where it was asked to.
      const stands = message?.threadTs ?? (message === undefined ? String(thread) : '');
      this.#keep({
        sink,
        id: String(objectOf(payload).delivery),
        message: { text },
        thread: stands,
        answered,
      });
    });
    bot.onRecord(({ call, params, answered }) => {
      const { chat_id: chatId, text } = params as Record<string, unknown>;
      if (call !== 'sendMessage') return;
      const sink = this.#sinkOfChat.get(String(chatId)) ?? String(chatId);
      this.#keep({ sink, id: '', message: textOf(text), thread: '', answered });
    });
  }

  /** `threads`: the sinks that keep threads; each gets a channel of its own. */
  static async open(threads: readonly string[], dice: Dice): Promise<Post> {
    const channels = threads.map((sink) => ({ id: channelOf(sink) }));
    const random = (): (() => number) => {
      const own = dice.fork();
      return () => own.next();
    };
    const [webhook, chat, bot] = await Promise.all([
      startWebhookReceiver({ keep: 10, random: random() }),
      startTeamchatReceiver({ keep: 10, random: random(), channels: [{ id: 'C0ROOM' }, ...channels] }),
      startBotchatReceiver({ keep: 10, random: random() }),
    ]);
    const post = new Post(webhook, chat, bot, threads);
    for (const sink of threads) post.#sinkOfChat.set(channelOf(sink), sink);
    return post;
  }

  get chatApiUrl(): string {
    return this.#chat.apiUrl;
  }

  get botApiUrl(): string {
    return this.#bot.origin;
  }

  /** The configuration of a sink. */
  configOf({ name, form }: SinkSpec): object {
    switch (form) {
      case 'webhook':
        return { url: `${this.#webhook.url}${name}` };
      case 'channel':
        return { webhook_url: this.#chat.webhookUrl(`/services/${name}`), rate_limit: PLENTY };
      case 'thread':
        return {
          ...{ bot_token: 'xoxb-test', channel_id: channelOf(name), delivery_mode: 'thread' },
          rate_limit: PLENTY,
        };
      case 'botchat': {
        const chat = String(-1_000_000_000_000 - this.#sinkOfChat.size);
        this.#sinkOfChat.set(chat, name);
        return { token: '123456:chaos', chat_id: chat, rate_limit: PLENTY };
      }
    }
  }

  /** From now on things go wrong. */
  misbehave(): void {
    for (const rule of FAULTS) {
      this.#webhook.faults.add(rule);
      this.#bot.faults.add(rule);
      for (const match of CALLS) this.#chat.faults.add({ ...rule, match });
    }
  }

  behave(): void {
    for (const receiver of [this.#webhook, this.#chat, this.#bot]) receiver.faults.clear();
  }

  /** The roots in the channels of the threads. */
  roots(): RootMessage[] {
    return this.#threads.flatMap((sink) =>
      this.#chat
        .channel(channelOf(sink))
        .messages.filter(({ metadata }) => metadata?.event_type === 'hnotif_root')
        .map(({ ts, text }: TeamchatMessage) => ({ sink, ts, text })),
    );
  }

  async close(): Promise<void> {
    await Promise.all([this.#webhook, this.#chat, this.#bot].map((receiver) => receiver.close()));
  }

  #keep({
    answered,
    ...arrival
  }: Pick<Arrival, 'sink' | 'id' | 'message' | 'thread'> & { answered: Answer }): void {
    // Of a request that was cut off nothing is known, and nothing follows.
    if (arrival.message === undefined) return;
    const { accepted, fault, status } = answered;
    this.arrivals.push({
      ...arrival,
      ...{ at: Date.now(), accepted, told: toldBy(status) },
      lateMs: fault === 'latency' ? LATENCY_MS : 0,
    });
  }
}

/** Which requests of the chat are spoiled. */
const CALLS: readonly FaultMatch[] = [
  { call: 'chat.postMessage' },
  { call: 'chat.update' },
  { call: 'conversations.history' },
  { call: 'conversations.replies' },
  { path: '/services/room' },
];

/** docs/receivers.md: no answer, 502 and 504 tell nothing. */
function toldBy(status: number | undefined): Arrival['told'] {
  if (status === undefined || status === 502 || status === 504) return 'unclear';
  return status < 300 ? 'accepted' : 'refused';
}

const channelOf = (sink: string): string => `C0${sink.toUpperCase()}`;

const textOf = (text: unknown): object | undefined => (text === undefined ? undefined : { text });

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
