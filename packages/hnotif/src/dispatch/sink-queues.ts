import { sleep } from '@hnotif/core/clock';
import { FairQueue } from '@hnotif/core/fair';
import { sinkKey, type SinkAddress } from '@hnotif/core/resources';
import { Repeated, SLICE_MS } from '../slices.ts';
import type { Attempt } from './attempt.ts';
import type { SinkWait } from './delivery.ts';
import { report } from './listener.ts';
import type { DispatcherOptions } from './options.ts';
import { SinkQueue, type Turns } from './sink-queue.ts';
import { REPEAT_MS, waitOf } from './sink-waits.ts';
import type { Stream } from './stream.ts';

/** Attempts that begin in one turn of the event loop. They should take no longer than a slice. */
const MOST_PER_TURN = 16;

/** While deliveries wait, the time between two checks of the waits (milliseconds). */
const CHECK_MS = 2_000;

interface Reported {
  readonly to: SinkAddress;
  readonly wait: SinkWait;
  /** Monotonic milliseconds. */
  readonly at: number;
}

/** Makes attempts. */
interface Attempts {
  /** Undefined: the stream has nothing to send. */
  attempt(queue: SinkQueue, stream: Stream): Attempt | undefined;
}

/** The queues of all sinks. They begin attempts in turns between namespaces, and in short slices. Waits that are longer than a moment are reported. */
export class SinkQueues implements Turns {
  readonly #shared: DispatcherOptions;
  readonly #attempts: Attempts;
  readonly #queues = new Map<string, SinkQueue>();
  readonly #due = new FairQueue<SinkQueue>();
  #scheduled = false;
  /** How many attempts begin in one turn: fewer where they take long, as when connections are refused. */
  #perTurn = 4;
  /** When the last slice began (monotonic milliseconds), and whether queues were left. */
  #began = 0;
  #isFull = false;
  /** Called when a queue has begun what it may. */
  #pumped: ((queue: SinkQueue) => void) | undefined;

  /** The waits that were reported last, by the key of the sink. */
  readonly #reported = new Map<string, Reported>();
  readonly #checks: Repeated;

  constructor(shared: DispatcherOptions, attempts: Attempts) {
    this.#shared = shared;
    this.#attempts = attempts;
    this.#checks = new Repeated(shared.clock, CHECK_MS, () => this.#check());
  }

  find(to: SinkAddress): SinkQueue | undefined {
    return this.#queues.get(sinkKey(to));
  }

  all(): Iterable<SinkQueue> {
    return this.#queues.values();
  }

  /** The sinks that wait, as last reported. */
  waits(): Iterable<Pick<Reported, 'to' | 'wait'>> {
    return this.#reported.values();
  }

  /** Deliveries wait: starts the checks of the waits. */
  startChecks(): void {
    this.#checks.start();
  }

  stopChecks(): void {
    this.#checks.stop();
    this.#reported.clear();
  }

  /** Nothing waits. */
  idle(): void {
    const reported = [...this.#reported.values()];
    this.stopChecks();
    for (const { to } of reported) report(this.#shared.listener, 'resumed', to);
  }

  clear(): void {
    this.#queues.clear();
    this.#due.clear();
  }

  /** The deliveries of the stream have changed: updates the queue of its sink. */
  wake(stream: Stream): void {
    const queue = this.#updated(stream);
    if (queue !== undefined) this.schedule(queue);
  }

  /** Streams have new events. If a notification is suspended, they are dropped now, not when the suspension ends. */
  *released(streams: Iterable<Stream>): Generator<undefined, void> {
    for (const stream of streams) {
      const { state } = stream;
      const queue = this.#updated(stream);
      if (state.kind === 'held' && state.isSuspended) stream.endHold();
      else if (queue !== undefined) this.schedule(queue);
      yield;
    }
  }

  /** Lets the queue begin attempts in a later turn of the event loop. */
  schedule(queue: SinkQueue): void {
    this.#due.add(queue.namespace, queue);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(this.#slice);
    // After the microtasks of the attempts, which render and open connections.
    setImmediate(this.#adapt);
  }

  /** Resolves when `isDone` holds for all queues, after `ms`, or when one of the signals aborts. */
  async until(isDone: (queue: SinkQueue) => boolean, ms: number, signals: AbortSignal[]): Promise<void> {
    const others = new Set([...this.all()].filter((queue) => !isDone(queue)));
    const enough = new AbortController();
    const signal = AbortSignal.any([enough.signal, ...signals]);
    if (others.size === 0 || signal.aborted) return;
    this.#pumped = (queue) => {
      if (isDone(queue)) others.delete(queue);
      else others.add(queue);
      if (others.size === 0) enough.abort();
    };
    await sleep(this.#shared.clock, ms, signal);
    this.#pumped = undefined;
  }

  /** The queue of the stream's sink, which knows its present deliveries; a new one if deliveries wait. */
  #updated(stream: Stream): SinkQueue | undefined {
    const { sink, to } = stream;
    let queue = this.#queues.get(sink);
    if (queue === undefined && stream.waiting > 0) {
      const { clock, limits } = this.#shared;
      queue = new SinkQueue(sink, to.namespace, limits.requestsPerSink, clock, this);
      this.#queues.set(sink, queue);
    }
    stream.queue = queue;
    queue?.tidy(stream);
    return queue;
  }

  /** Begins a few attempts, one for each queue in turn. */
  readonly #slice = (): void => {
    this.#scheduled = false;
    this.#began = this.#shared.clock.monotonic();
    for (let taken = 0; taken < this.#perTurn; taken++) {
      const due = this.#due.take();
      if (due === undefined) break;
      const next = this.#next(due.item);
      if (next === undefined) continue;
      this.#due.add(due.owner, due.item);
      if (next !== 'resumed') void next.run();
    }
    const [next] = this.#due.items();
    this.#isFull = next !== undefined;
    if (next !== undefined) this.schedule(next);
  };

  /** Changes how many attempts begin in one turn. */
  readonly #adapt = (): void => {
    const isLong = this.#shared.clock.monotonic() - this.#began > SLICE_MS;
    if (isLong) this.#perTurn = Math.ceil(this.#perTurn / 2);
    else if (this.#isFull) this.#perTurn = Math.min(this.#perTurn + 1, MOST_PER_TURN);
  };

  *#check(): Generator<undefined, boolean> {
    const { clock, listener } = this.#shared;
    const waiting = new Set<string>();
    for (const queue of [...this.all()]) {
      const [stream] = queue.streams.values();
      if (stream === undefined) continue;
      const now = waitOf(this.#shared, queue);
      yield;
      if (now === undefined) continue;
      waiting.add(queue.key);
      const before = this.#reported.get(queue.key);
      const begun = before?.wait.kind !== now.kind || before.wait.reason !== now.reason;
      const isDue = before === undefined || clock.monotonic() - before.at >= REPEAT_MS;
      if (!begun && !isDue && before.wait.lasting === now.lasting) continue;
      this.#reported.set(queue.key, { to: stream.to, wait: now, at: clock.monotonic() });
      report(listener, 'waits', stream.to, now, begun);
    }
    for (const [key, { to }] of this.#reported) {
      if (waiting.has(key)) continue;
      this.#reported.delete(key);
      report(listener, 'resumed', to);
    }
    // The backlog stops it. Deliveries that are not stored yet are in no queue.
    return true;
  }

  /** If other queues wait, this one waits for its turn. */
  ended(queue: SinkQueue): void {
    if (this.#due.size > 0) {
      this.schedule(queue);
      return;
    }
    for (let next = this.#next(queue); next !== undefined; next = this.#next(queue))
      if (next !== 'resumed') void next.run();
  }

  /** The next attempt; `resumed`: one that waited for its turn continues. Then another one may follow. */
  #next(queue: SinkQueue): Attempt | 'resumed' | undefined {
    if (queue.resume()) return 'resumed';
    const stream = queue.begin();
    if (stream !== undefined) return this.#attempts.attempt(queue, stream);
    // Another queue may have taken its place since it was scheduled.
    if (queue.unused && this.#queues.get(queue.key) === queue) {
      queue.forget();
      this.#queues.delete(queue.key);
    }
    this.#pumped?.(queue);
    return undefined;
  }
}
