import type { LifecycleEvent } from '../../lifecycle/event.ts';
import { ManualClock, settle } from '../../testing/clock.ts';
import { aDelivery, freely } from '../../testing/sinks.ts';
import type { Degradation } from '../degradation.ts';
import type { Outcome } from '../outcome.ts';
import type { RateLimits, Slots } from '../rate.ts';
import type { Attempt, Progress, ReadySink } from '../sink.ts';
import type { Threads } from '../teamchat/thread/threads.ts';

/** A sink whose messages are changed later, in a process that may end, and what the sink reported. */
export abstract class SinkStage {
  readonly clock = new ManualClock();
  readonly degradations: Degradation[] = [];
  /** The HTTP statuses of the requests of deliveries. */
  readonly statuses: number[] = [];
  /** Default: every token is free. */
  rateLimits: RateLimits = freely;
  slot: Attempt['slot'] = () => true;
  /** Of updates. Default: no limit. */
  slots: Slots | undefined;
  /** The limits of the process: as the test has set them by then. */
  protected readonly present: RateLimits = {
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
  #threads: Threads | undefined;
  #sink: ReadySink | undefined;

  /** The memory of a process. */
  protected abstract open(): Threads;

  /** The sink by its present configuration. */
  protected abstract read(): ReadySink;

  get threads(): Threads {
    return (this.#threads ??= this.open());
  }

  get sink(): ReadySink {
    return (this.#sink ??= this.read());
  }

  /** The next use of the sink reads its configuration. */
  protected changed(): void {
    this.#sink = undefined;
  }

  /** A process begins. */
  protected begin(): void {
    this.#threads = this.open();
    this.changed();
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
    return this.#until(this.sink.deliver(delivery, attempt), 500);
  }

  /**
   * A whole delivery, by a dispatcher of one stream that never gives up. Resolves with how it ended. `requests`: the process ends after so
   * many of its requests. `acceptedAt`: by an earlier process, which may have sent it.
   */
  async deliver(
    event: LifecycleEvent,
    {
      requests = Infinity,
      acceptedAt,
      ...more
    }: { requests?: number | undefined; acceptedAt?: number | undefined; template?: unknown } = {},
  ): Promise<Outcome['kind'] | undefined> {
    const progress: Progress = { level: 0, unclearSince: acceptedAt };
    let outcome: Outcome | undefined;
    for (let made = 0; made < requests; made++) {
      outcome = await this.request(event, progress, more);
      if (/^(delivered|rejected-.*)$/.test(outcome.kind)) break;
      if (outcome.kind === 'wait') await this.#wait(outcome);
      else if (outcome.kind !== 'continue')
        await this.clock.advance((outcome.kind === 'throttled' ? outcome.retryAfterMs : undefined) ?? 500);
    }
    return outcome?.kind;
  }

  async #wait({ forMs, onChange }: Extract<Outcome, { kind: 'wait' }>): Promise<void> {
    const until = this.clock.monotonic() + forMs;
    let isOver = false;
    const end = onChange?.(() => (isOver = true));
    while (!isOver && this.clock.monotonic() < until)
      await this.clock.advance(Math.min(500, until - this.clock.monotonic()));
    end?.();
  }

  /** All updates that wait are made. */
  async idle(): Promise<void> {
    await this.#until(this.threads.roots.idle(), 1_000);
  }

  /** Time passes in these steps until a promise resolves. */
  async #until<T>(promise: Promise<T>, ms: number): Promise<T> {
    let found: { readonly value: T } | undefined;
    void promise.then((value) => (found = { value }));
    await settle();
    while (found === undefined) await this.clock.advance(ms);
    return found.value;
  }
}
