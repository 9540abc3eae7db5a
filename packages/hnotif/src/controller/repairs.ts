import type { Clock } from '@hnotif/core/clock';
import { WorkQueue } from '@hnotif/core/fair';
import type { LivePlan } from '../dispatch/delivery.ts';
import { sinkKey } from '@hnotif/core/resources';
import { type MemoryKey, addressOfRoot, type Threads } from '@hnotif/core/sinks';
import type { SinkResolver } from './sink-resolver.ts';
import type { Watches } from './watches.ts';

/** The root messages of a sink that may not be up to date. */
interface StaleRoots {
  /** By key. All plans of a night have one board. */
  readonly roots: Map<string, LivePlan>;
  /** When the first of them was found (monotonic milliseconds). */
  readonly since: number;
}

/** A sink that is not ready is asked again after this time, then after twice as long up to the longest time (milliseconds)… */
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 5 * 60_000;
/** …until older roots are not updated any more (milliseconds). */
const GIVE_UP_MS = 24 * 3_600_000;

interface RepairsOptions {
  readonly clock: Clock;
  readonly sinks: Pick<SinkResolver, 'resolve'>;
  readonly threads: Pick<Threads, 'found'>;
  readonly watches: Pick<Watches, 'whenListed'>;
}

/**
 * Updates root messages of threads that an earlier process left behind: without a further event nothing else would update them. The roots
 * of a sink that is not ready wait until it is.
 */
export class Repairs {
  readonly #options: RepairsOptions;
  /** By sink. */
  readonly #waiting = new Map<string, StaleRoots>();
  /** The sinks to ask. */
  readonly #queue: WorkQueue<string>;

  constructor(options: RepairsOptions) {
    this.#options = options;
    this.#queue = new WorkQueue({
      ...{ clock: options.clock, workers: Infinity, work: (sink) => this.#repairAll(sink) },
      ownerOf: (sink) => sink.slice(0, sink.indexOf('/')),
    });
  }

  /** A sink saved this value in an earlier process. */
  memoryFound(plan: LivePlan, at: MemoryKey, value: unknown): void {
    const { clock, threads, watches } = this.#options;
    const key = threads.found(at, value);
    if (key === undefined) return;
    const sink = sinkKey(at.address);
    const known = this.#waiting.get(sink);
    const stale = known ?? { roots: new Map(), since: clock.monotonic() };
    this.#waiting.set(sink, stale);
    stale.roots.set(key, plan);
    if (known !== undefined) return;
    // Until then its sink seems to be deleted.
    void watches.whenListed(at.address.namespace).then(() => {
      this.#queue.add(sink);
    });
  }

  /** Ends every timer. */
  close(): void {
    void this.#queue.close();
  }

  async #repairAll(sink: string): Promise<void> {
    const { roots, since } = this.#waiting.get(sink) ?? { roots: new Map(), since: 0 };
    await this.#repair(roots);
    const tookMs = this.#options.clock.monotonic() - since;
    if (roots.size === 0 || tookMs >= GIVE_UP_MS) this.#waiting.delete(sink);
    else this.#queue.add(sink, { afterMs: Math.min(tookMs + FIRST_RETRY_MS, LONGEST_RETRY_MS) });
  }

  /** Begins to update the roots of one sink. If it is not ready, they stay. */
  async #repair(roots: StaleRoots['roots']): Promise<void> {
    for (const [key, plan] of roots) {
      const resolution = await this.#options.sinks.resolve({ to: addressOfRoot(key), plan });
      if (resolution.kind === 'unready' || resolution.kind === 'suspended') return;
      roots.delete(key);
      if (resolution.kind === 'ready') resolution.sink.repair?.(key, resolution.plan);
    }
  }
}
