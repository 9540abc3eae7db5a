import type { Clock } from '../clock.ts';
import type { Delivery } from './delivery.ts';
import type { RequestSlots } from './request-slots.ts';
import type { SinkQueue } from './sink-queue.ts';
import type { Stream } from './stream.ts';

/** A wait for a slot that is longer is worth a word (milliseconds). */
const LONG_MS = 5_000;

export interface RequestPermitOptions {
  readonly clock: Clock;
  readonly slots: RequestSlots;
  /** The namespace is over its share of slots, and the attempt has waited for long. */
  readonly waitsLong: (queue: SinkQueue, stream: Stream, origin: string) => void;
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
    const { clock, slots, waitsLong } = this.#options;
    const slot = slots.acquire(this.#origin, this.#queue.namespace);
    if (!(slot instanceof Promise)) return this.#decide(slot);
    const cancel = clock.after(LONG_MS, () => {
      waitsLong(this.#queue, this.#stream, this.#origin);
    });
    return slot.then((held) => {
      cancel();
      return this.#decide(held);
    });
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
