import type { Clock } from '../../../../clock.ts';
import type { LifecycleEvent } from '../../../../lifecycle/event.ts';
import { Secret } from '../../../../redaction/secret.ts';
import { ManualClock, settle } from '../../../../testing/clock.ts';
import { aDelivery, freely, sinkSettings } from '../../../../testing/sinks.ts';
import type { Degradation } from '../../../degradation.ts';
import type { SinkMemory } from '../../../memory.ts';
import type { Outcome } from '../../../outcome.ts';
import type { RateLimits, Slots } from '../../../rate.ts';
import type { Attempt, Progress, ReadySink } from '../../../sink.ts';
import { OPTIONS } from '../../presets/testing/sources.ts';
import { type ThreadConfig, threadSink } from '../thread.ts';
import { Threads } from '../threads.ts';
import { FakeChat } from './fake-chat.ts';

const CONFIG: ThreadConfig = {
  ...OPTIONS,
  layout: 'auto',
  mode: { kind: 'thread', botToken: new Secret('xoxb-canary'), channelId: 'C1', broadcast: new Set() },
  format: 'text',
  coalesceProgress: false,
  rate: { perSecond: 1, burst: 5 },
};

/** A sink, the chat that it posts to, and a dispatcher of one stream that never gives up. */
export class Stage {
  readonly clock = new ManualClock();
  readonly chat = new FakeChat(this.clock);
  readonly degradations: Degradation[] = [];
  readonly outcomes: Outcome[] = [];
  /** The HTTP statuses of the requests of deliveries. */
  readonly statuses: number[] = [];
  rateLimits: RateLimits = freely;
  slot: Attempt['slot'] = () => true;
  memory: SinkMemory | undefined;
  /** Of updates. */
  slots: Slots | undefined;
  /** How far the wall clock of this machine is ahead of the one that all share (milliseconds). */
  aheadMs = 0;
  /** As the test has set them by then. */
  readonly #rateLimits: RateLimits = {
    slots: {
      acquire: (...of) => this.slots?.acquire(...of) ?? Promise.resolve(false),
      release: (...of) => this.slots?.release(...of),
    },
    take: (...all) => this.rateLimits.take(...all),
    pause: (...all) => {
      this.rateLimits.pause(...all);
    },
    giveBack: (...all) => {
      this.rateLimits.giveBack(...all);
    },
  };
  #threads = new Threads({ clock: this.clock, rateLimits: this.#rateLimits });
  #sink: ReadySink | undefined;
  config: ThreadConfig = CONFIG;

  get threads(): Threads {
    return this.#threads;
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

  get sink(): ReadySink {
    return (this.#sink ??= threadSink(
      this.config,
      sinkSettings({ transport: this.chat.transport, clock: this.#ownClock }, { threads: this.#threads }),
    ));
  }

  /** The configuration was changed, or read again. */
  configure(config: Partial<ThreadConfig>): void {
    this.config = { ...this.config, ...config };
    this.#sink = undefined;
  }

  /** The process ends, and another one begins. */
  restart(): void {
    this.#threads.close();
    this.#threads = new Threads({
      clock: this.clock,
      rateLimits: this.#rateLimits,
      ...(this.memory !== undefined && { memory: this.memory }),
    });
    this.#sink = undefined;
  }

  /** One request of a delivery. */
  async request(event: LifecycleEvent, progress: Progress, more: object = {}): Promise<Outcome> {
    const { signal } = new AbortController();
    const attempt = {
      signal,
      slot: this.slot,
      answered: (status: number) => this.statuses.push(status),
      degraded: (degradation: Degradation) => this.degradations.push(degradation),
    };
    const delivery = aDelivery(event, { id: `d-${event.planUid}-${event.seq}`, progress, ...more });
    let outcome: Outcome | undefined;
    void this.sink.deliver(delivery, attempt).then((each) => (outcome = each));
    await settle();
    while (outcome === undefined) await this.clock.advance(500);
    this.outcomes.push(outcome);
    return outcome;
  }

  /** A whole delivery: gives how it ended. `acceptedAt`: by an earlier process, which may have sent it. */
  async deliver(
    event: LifecycleEvent,
    more: object = {},
    acceptedAt: number | undefined = undefined,
  ): Promise<Outcome['kind']> {
    const progress: Progress = { level: 0, unclearSince: acceptedAt };
    for (;;) {
      const outcome = await this.request(event, progress, more);
      switch (outcome.kind) {
        case 'delivered':
        case 'rejected-configuration':
        case 'rejected-payload':
          return outcome.kind;
        case 'continue':
          break;
        case 'wait':
          await this.clock.advance(outcome.forMs);
          break;
        default:
          await this.clock.advance(outcome.kind === 'throttled' ? (outcome.retryAfterMs ?? 500) : 500);
      }
    }
  }

  /** All updates that wait are made. */
  async idle(): Promise<void> {
    let idle = false;
    void this.#threads.idle().then(() => (idle = true));
    await settle();
    while (!idle) await this.clock.advance(1_000);
  }
}
