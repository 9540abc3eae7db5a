import type { Clock } from '../clock.ts';
import type { RequestSlots } from './request-slots.ts';
import type { SinkQueue } from './sink-queue.ts';
import type { Stream } from './stream.ts';

/** A wait for a slot that is longer is worth a word (milliseconds). */
const LONG_MS = 5_000;

export interface RequestPermitOptions {
  readonly clock: Clock;
  readonly slots: RequestSlots;
  readonly origin: string;
  readonly queue: SinkQueue;
  readonly stream: Stream;
  /** It is granted: from then on a request may have been made. */
  readonly granted: () => void;
  /** The namespace is over its share of slots, and the attempt has waited for long. */
  readonly waitsLong: () => void;
}

/** The permit for one request: taken by the sink when its message is made, given back when it is known what follows. */
export class RequestPermit {
  readonly #options: RequestPermitOptions;
  #refused = false;
  #grantedAt: number | undefined;

  constructor(options: RequestPermitOptions) {
    this.#options = options;
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
    const { clock, slots, origin, queue, waitsLong } = this.#options;
    const slot = slots.acquire(origin, queue.namespace);
    if (!(slot instanceof Promise)) return this.#decide(slot);
    const cancel = clock.after(LONG_MS, waitsLong);
    return slot.then((held) => {
      cancel();
      return this.#decide(held);
    });
  }

  release(): void {
    if (this.#grantedAt === undefined) return;
    const { slots, origin, queue } = this.#options;
    queue.requests--;
    slots.release(origin, queue.namespace);
  }

  #decide(held: boolean): boolean {
    const { clock, slots, origin, queue, stream, granted } = this.#options;
    if (held && queue.admits(stream)) {
      this.#grantedAt = clock.monotonic();
      queue.requests++;
      granted();
      return true;
    }
    if (held) slots.release(origin, queue.namespace);
    this.#refused = true;
    return false;
  }
}
