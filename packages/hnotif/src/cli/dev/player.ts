import { sleep, type Clock } from '../../clock.ts';
import { initialStatus, type OperatorStatus } from '../../lifecycle/operator.ts';
import type { Api, Manifest } from './api.ts';
import { NIGHT_ANNOTATION, NIGHTS, playNight, type Night, type NightPlan } from './night.ts';

export interface PlayerOptions {
  readonly api: Api;
  readonly clock: Clock;
  /** 2 is twice as fast. */
  readonly speed: number;
  readonly signal: AbortSignal;
  /** Called before each write is sent. */
  readonly writing: (namespace: string, name: string) => void;
}

/** The last write of a plan. */
export interface LastWrite {
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: string;
}

/** Plays the operator: writes the statuses of plans through their nights, each over HTTP, as an operator would. */
export class Player {
  readonly #options: PlayerOptions;
  readonly #statuses = new Map<string, OperatorStatus>();
  #nights = 0;

  constructor(options: PlayerOptions) {
    this.#options = options;
  }

  /** One night and morning of all these plans at once; resolves with each plan's last write. */
  async night(plans: readonly Manifest[]): Promise<LastWrite[]> {
    const cycle = `night-${++this.#nights}`;
    await this.meet(plans);
    return Promise.all(plans.map((plan) => this.#play(plan, cycle)));
  }

  /** The operator's first look at plans: each is given its status at rest. Those that are known stay as they are. */
  async meet(plans: readonly Manifest[]): Promise<void> {
    for (const plan of plans) {
      if (this.#statuses.has(keyOf(plan))) continue;
      await this.#options.api.patchStatus(plan, initialStatus);
      this.#statuses.set(keyOf(plan), initialStatus);
    }
  }

  async #play(manifest: Manifest, cycle: string): Promise<LastWrite> {
    const { api, clock, speed, signal, writing } = this.#options;
    const { name, namespace = 'default', annotations } = manifest.metadata;
    const wanted = annotations?.[NIGHT_ANNOTATION] as Night;
    const night = NIGHTS.includes(wanted) ? wanted : 'steady';
    let status = this.#statuses.get(keyOf(manifest)) ?? initialStatus;
    let resourceVersion = manifest.metadata.resourceVersion ?? '';
    for (const { afterMs, write } of playNight(night, nightPlan(manifest), cycle)) {
      await sleep(clock, afterMs / speed, signal);
      if (signal.aborted) break;
      status = write(status, clock.now());
      writing(namespace, name);
      resourceVersion = await api.patchStatus(manifest, status);
    }
    this.#statuses.set(keyOf(manifest), status);
    return { namespace, name, resourceVersion };
  }
}

const keyOf = ({ metadata }: Manifest): string => `${metadata.namespace ?? 'default'}/${metadata.name}`;

function nightPlan(manifest: Manifest): NightPlan {
  const spec = manifest.spec as {
    targets?: NightPlan['targets'];
    behavior?: { retries?: number };
    execution?: { strategy?: { dependencies?: NightPlan['dependencies'] } };
  };
  return {
    targets: spec.targets ?? [],
    retries: spec.behavior?.retries ?? 3,
    dependencies: spec.execution?.strategy?.dependencies ?? [],
  };
}
