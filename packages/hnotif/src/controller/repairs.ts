import type { Clock } from '@hnotif/core/clock';
import type { LivePlan } from '../dispatch/delivery.ts';
import { isInAny, isInScope, type NamespaceScope, sinkKey } from '@hnotif/core/resources';
import { type MemoryKey, addressOfRoot, type Threads } from '@hnotif/core/sinks';
import type { SinkResolver } from './sink-resolver.ts';

/** Root messages that may not be up to date, by key. All plans of a night have one board. */
type StaleRoots = Map<string, LivePlan>;

/** A sink that is not ready is asked again after this time, which doubles up to the longest one (milliseconds)… */
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 5 * 60_000;
/** …until older roots are not updated any more (milliseconds). */
const GIVE_UP_MS = 24 * 3_600_000;

/**
 * Updates root messages of threads that an earlier process left behind: without a further event nothing else would update them. The roots
 * of a sink that is not ready wait until it is.
 */
export class Repairs {
  readonly #clock: Clock;
  readonly #sinks: Pick<SinkResolver, 'resolve'>;
  readonly #threads: Pick<Threads, 'found'>;
  /** By sink. */
  readonly #waiting = new Map<string, StaleRoots>();
  /** The sinks that are asked now, or later. */
  readonly #asking = new Map<string, () => void>();
  /** The namespaces (undefined: all) whose plans and notifications have been listed. */
  readonly #listed = new Set<NamespaceScope>();
  #closed = false;

  constructor(clock: Clock, sinks: Pick<SinkResolver, 'resolve'>, threads: Pick<Threads, 'found'>) {
    this.#clock = clock;
    this.#threads = threads;
    this.#sinks = sinks;
  }

  /** A sink saved this value in an earlier process. */
  memoryFound(plan: LivePlan, at: MemoryKey, value: unknown): void {
    const key = this.#threads.found(at, value);
    if (key === undefined) return;
    const sink = sinkKey(at.address);
    const roots: StaleRoots = this.#waiting.get(sink) ?? new Map();
    roots.set(key, plan);
    this.#waiting.set(sink, roots);
    if (isInAny(this.#listed, at.address.namespace)) this.#begin(sink);
  }

  /** Plans and notifications of a namespace (undefined: of all) have been listed. */
  listed(scope: NamespaceScope): void {
    this.#listed.add(scope);
    for (const [sink, roots] of this.#waiting) {
      const [key] = roots.keys();
      if (key !== undefined && isInScope(scope, addressOfRoot(key).namespace)) this.#begin(sink);
    }
  }

  /** Ends every timer. */
  close(): void {
    this.#closed = true;
    for (const cancel of this.#asking.values()) cancel();
  }

  #begin(sink: string): void {
    if (!this.#asking.has(sink)) this.#ask(sink, this.#clock.monotonic(), FIRST_RETRY_MS);
  }

  #ask(sink: string, since: number, retryMs: number): void {
    this.#asking.set(sink, nothing);
    const roots: StaleRoots = this.#waiting.get(sink) ?? new Map();
    void this.#repair(roots).then(() => {
      const isOver = roots.size === 0 || this.#closed || this.#clock.monotonic() - since >= GIVE_UP_MS;
      if (isOver) {
        this.#waiting.delete(sink);
        this.#asking.delete(sink);
        return;
      }
      const again = (): void => {
        this.#ask(sink, since, Math.min(2 * retryMs, LONGEST_RETRY_MS));
      };
      this.#asking.set(sink, this.#clock.after(retryMs, again));
    });
  }

  /** Begins to update the roots of one sink. If it is not ready, they stay. */
  async #repair(roots: StaleRoots): Promise<void> {
    for (const [key, plan] of roots) {
      const resolution = await this.#sinks.resolve({ to: addressOfRoot(key), plan });
      if (resolution.kind === 'unready' || resolution.kind === 'suspended') return;
      roots.delete(key);
      if (resolution.kind === 'ready') resolution.sink.repair?.(key, resolution.plan);
    }
  }
}

const nothing = (): void => undefined;
