import type { LifecycleEvent } from '../../../lifecycle/event.ts';
import { bareView, sinkSettings } from '../../../testing/sinks.ts';
import type { MemoryKey, SinkMemory } from '../../memory.ts';
import { readSink } from '../../registry.ts';
import type { ReadySink } from '../../sink.ts';
import { SinkStage } from '../../testing/sink-stage.ts';
import { BotchatChat, TeamchatChat, type Chat } from '../../testing/chat.ts';
import { Threads } from '../../teamchat/thread/threads.ts';

/** A chat in memory, and the configuration of a sink that posts there. */
const CHATS = {
  teamchat: { Chat: TeamchatChat, config: { bot_token: 'xoxb-canary', channel_id: 'C0123456789' } },
  botchat: { Chat: BotchatChat, config: { token: '123456789:canary', chat_id: '-1001234567890' } },
} as const;

export type BoardType = keyof typeof CHATS;
export const BOARD_TYPES: readonly BoardType[] = ['teamchat', 'botchat'];

/** A sink with boards, its chat, and the memory that the next process gets. */
export class BoardStage extends SinkStage {
  readonly type: BoardType;
  readonly chat: Chat;
  readonly #stored = new Map<string, { readonly at: MemoryKey; readonly value: unknown }>();
  /** Fields of the configuration. */
  config: object = {};

  constructor(type: BoardType) {
    super();
    this.type = type;
    this.chat = new CHATS[type].Chat(this.clock);
    this.begin();
  }

  /** The process ends, and another one begins after the Lease has expired. */
  async restart(): Promise<void> {
    this.threads.close();
    await this.clock.advance(15_000);
    this.begin();
    const stale = new Set<string>();
    for (const { at, value } of this.#stored.values()) {
      const key = this.threads.found(at, value);
      if (key !== undefined) stale.add(key);
    }
    for (const key of stale) this.sink.repair?.(key, bareView);
  }

  /** The configuration was changed, or read again. */
  configure(config: object): void {
    this.config = config;
    this.changed();
  }

  protected override read(): ReadySink {
    const config = JSON.stringify({ delivery_mode: 'board', ...CHATS[this.type].config, ...this.config });
    const { threads, chat, clock } = this;
    const settings = sinkSettings(
      { transport: chat.transport, clock },
      { threads, rateLimits: this.present },
    );
    const reading = readSink(this.type, config, settings);
    if (!reading.ok) throw new Error(reading.problems.join('; '));
    return reading.sink;
  }

  /** Delivers events of many plans, each in its own stream. `look`: after each half second. */
  async deliverAll(events: readonly LifecycleEvent[], look: () => void = () => undefined): Promise<void> {
    const all = events.map((event) => ({ event, progress: { level: 0, unclearSince: undefined }, due: 0 }));
    for (let left = all; left.length > 0; left = left.filter(({ due }) => due < Infinity)) {
      for (const each of left.filter(({ due }) => due <= this.clock.monotonic())) {
        const outcome = await this.request(each.event, each.progress);
        const forMs = outcome.kind === 'wait' ? outcome.forMs : 0;
        each.due = outcome.kind === 'delivered' ? Infinity : this.clock.monotonic() + forMs;
        if (outcome.kind !== 'wait') continue;
        outcome.onChange?.(() => {
          if (each.due < Infinity) each.due = 0;
        });
      }
      await this.clock.advance(500);
      look();
    }
  }

  protected override open(): Threads {
    const memory: SinkMemory = {
      load: () => undefined,
      save: (at, value) => {
        this.#stored.set(`${at.planUid} ${at.key}`, { at, value: JSON.parse(JSON.stringify(value)) });
      },
    };
    return new Threads({ clock: this.clock, rateLimits: this.present, memory });
  }
}
