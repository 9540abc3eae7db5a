import type { LivePlan } from '../dispatch/delivery.ts';
import type { MemoryKey } from '../sinks/memory.ts';
import { addressOfRoot } from '../sinks/teamchat/thread/root.ts';
import { staleRoot } from '../sinks/teamchat/thread/root-store.ts';
import type { SinkResolver } from './sink-resolver.ts';

/** A root message that is not up to date. */
interface StaleRoot {
  readonly plan: LivePlan;
  readonly key: string;
}

/**
 * Updates root messages of threads that an earlier process left behind: without a further event nothing else would update them. Each is
 * tried once. If its sink is not ready, the next event updates it.
 */
export class Repairs {
  readonly #sinks: Pick<SinkResolver, 'resolve'>;
  /** Undefined after `begin`. */
  #waiting: StaleRoot[] | undefined = [];

  constructor(sinks: Pick<SinkResolver, 'resolve'>) {
    this.#sinks = sinks;
  }

  /** A sink saved this value in an earlier process. */
  memoryFound(plan: LivePlan, at: MemoryKey, value: unknown): void {
    const key = staleRoot(at, value);
    if (key === undefined) return;
    if (this.#waiting === undefined) void this.#repair({ plan, key });
    else this.#waiting.push({ plan, key });
  }

  /** Plans and notifications have been listed. */
  begin(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const root of waiting) void this.#repair(root);
  }

  async #repair({ plan, key }: StaleRoot): Promise<void> {
    const resolution = await this.#sinks.resolve({ to: addressOfRoot(key), plan });
    if (resolution.kind === 'ready') resolution.sink.repair?.(key, resolution.plan);
  }
}
