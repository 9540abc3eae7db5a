import {
  startBotchatReceiver,
  startTeamchatReceiver,
  startWebhookReceiver,
  type BotchatReceiver,
  type BotchatRecord,
  type FaultMatch,
  type FaultRule,
  type TeamchatMessage,
  type TeamchatReceiver,
  type TeamchatRecord,
  type WebhookReceiver,
  type WebhookRecord,
} from '@hnotif/receivers';
import type { Dice } from '../../dice.ts';
import { arrivalOf, webhookArrival } from '../../arrivals.ts';
import { PLENTY } from '../../objects.ts';
import type { Mode } from './modes.ts';
import { NIGHT } from '../../checker/boards.ts';
import type { Arrival, BoardMessage, RootMessage, SinkSpec } from '../../record.ts';

/** The longest latency of the receivers (milliseconds). */
const LATENCY_MS = 800;
/** Records that a receiver keeps, until they are settled. */
const KEPT = 10_000;
/** More than any run sends. */
const TOKENS = { threads: 'xoxb-test', boards: 'xoxb-boards' };
const MINUTE_MS = 60_000;

/** The faults of receivers, with their probabilities. */
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

/** The share of messages that are permanently refused at the first attempt. A second attempt with the same id would be accepted. */
const REFUSALS = 0.02;
/** The delays of late requests (milliseconds). A sender waits for 10 s. */
const LATE_MS = [2_000, 5_000, 9_500] as const;
/** The share of late requests, of all delays together. */
const LATE = 0.006;

export interface ReceiversOptions {
  /** Sinks with threads. Each gets its own channel. */
  readonly threads: readonly string[];
  /** Sinks with boards. Each gets its own channel. */
  readonly boards: readonly string[];
  /** Sinks whose receivers are down until the end. */
  readonly dead: readonly string[];
  readonly modes: ReadonlySet<Mode>;
}

/** The receivers of all sinks. They record the messages in short form. */
export class Receivers {
  readonly arrivals: Arrival[] = [];
  /** Updates of cards. */
  updates = 0;
  readonly #webhook: WebhookReceiver;
  readonly #chat: TeamchatReceiver;
  readonly #bot: BotchatReceiver;
  readonly #options: ReceiversOptions;
  readonly #sinkOfChat = new Map<string, string>();
  /** By sink and text of a board: when it was first accepted. */
  readonly #shownAt = new Map<string, number>();

  private constructor(
    webhook: WebhookReceiver,
    chat: TeamchatReceiver,
    bot: BotchatReceiver,
    options: ReceiversOptions,
  ) {
    this.#webhook = webhook;
    this.#chat = chat;
    this.#bot = bot;
    this.#options = options;
    const onWebhook = (record: WebhookRecord): void => {
      const arrival = webhookArrival(record, LATENCY_MS);
      if (arrival !== undefined && !options.dead.includes(arrival.sink)) this.arrivals.push(arrival);
    };
    const onChat = ({ call, path, params, answered, arrivedAt, message }: TeamchatRecord): void => {
      if (call === 'chat.update') this.updates++;
      const { metadata, channel, thread_ts: thread = '', text } = params as Record<string, unknown>;
      if (call === 'webhook') {
        const sink = path.split('/').at(-1) ?? '';
        this.#keep({ sink, id: '', message: textOf(text), thread: '', answered, arrivedAt });
        return;
      }
      const { event_type: type, event_payload: payload } = objectOf(metadata);
      if (type === 'hnotif_root' && answered.accepted) {
        const shown = `${this.#sinkOfChat.get(String(channel))} ${String(text)}`;
        if (!this.#shownAt.has(shown)) this.#shownAt.set(shown, Date.now());
      }
      if (call !== 'chat.postMessage' || type !== 'hnotif_event') return;
      const sink = this.#sinkOfChat.get(String(channel)) ?? String(channel);
      // The actual thread counts, not the requested one.
      const actual = message?.threadTs ?? (message === undefined ? String(thread) : '');
      this.#keep({
        sink,
        id: String(objectOf(payload).delivery),
        message: { text },
        thread: actual,
        answered,
        arrivedAt,
      });
    };
    const onBot = ({ call, params, answered, arrivedAt }: BotchatRecord): void => {
      const { chat_id: chatId, text } = params as Record<string, unknown>;
      if (call !== 'sendMessage') return;
      const sink = this.#sinkOfChat.get(String(chatId)) ?? String(chatId);
      this.#keep({ sink, id: '', message: textOf(text), thread: '', answered, arrivedAt });
    };
    webhook.onRecord(onWebhook);
    chat.onRecord(onChat);
    bot.onRecord(onBot);
    webhook.onAmended(onWebhook);
    chat.onAmended(onChat);
    bot.onAmended(onBot);
  }

  static async open(options: ReceiversOptions, dice: Dice): Promise<Receivers> {
    const { threads, boards, dead } = options;
    const channels = [...threads, ...boards].map((sink) => ({ id: channelOf(sink) }));
    const random = (): (() => number) => {
      const own = dice.fork();
      return () => own.next();
    };
    const [webhook, chat, bot] = await Promise.all([
      startWebhookReceiver({ keep: KEPT, random: random() }),
      startTeamchatReceiver({
        ...{ keep: KEPT, random: random(), channels: [{ id: 'C0ROOM' }, ...channels] },
        // The chat takes 50 updates a minute for a token.
        tokens: { [TOKENS.threads]: {}, [TOKENS.boards]: {} },
      }),
      startBotchatReceiver({ keep: KEPT, random: random() }),
    ]);
    const receivers = new Receivers(webhook, chat, bot, options);
    for (const sink of dead)
      webhook.faults.add({ match: { path: `/${sink}` }, fault: { kind: 'status', status: 503 } });
    for (const sink of [...threads, ...boards]) receivers.#sinkOfChat.set(channelOf(sink), sink);
    return receivers;
  }

  get boardSinks(): readonly string[] {
    return this.#options.boards;
  }

  get deadSinks(): readonly string[] {
    return this.#options.dead;
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
          ...{ bot_token: TOKENS.threads, channel_id: channelOf(name), delivery_mode: 'thread' },
          rate_limit: PLENTY,
        };
      case 'board':
        return {
          ...{ bot_token: TOKENS.boards, channel_id: channelOf(name), delivery_mode: 'board' },
          ...{ board_quiet: NIGHT.quietMs / MINUTE_MS, board_max: NIGHT.maxMs / MINUTE_MS },
          ...{ time_display: 'utc', time_layout: '2006-01-02T15:04:05Z', rate_limit: PLENTY },
        };
      case 'botchat': {
        const chat = String(-1_000_000_000_000 - this.#sinkOfChat.size);
        this.#sinkOfChat.set(chat, name);
        return { token: '123456:chaos', chat_id: chat, rate_limit: PLENTY };
      }
    }
  }

  /** Adds the faults. */
  misbehave(): void {
    const { modes } = this.#options;
    if (modes.has('refusals'))
      this.#webhook.faults.add({
        ...{ match: { attempt: 1 }, probability: REFUSALS },
        fault: { kind: 'status', status: 400 },
      });
    if (modes.has('late'))
      for (const ms of LATE_MS) {
        const rule = { probability: LATE / LATE_MS.length, fault: { kind: 'late', ms } } as const;
        this.#webhook.faults.add(rule);
        this.#bot.faults.add(rule);
        for (const match of CALLS) this.#chat.faults.add({ ...rule, match });
      }
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
    return this.#rootsIn(this.#options.threads);
  }

  /** The boards in their channels. */
  boards(): BoardMessage[] {
    return this.#rootsIn(this.#options.boards).map(({ sink, ts, text, edits }) => ({
      ...{ sink, ts },
      texts: [...edits, text].map((each) => ({
        ...{ at: this.#shownAt.get(`${sink} ${each}`) ?? Infinity, text: each },
      })),
    }));
  }

  #rootsIn(sinks: readonly string[]): RootMessage[] {
    return sinks.flatMap((sink) =>
      this.#chat
        .channel(channelOf(sink))
        .messages.filter(({ metadata }) => metadata?.event_type === 'hnotif_root')
        .map(({ ts, text, edits }: TeamchatMessage) => ({
          ...{ sink, ts, text },
          edits: edits.map((before) => before.text ?? ''),
        })),
    );
  }

  /** The number of cards that do not show yet how their runs ended. */
  cardsBehind(): number {
    const cards = new Map(this.roots().map(({ sink, ts, text }) => [`${sink} ${ts}`, headingOf(text)]));
    const ends = new Map<string, string>();
    for (const { sink, thread, message, accepted } of this.arrivals) {
      const end = /^(?!.*Target Progress).*(Completed|Failed)\*?$/.exec(
        headingOf(String(objectOf(message).text)),
      )?.[1];
      if (thread !== '' && accepted && end !== undefined) ends.set(`${sink} ${thread}`, end);
    }
    return [...ends].filter(([thread, end]) => cards.get(thread)?.includes(end) === false).length;
  }

  async close(): Promise<void> {
    await Promise.all([this.#webhook, this.#chat, this.#bot].map((receiver) => receiver.close()));
  }

  #keep({
    answered,
    arrivedAt,
    ...message
  }: Parameters<typeof arrivalOf>[0] & Parameters<typeof arrivalOf>[1]): void {
    const arrival = arrivalOf(message, { answered, arrivedAt }, LATENCY_MS);
    if (arrival !== undefined) this.arrivals.push(arrival);
  }
}

/** The requests of the chat that get faults. */
const CALLS: readonly FaultMatch[] = [
  { call: 'chat.postMessage' },
  { call: 'chat.update' },
  { call: 'conversations.history' },
  { call: 'conversations.replies' },
  { path: '/services/room' },
];

const channelOf = (sink: string): string => `C0${sink.toUpperCase()}`;

const headingOf = (text: string): string => text.split('\n')[0] ?? '';

const textOf = (text: unknown): object | undefined => (text === undefined ? undefined : { text });

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
