import type { Clock } from '../clock.ts';
import type { Delivery } from './delivery.ts';
import type { RequestSlots } from './request-slots.ts';
import type { SinkQueue } from './sink-queue.ts';
import type { Stream } from './stream.ts';

export interface RequestPermitOptions {
  readonly clock: Clock;
  readonly slots: RequestSlots;
}

/** The permit for one request: taken by the sink when its message is made, given back when it is known what follows. */
export class RequestPermit {
  readonly #options: RequestPermitOptions;
  readonly #queue: SinkQueue;
  readonly #stream: Stream;
  readonly #head: Delivery;
  readonly #origin: string;
  #refused = false;
  #grantedAt: number | undefined;

  constructor(
    options: RequestPermitOptions,
    queue: SinkQueue,
    stream: Stream,
    head: Delivery,
    origin: string,
  ) {
    this.#options = options;
    this.#queue = queue;
    this.#stream = stream;
    this.#head = head;
    this.#origin = origin;
  }

  /** Monotonic milliseconds; undefined: it was not granted, and nothing was sent. */
  get grantedAt(): number | undefined {
    return this.#grantedAt;
  }

  /** Whether the sink was told not to send. */
  get refused(): boolean {
    return this.#refused;
  }

  /** False when the sink was paused or its circuit opened in the meantime, or everything ends. */
  take(): boolean | Promise<boolean> {
    if (this.#grantedAt !== undefined) return true;
    const slot = this.#options.slots.acquire(this.#origin, this.#queue.namespace);
    if (!(slot instanceof Promise)) return this.#decide(slot);
    return this.#queue.forSlots.until(slot, this.#origin).then((held) => this.#decide(held));
  }

  release(): void {
    if (this.#grantedAt === undefined) return;
    this.#queue.requests--;
    this.#options.slots.release(this.#origin, this.#queue.namespace);
  }

  #decide(held: boolean): boolean {
    const { clock, slots } = this.#options;
    if (held && this.#queue.admits(this.#stream)) {
      this.#grantedAt = clock.monotonic();
      this.#queue.requests++;
      this.#head.requests++;
      return true;
    }
    if (held) slots.release(this.#origin, this.#queue.namespace);
    this.#refused = true;
    return false;
  }
}
