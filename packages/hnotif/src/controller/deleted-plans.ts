import type { Moment } from '@hnotif/core/clock';
import { Share } from '@hnotif/core/fair';
import type { Observed } from '@hnotif/core/lifecycle';
import type { Plan } from '@hnotif/core/resources';

type Identity = Pick<Plan, 'namespace' | 'uid'>;

/** The last observed state of a plan, and when it was observed. */
interface Observation {
  readonly observed: Observed;
  readonly observedAt: Moment;
}

interface Kept extends Observation {
  readonly size: number;
}

/** Characters of JSON: some 30 MB. 36 targets with an error each have 7,000. */
const MAX_SIZE = 16_000_000;

/**
 * The last observations of deleted plans, which may return with their uids. When they become too large, the namespace that holds most loses
 * its oldest one. So no namespace can use all memory, or make another one lose more than its share.
 */
export class DeletedPlans {
  /** By namespace, then by uid. The oldest comes first. */
  readonly #namespaces = new Map<string, Map<string, Kept>>();
  readonly #sizes = new Share(MAX_SIZE);

  add({ namespace, uid }: Identity, { observed, observedAt }: Observation): void {
    const { length: size } = JSON.stringify(observed);
    const plans = this.#namespaces.get(namespace) ?? new Map<string, Kept>();
    this.#namespaces.set(namespace, plans.set(uid, { observed, observedAt, size }));
    this.#sizes.take(namespace, size);
    while (this.#sizes.total > MAX_SIZE) {
      const largest = [...this.#namespaces.keys()].reduce((most, each) =>
        this.#sizes.held(each) > this.#sizes.held(most) ? each : most,
      );
      const [oldest = ''] = this.#namespaces.get(largest)?.keys() ?? [];
      this.take({ namespace: largest, uid: oldest });
    }
  }

  /** Returns and forgets the observation of a plan. */
  take({ namespace, uid }: Identity): Observation | undefined {
    const plans = this.#namespaces.get(namespace);
    const taken = plans?.get(uid);
    if (plans === undefined || taken === undefined) return undefined;
    plans.delete(uid);
    if (plans.size === 0) this.#namespaces.delete(namespace);
    this.#sizes.give(namespace, taken.size);
    return taken;
  }
}
