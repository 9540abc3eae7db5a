import type { LifecycleEvent } from '../../../lifecycle/event.ts';
import type { PlanView } from '../../../resources/plan-view.ts';
import type { MemoryKey, SavePriority, SinkMemory } from '../../memory.ts';
import { type FallbackLevels, mapLevels } from '../../roots/levels.ts';
import type { Card } from '../../roots/root-client.ts';
import type { Cards, RootDeps, RootPlace, RootState } from '../../roots/root-state.ts';
import type { RootStatus } from '../../roots/root-status.ts';
import { SavedRecord, type RootRecord } from './root-store.ts';
import { digestOf, ended, fold, type Root } from './root.ts';

/** The least time between two updates of a card (milliseconds): events that come together are shown together. */
const GAP_MS = 1_000;

export type RunForms = FallbackLevels<(root: Root, plan: PlanView) => Card>;

/** What the root of a run needs to send requests. */
export interface RunDeps extends RootDeps {
  readonly cards: RunForms;
}

/** The state of a card: one run of a plan. */
export class RunState implements RootState {
  readonly gapMs = GAP_MS;
  readonly #at: MemoryKey;
  readonly #memory: SinkMemory | undefined;
  forms: RunForms;
  #view: Root;
  #digest: string;

  constructor(
    at: MemoryKey,
    event: LifecycleEvent,
    record: RootRecord | undefined,
    memory: SinkMemory | undefined,
    forms: RunForms,
  ) {
    this.#at = at;
    this.#memory = memory;
    this.forms = forms;
    this.#view = fold(record?.desired, event);
    this.#digest = digestOf(this.#view);
  }

  get digest(): string {
    return this.#digest;
  }

  get status(): RootStatus {
    return this.#view.status;
  }

  get name(): string {
    const { namespace, plan } = this.#view.shown;
    return `the thread of ${namespace}/${plan}`;
  }

  get namespace(): string {
    return this.#at.address.namespace;
  }

  cards(plan: PlanView): Cards {
    const view = this.#view;
    return mapLevels(this.forms, (form) => () => form(view, plan));
  }

  /** An event that is older than the last one changes nothing. */
  apply(event: LifecycleEvent): boolean {
    return this.#show(fold(this.#view, event));
  }

  found(there: RootStatus): boolean {
    return this.#show(ended(this.#view, there));
  }

  save(place: RootPlace, priority: SavePriority): void | Promise<void> {
    const record = new SavedRecord({ desired: this.#view, ...place });
    return this.#memory?.save(this.#at, record, priority);
  }

  #show(view: Root): boolean {
    if (view === this.#view) return false;
    this.#view = view;
    this.#digest = digestOf(view);
    return true;
  }
}
