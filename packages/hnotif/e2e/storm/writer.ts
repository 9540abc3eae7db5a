import { crds } from '../../src/resources/crds/crds.ts';
import { DEFAULT_API_GROUP } from '../../src/resources/group.ts';
import type { Kube, KubeObject } from '../kube.ts';
import type { Dice } from './dice.ts';
import type { Lags } from './lags.ts';

const API = `/apis/${DEFAULT_API_GROUP}/v1alpha1`;
export const PLANS = `${API}/hibernateplans`;
const NAMESPACES = ['storm-a', 'storm-b', 'storm-c'];
const PLANS_EACH = 60;

/** What the writer changes of a plan, and the checker looks at. */
export const LABEL = 'storm';

interface Slot {
  readonly collection: string;
  readonly name: string;
  /** Undefined while no plan has this name. */
  uid: string | undefined;
}

/** Writes plans over HTTP, as an operator and its users do: one write after the other, each told to `lags`. */
export class Writer {
  readonly #kube: Kube;
  readonly #dice: Dice;
  readonly #lags: Lags;
  readonly #slots: readonly Slot[];
  #changes = 0;

  constructor(kube: Kube, dice: Dice, lags: Lags) {
    this.#kube = kube;
    this.#dice = dice;
    this.#lags = lags;
    this.#slots = NAMESPACES.flatMap((namespace) =>
      Array.from({ length: PLANS_EACH }, (_, at) => ({
        collection: `${API}/namespaces/${namespace}/hibernateplans`,
        name: `plan-${at}`,
        uid: undefined,
      })),
    );
  }

  /** Installs the definitions and creates every plan. */
  async begin(): Promise<void> {
    for (const crd of crds(DEFAULT_API_GROUP, { withPlans: true }))
      await this.#kube.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd);
    for (const name of NAMESPACES)
      await this.#kube.post('/api/v1/namespaces', {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name },
      });
    await this.fill();
  }

  /** How many writes there were. */
  get changes(): number {
    return this.#changes;
  }

  /** A change of some plan; now and then its end, its beginning, or both in either order. */
  async write(): Promise<void> {
    const slot = this.#slots[this.#dice.below(this.#slots.length)];
    if (slot === undefined) return;
    if (slot.uid === undefined) {
      await this.#create(slot);
      if (this.#dice.hits(0.2)) await this.#delete(slot);
      return;
    }
    const roll = this.#dice.next();
    if (roll < 0.7) await this.#change(slot);
    else if (roll < 0.8) await this.#changeStatus(slot);
    else {
      await this.#delete(slot);
      if (roll < 0.92) await this.#create(slot);
    }
  }

  /** A change of a plan that is there, be there a write under way or not. */
  async touch(): Promise<void> {
    const slot = this.#slots.find(({ uid }) => uid !== undefined);
    if (slot) await this.#change(slot);
  }

  /** Creates the plans that are missing. */
  async fill(): Promise<void> {
    for (const slot of this.#slots) if (slot.uid === undefined) await this.#create(slot);
  }

  async #create(slot: Slot): Promise<void> {
    const object = await this.#kube.post(slot.collection, {
      apiVersion: `${DEFAULT_API_GROUP}/v1alpha1`,
      kind: 'HibernatePlan',
      metadata: { name: slot.name, labels: { [LABEL]: `${this.#changes}` } },
      spec: { targets: [{ name: 'db', type: 'rds', connectorRef: { kind: 'CloudProvider', name: 'aws' } }] },
    });
    slot.uid = object.metadata.uid;
    this.#wrote(object);
  }

  async #change(slot: Slot): Promise<void> {
    const metadata = { labels: { [LABEL]: `${this.#changes}` } };
    this.#wrote(await this.#kube.patch(`${slot.collection}/${slot.name}`, { metadata }));
  }

  async #changeStatus(slot: Slot): Promise<void> {
    const status = { phase: 'Hibernating', currentCycleID: `cycle-${this.#changes}` };
    this.#wrote(await this.#kube.patch(`${slot.collection}/${slot.name}/status`, { status }));
  }

  async #delete(slot: Slot): Promise<void> {
    await this.#kube.delete(`${slot.collection}/${slot.name}`);
    this.#changes++;
    if (slot.uid !== undefined) this.#lags.removed(slot.uid);
    slot.uid = undefined;
  }

  #wrote({ metadata }: KubeObject): void {
    this.#changes++;
    this.#lags.wrote(metadata.uid, Number(metadata.resourceVersion));
  }
}
