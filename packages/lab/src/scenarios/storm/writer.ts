import { parsePlan } from '@hnotif/core/resources';
import type { Kube, KubeObject } from '../../kube.ts';
import { collection, createNamespace, planObject } from '../../objects.ts';
import type { Dice } from '../../dice.ts';
import { keyOf, type Checker, LABEL, seenOf, TEXT } from './checker.ts';

export const PLANS = collection(undefined, 'hibernateplans');
const NAMESPACES = ['storm-a', 'storm-b', 'storm-c'];
const PLANS_EACH = 60;

/** With the longest texts, the bytes of a plan arrive in several chunks. */
const MAX_TEXT = 20_000;

interface Slot {
  readonly namespace: string;
  readonly collection: string;
  readonly name: string;
  hasText: boolean;
  /** Undefined: no plan has this name. */
  uid: string | undefined;
}

const slotOf = (namespace: string, name: string): Slot => ({
  namespace,
  collection: collection(namespace, 'hibernateplans'),
  name,
  hasText: false,
  uid: undefined,
});

/** Writes plans over HTTP, as an operator and its users do: one write after the other. Each is reported to the checker. */
export class Writer {
  readonly #kube: Kube;
  readonly #dice: Dice;
  readonly #checker: Checker;
  readonly #slots: readonly Slot[];
  /** The first plan in each list. */
  readonly #first = slotOf(NAMESPACES[0] ?? '', 'a-plan');
  #changes = 0;

  constructor(kube: Kube, dice: Dice, checker: Checker) {
    this.#checker = checker;
    this.#kube = kube;
    this.#dice = dice;
    this.#slots = NAMESPACES.flatMap((namespace) =>
      Array.from({ length: PLANS_EACH }, (_, at) => slotOf(namespace, `plan-${at}`)),
    );
  }

  /** Creates all plans. */
  async begin(): Promise<void> {
    for (const name of NAMESPACES) await createNamespace(this.#kube, name);
    await this.fill();
  }

  /** The number of writes. */
  get changes(): number {
    return this.#changes;
  }

  /** Changes a plan. Now and then it deletes or creates a plan, or both, in either order. */
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

  /** Deletes or creates the first plan of a list. May be called during another write. */
  toggleFirst(): Promise<void> {
    return this.#first.uid === undefined ? this.#create(this.#first) : this.#delete(this.#first);
  }

  /** Creates the missing plans, and shortens all texts. */
  async fill(): Promise<void> {
    for (const slot of [this.#first, ...this.#slots])
      if (slot.uid === undefined) await this.#create(slot);
      else if (slot.hasText) await this.#change(slot, false);
  }

  async #create(slot: Slot): Promise<void> {
    const labels = { [LABEL]: `${this.#changes}` };
    const object = await this.#kube.post(slot.collection, planObject(slot.name, ['db'], { labels }));
    slot.uid = object.metadata.uid;
    slot.hasText = false;
    this.#wrote(object);
  }

  async #change(slot: Slot, hasText = this.#dice.hits(0.03)): Promise<void> {
    const text = hasText ? 'ü🌙'.repeat(this.#dice.below(MAX_TEXT)) : null;
    slot.hasText = hasText;
    const metadata = { labels: { [LABEL]: `${this.#changes}` }, annotations: { [TEXT]: text } };
    this.#wrote(await this.#kube.patch(`${slot.collection}/${slot.name}`, { metadata }));
  }

  async #changeStatus(slot: Slot): Promise<void> {
    const status = { phase: 'Hibernating', currentCycleID: `cycle-${this.#changes}` };
    this.#wrote(await this.#kube.patch(`${slot.collection}/${slot.name}/status`, { status }));
  }

  async #delete(slot: Slot): Promise<void> {
    await this.#kube.delete(`${slot.collection}/${slot.name}`);
    this.#changes++;
    this.#checker.removed(keyOf(slot));
    slot.uid = undefined;
  }

  #wrote(object: KubeObject): void {
    this.#changes++;
    this.#checker.wrote(seenOf(parsePlan(object)));
  }
}
