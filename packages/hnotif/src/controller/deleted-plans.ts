import type { Moment } from '@hnotif/core/clock';
import type { Observed } from '@hnotif/core/lifecycle';
import type { Plan } from '@hnotif/core/resources';

type Identity = Pick<Plan, 'namespace' | 'uid'>;

/** The last observed state of a plan, and when it was observed. */
interface Observation {
  readonly observed: Observed;
  readonly observedAt: Moment;
}

interface Kept extends Observation {
  readonly plan: Identity;
  readonly size: number;
}

interface OfNamespace {
  /** By uid. The oldest comes first. */
  readonly plans: Map<string, Kept>;
  /** The sum of the sizes of its plans. */
  size: number;
}

/** Characters of JSON: some 30 MB. 36 targets with an error each have 7,000. */
const MAX_SIZE = 16_000_000;

/**
 * The last observations of deleted plans, which may return with their uids. When they become too large, the namespace that holds most loses
 * its oldest one. So no namespace can use all memory, or make another one lose more than its share.
 */
export class DeletedPlans {
  readonly #namespaces = new Map<string, OfNamespace>();
  #size = 0;

  add({ namespace, uid }: Identity, { observed, observedAt }: Observation): void {
    const of = this.#namespaces.get(namespace) ?? { plans: new Map(), size: 0 };
    const { length: size } = JSON.stringify(observed);
    of.plans.set(uid, { plan: { namespace, uid }, observed, observedAt, size });
    of.size += size;
    this.#size += size;
    this.#namespaces.set(namespace, of);
    while (this.#size > MAX_SIZE) this.#dropOne();
  }

  /** Returns and forgets the observation of a plan. */
  take({ namespace, uid }: Identity): Observation | undefined {
    const of = this.#namespaces.get(namespace);
    const taken = of?.plans.get(uid);
    if (of === undefined || taken === undefined) return undefined;
    of.plans.delete(uid);
    of.size -= taken.size;
    this.#size -= taken.size;
    if (of.plans.size === 0) this.#namespaces.delete(namespace);
    return taken;
  }

  clear(): void {
    this.#namespaces.clear();
    this.#size = 0;
  }

  #dropOne(): void {
    let [largest] = this.#namespaces.values();
    for (const each of this.#namespaces.values()) if (each.size > (largest?.size ?? 0)) largest = each;
    const [oldest] = largest?.plans.values() ?? [];
    if (oldest !== undefined) this.take(oldest.plan);
  }
}
