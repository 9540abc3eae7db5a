import type { Destination, LivePlan } from '../dispatch/delivery.ts';
import type { Resolution } from '../dispatch/dispatcher.ts';
import { addressOfRoot } from '../sinks/teamchat/thread/root.ts';

/** A root that does not show what it should. */
interface Behind {
  readonly plan: LivePlan;
  readonly key: string;
}

/**
 * Cards of threads that an earlier process had to leave as they were: nobody would look at them again, were their night over.
 * One try each; a sink that cannot be used now does it with its next event.
 */
export class Repairs {
  readonly #resolve: (to: Pick<Destination, 'to' | 'plan'>) => Resolution | Promise<Resolution>;
  /** Undefined: what is to be read for them has been listed. */
  #waiting: Behind[] | undefined = [];

  constructor(resolve: (to: Pick<Destination, 'to' | 'plan'>) => Resolution | Promise<Resolution>) {
    this.#resolve = resolve;
  }

  add(plan: LivePlan, key: string): void {
    if (this.#waiting === undefined) void this.#repair({ plan, key });
    else this.#waiting.push({ plan, key });
  }

  begin(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const behind of waiting) void this.#repair(behind);
  }

  async #repair({ plan, key }: Behind): Promise<void> {
    const resolution = await this.#resolve({ to: addressOfRoot(key), plan });
    if (resolution.kind === 'ready') resolution.sink.repair?.(key, resolution.plan);
  }
}
