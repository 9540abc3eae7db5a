import type {
  BotchatReceiver,
  BotchatRecord,
  FaultMatch,
  FaultRule,
  TeamchatMessage,
  TeamchatReceiver,
  TeamchatRecord,
  WebhookReceiver,
  WebhookRecord,
} from '@hnotif/receivers';
import type { Dice } from '../../dice.ts';
import { arrivalOf, webhookArrival } from '../../arrivals.ts';
import { PLENTY } from '../../objects.ts';
import { type Mode, deadOf, notificationsOf } from './setting.ts';
import { NIGHT } from '../../checker/boards.ts';
import type { Arrival, BoardMessage, Form, RootMessage, SinkSpec } from '../../record.ts';
import type { World } from '../../world.ts';

/** The longest latency of the receivers (milliseconds). */
const LATENCY_MS = 800;
/** Records that a receiver keeps, until they are settled. */
export const KEPT = 10_000;
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
/** Late requests. A sender waits for 10 s. */
const LATE: typeof FAULTS = [2_000, 5_000, 9_500].map((ms) => ({
  ...{ probability: 0.002, fault: { kind: 'late', ms } },
}));

/** The receivers of all sinks. They record the messages in short form. */
export class Receivers {
  readonly arrivals: Arrival[] = [];
  /** Updates of cards. */
  updates = 0;
  /** Sinks with threads, and with boards. Each gets its own channel. */
  readonly threads: readonly string[];
  readonly boards: readonly string[];
  /** Sinks whose receivers are down until the end. */
  readonly dead: readonly string[];
  readonly #modes: ReadonlySet<Mode>;
  readonly #webhook: WebhookReceiver;
  readonly #chat: TeamchatReceiver;
  readonly #bot: BotchatReceiver;
  readonly #sinkOfChat: Map<string, string>;
  /** By sink and text of a board: when it was first accepted. */
  readonly #shownAt = new Map<string, number>();

  private constructor(
    [webhook, chat, bot]: readonly [WebhookReceiver, TeamchatReceiver, BotchatReceiver],
    modes: ReadonlySet<Mode>,
  ) {
    this.#webhook = webhook;
    this.#chat = chat;
    this.#bot = bot;
    this.#modes = modes;
    this.threads = sinksOf(modes, 'thread');
    this.boards = sinksOf(modes, 'board');
    this.dead = deadOf(modes).map(({ name }) => name);
    this.#sinkOfChat = new Map([...this.threads, ...this.boards].map((sink) => [channelOf(sink), sink]));
    for (const sink of this.dead)
      webhook.faults.add({ match: { path: `/${sink}` }, fault: { kind: 'status', status: 503 } });
    const onWebhook = (record: WebhookRecord): void => {
      const arrival = webhookArrival(record, LATENCY_MS);
      if (arrival !== undefined && !this.dead.includes(arrival.sink)) this.arrivals.push(arrival);
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

  /** The chats, and the webhook receiver of the world. */
  static async open(world: World, modes: ReadonlySet<Mode>, dice: Dice): Promise<Receivers> {
    const channels = ['thread' as const, 'board' as const]
      .flatMap((form) => sinksOf(modes, form))
      .map((sink) => ({ id: channelOf(sink) }));
    const chat = await world.teamchat({
      ...{ keep: KEPT, random: dice.source(), channels: [{ id: 'C0ROOM' }, ...channels] },
      // The chat takes 50 updates a minute for a token.
      tokens: { [TOKENS.threads]: {}, [TOKENS.boards]: {} },
    });
    const bot = await world.botchat({ keep: KEPT, random: dice.source() });
    return new Receivers([world.receiver, chat, bot], modes);
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
    if (this.#modes.has('refusals'))
      this.#webhook.faults.add({
        ...{ match: { attempt: 1 }, probability: REFUSALS },
        fault: { kind: 'status', status: 400 },
      });
    for (const rule of this.#modes.has('late') ? [...LATE, ...FAULTS] : FAULTS) {
      this.#webhook.faults.add(rule);
      this.#bot.faults.add(rule);
      for (const match of CALLS) this.#chat.faults.add({ ...rule, match });
    }
  }

  behave(): void {
    for (const receiver of [this.#webhook, this.#chat, this.#bot]) receiver.faults.clear();
  }

  /** The boards in their channels. */
  boardMessages(): BoardMessage[] {
    return this.rootsIn(this.boards).map(({ sink, ts, text, edits }) => ({
      ...{ sink, ts },
      texts: [...edits, text].map((each) => ({
        ...{ at: this.#shownAt.get(`${sink} ${each}`) ?? Infinity, text: each },
      })),
    }));
  }

  /** The roots in the channels of these sinks. */
  rootsIn(sinks: readonly string[]): RootMessage[] {
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
    const cards = new Map(
      this.rootsIn(this.threads).map(({ sink, ts, text }) => [`${sink} ${ts}`, headingOf(text)]),
    );
    const ends = new Map<string, string>();
    for (const { sink, thread, message, accepted } of this.arrivals) {
      const end = /^(?!.*Target Progress).*(Completed|Failed)\*?$/.exec(
        headingOf(String(objectOf(message).text)),
      )?.[1];
      if (thread !== '' && accepted && end !== undefined) ends.set(`${sink} ${thread}`, end);
    }
    return [...ends].filter(([thread, end]) => cards.get(thread)?.includes(end) === false).length;
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

const sinksOf = (modes: ReadonlySet<Mode>, wanted: Form): string[] =>
  notificationsOf(modes).flatMap(({ sinks }) =>
    sinks.filter(({ form }) => form === wanted).map(({ name }) => name),
  );

const channelOf = (sink: string): string => `C0${sink.toUpperCase()}`;

const headingOf = (text: string): string => text.split('\n')[0] ?? '';

const textOf = (text: unknown): object | undefined => (text === undefined ? undefined : { text });

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
