import { sinkKey, type SinkAddress } from '../resources/sink-address.ts';
import { Lane } from './lane.ts';
import type { Pending } from './delivery.ts';
import type { Stream } from './stream.ts';

/** The lanes, and the moments at which they begin turns. */
export class Lanes {
  readonly #width: number;
  readonly #turn: (lane: Lane, stream: Stream) => Promise<void>;
  readonly #lanes = new Map<string, Lane>();
  readonly #due = new Set<Lane>();
  #scheduled = false;
  /** Called when a lane has begun what it may. */
  onPumped: ((lane: Lane) => void) | undefined;

  /** `width`: turns of a lane at once. `turn` must not reject. */
  constructor(width: number, turn: (lane: Lane, stream: Stream) => Promise<void>) {
    this.#width = width;
    this.#turn = turn;
  }

  /** The lane of a sink, made if there is none. */
  of(to: SinkAddress): Lane {
    const key = sinkKey(to);
    let lane = this.#lanes.get(key);
    if (lane === undefined) this.#lanes.set(key, (lane = new Lane(key, this.#width)));
    return lane;
  }

  find(to: SinkAddress): Lane | undefined {
    return this.#lanes.get(sinkKey(to));
  }

  all(): Iterable<Lane> {
    return this.#lanes.values();
  }

  clear(): void {
    this.#lanes.clear();
  }

  /** Takes a delivery out of its stream by `take`; the stream then goes on. Its lane; undefined: it is not there, or stays. */
  withdraw(pending: Pending, take: (stream: Stream) => boolean): Lane | undefined {
    const lane = this.find(pending.to);
    const stream = lane?.streams.get(pending.event.planUid);
    if (lane === undefined || stream === undefined || !take(stream)) return undefined;
    lane.tidy(stream);
    this.schedule(lane);
    return lane;
  }

  /** Sending begins after the caller's turn: `submit` does no work but to put things in their place. */
  schedule(lane: Lane): void {
    this.#due.add(lane);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      const due = [...this.#due];
      this.#due.clear();
      for (const each of due) this.#pump(each);
    });
  }

  #pump(lane: Lane): void {
    for (let stream = lane.begin(); stream !== undefined; stream = lane.begin()) void this.#run(lane, stream);
    // One that was scheduled before it fell out of use may have a successor.
    if (lane.unused && this.#lanes.get(lane.key) === lane) {
      lane.forget();
      this.#lanes.delete(lane.key);
    }
    this.onPumped?.(lane);
  }

  async #run(lane: Lane, stream: Stream): Promise<void> {
    await this.#turn(lane, stream);
    lane.finish(stream);
    this.#pump(lane);
  }
}
