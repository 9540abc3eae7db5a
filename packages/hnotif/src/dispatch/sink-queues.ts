import type { Clock } from '../clock.ts';
import { FairQueue } from '../fair/queue.ts';
import { sinkKey, type SinkAddress } from '../resources/sink-address.ts';
import { SinkQueue } from './sink-queue.ts';
import type { Stream } from './stream.ts';

/** After so long other work has its turn (milliseconds). */
const SLICE_MS = 1;

/** The queues of all sinks, and the moments at which they begin attempts: in turns between namespaces, and in short slices. */
export class SinkQueues {
  readonly #clock: Clock;
  readonly #width: number;
  readonly #attempt: (queue: SinkQueue, stream: Stream) => Promise<void>;
  readonly #queues = new Map<string, SinkQueue>();
  readonly #due = new FairQueue<SinkQueue>();
  #scheduled = false;
  /** Called when a queue has begun what it may. */
  onPumped: ((queue: SinkQueue) => void) | undefined;

  /** `width`: attempts of a sink at once. `attempt` must not reject. */
  constructor(clock: Clock, width: number, attempt: (queue: SinkQueue, stream: Stream) => Promise<void>) {
    this.#clock = clock;
    this.#width = width;
    this.#attempt = attempt;
  }

  /** The queue of a sink, made if there is none. */
  of(to: SinkAddress): SinkQueue {
    const key = sinkKey(to);
    let queue = this.#queues.get(key);
    if (queue === undefined)
      this.#queues.set(key, (queue = new SinkQueue(key, to.namespace, this.#width, this.#clock.monotonic())));
    return queue;
  }

  find(to: SinkAddress): SinkQueue | undefined {
    return this.#queues.get(sinkKey(to));
  }

  all(): Iterable<SinkQueue> {
    return this.#queues.values();
  }

  clear(): void {
    this.#queues.clear();
    this.#due.clear();
  }

  /** The stream has got something, or lost it: its sink's queue goes on accordingly. */
  wake(stream: Stream): void {
    const queue = this.#queueOf(stream);
    if (queue === undefined) return;
    queue.tidy(stream);
    this.schedule(queue);
  }

  /** That of the stream's sink, made if something waits. Remembered by the stream: a key is a long text to make for each event. */
  #queueOf(stream: Stream): SinkQueue | undefined {
    const { queue } = stream;
    if (queue !== undefined && this.#queues.get(queue.key) === queue) return queue;
    return (stream.queue = stream.waiting > 0 ? this.of(stream.to) : this.find(stream.to));
  }

  /** Attempts begin after the caller's turn, never in it. */
  schedule(queue: SinkQueue): void {
    this.#due.add(queue.namespace, queue);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#slice();
    });
  }

  /** Calls `run` when it is the queue's turn, before it begins another attempt. */
  resume(queue: SinkQueue, run: () => void): void {
    queue.resumed.push(run);
    this.schedule(queue);
  }

  /** Begins attempts, one a queue and turn, until all have begun what they may or the slice is over. */
  #slice(): void {
    const end = this.#clock.monotonic() + SLICE_MS;
    for (let due = this.#due.take(); due !== undefined; due = this.#due.take()) {
      if (this.#begin(due.item)) this.#due.add(due.owner, due.item);
      if (this.#clock.monotonic() < end) continue;
      const [next] = this.#due.items();
      if (next !== undefined) this.schedule(next);
      return;
    }
  }

  /** Whether an attempt has begun, or goes on; one more may then. */
  #begin(queue: SinkQueue): boolean {
    const resumed = queue.resumed.shift();
    if (resumed !== undefined) {
      resumed();
      return true;
    }
    const stream = queue.begin();
    if (stream !== undefined) {
      void this.#run(queue, stream);
      return true;
    }
    // One that was scheduled before it fell out of use may have a successor.
    if (queue.unused && this.#queues.get(queue.key) === queue) {
      queue.forget();
      this.#queues.delete(queue.key);
    }
    this.onPumped?.(queue);
    return false;
  }

  async #run(queue: SinkQueue, stream: Stream): Promise<void> {
    await this.#attempt(queue, stream);
    queue.finish(stream);
    // Where others wait for their turn, it waits for its own.
    if (this.#due.size > 0) this.schedule(queue);
    else while (this.#begin(queue));
  }
}
