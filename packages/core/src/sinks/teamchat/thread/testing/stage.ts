import type { Clock } from '../../../../clock.ts';
import { Secret } from '../../../../redaction/secret.ts';
import { sinkSettings } from '../../../../testing/sinks.ts';
import type { SinkMemory } from '../../../memory.ts';
import type { ReadySink } from '../../../sink.ts';
import { TeamchatChat } from '../../../testing/chat.ts';
import { SinkStage } from '../../../testing/sink-stage.ts';
import { OPTIONS } from '../../presets/testing/sources.ts';
import { type ThreadConfig, threadSink } from '../thread.ts';
import { Threads } from '../threads.ts';

const CONFIG: ThreadConfig = {
  ...OPTIONS,
  layout: 'auto',
  mode: { kind: 'thread', botToken: new Secret('xoxb-canary'), channelId: 'C1', broadcast: new Set() },
  format: 'text',
  coalesceProgress: false,
  rate: { perSecond: 1, burst: 5 },
};

/** A sink, and the chat that it posts to. */
export class Stage extends SinkStage {
  readonly chat = new TeamchatChat(this.clock);
  memory: SinkMemory | undefined;
  /** How far the wall clock of this machine is ahead of the one that all share (milliseconds). */
  aheadMs = 0;
  config: ThreadConfig = CONFIG;

  constructor() {
    super();
    this.begin();
  }

  get #ownClock(): Clock {
    const { clock } = this;
    return {
      now: () => clock.now() + this.aheadMs,
      monotonic: () => clock.monotonic(),
      random: () => clock.random(),
      after: (ms, run) => clock.after(ms, run),
    };
  }

  protected override read(): ReadySink {
    const { threads } = this;
    return threadSink(
      this.config,
      sinkSettings({ transport: this.chat.transport, clock: this.#ownClock }, { threads }),
    );
  }

  protected override open(): Threads {
    return new Threads({
      clock: this.clock,
      rateLimits: this.present,
      ...(this.memory !== undefined && { memory: this.memory }),
    });
  }

  /** The configuration was changed, or read again. */
  configure(config: Partial<ThreadConfig>): void {
    this.config = { ...this.config, ...config };
    this.changed();
  }

  /** The process ends, and another one begins. */
  restart(): void {
    this.threads.close();
    this.begin();
  }
}
