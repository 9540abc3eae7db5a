import { setMaxListeners } from 'node:events';
import { sleep, type Clock } from '@hnotif/core/clock';
import { initialStatus, type OperatorStatus } from '@hnotif/core/lifecycle';
import type { Api, Manifest } from './api.ts';
import { isNight, NIGHT_ANNOTATION, NIGHTS, playNight, type Night, type NightPlan } from './night.ts';

export interface PlayerOptions {
  readonly api: Pick<Api, 'patchStatus'>;
  readonly clock: Clock;
  /** 2 is twice as fast. */
  readonly speed: number;
  readonly signal: AbortSignal;
  /** Called before each write is sent. */
  readonly writing: (namespace: string, name: string) => void;
  /** Shows a warning to the user. */
  readonly warn: (message: string) => void;
}

/** The last write of a plan. */
export interface LastWrite {
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: string;
}

/** Plays the operator: writes the statuses of plans through their nights over HTTP. A deleted plan ends its night. A new one of its name begins again. */
export class Player {
  readonly #options: PlayerOptions;
  /** By uid. */
  readonly #statuses = new Map<string, OperatorStatus>();
  #nights = 0;

  constructor(options: PlayerOptions) {
    this.#options = options;
    // Each plan adds a listener.
    setMaxListeners(0, options.signal);
  }

  /** Plays one night and morning of all plans with the annotation, at the same time. Resolves with the last write of each plan that still exists. */
  async night(all: readonly Manifest[]): Promise<LastWrite[]> {
    const plans = all.filter(asksForNight);
    const cycle = `night-${++this.#nights}`;
    await this.meet(plans);
    const writes = await Promise.all(plans.map((plan) => this.#play(plan, cycle)));
    return writes.filter((write) => write !== undefined);
  }

  /** Gives new plans with the annotation their first status. */
  async meet(plans: readonly Manifest[]): Promise<void> {
    const there = new Set(plans.map(uidOf));
    for (const uid of this.#statuses.keys()) if (!there.has(uid)) this.#statuses.delete(uid);
    for (const plan of plans) {
      if (!asksForNight(plan) || this.#statuses.has(uidOf(plan))) continue;
      if ((await this.#options.api.patchStatus(plan, initialStatus)) === undefined) continue;
      this.#statuses.set(uidOf(plan), initialStatus);
      nightOf(plan, this.#options.warn);
    }
  }

  /** Undefined: the plan was deleted. */
  async #play(manifest: Manifest, cycle: string): Promise<LastWrite | undefined> {
    const { api, clock, speed, signal, writing } = this.#options;
    const { name, namespace = 'default' } = manifest.metadata;
    let status = this.#statuses.get(uidOf(manifest));
    if (status === undefined) return undefined;
    let resourceVersion = manifest.metadata.resourceVersion ?? '';
    // A failure of the last night was repaired during the day.
    const repaired = status.phase === 'Error' ? [{ afterMs: 0, write: () => initialStatus }] : [];
    const night = playNight(nightOf(manifest), nightPlan(manifest), cycle);
    for (const { afterMs, write } of [...repaired, ...night]) {
      await sleep(clock, afterMs / speed, signal);
      if (signal.aborted) break;
      status = write(status, clock.now());
      writing(namespace, name);
      const written = await api.patchStatus(manifest, status);
      if (written === undefined) {
        this.#statuses.delete(uidOf(manifest));
        return undefined;
      }
      resourceVersion = written;
    }
    this.#statuses.set(uidOf(manifest), status);
    return { namespace, name, resourceVersion };
  }
}

/** Whether the player plays this plan. */
export const asksForNight = ({ metadata }: Manifest): boolean =>
  metadata.annotations?.[NIGHT_ANNOTATION] !== undefined;

const uidOf = ({ metadata }: Manifest): string => metadata.uid ?? '';

/** The night of a plan's annotation; `steady`, with a warning, if the value is unknown. */
function nightOf({ metadata }: Manifest, warn: (message: string) => void = () => {}): Night {
  const wanted = metadata.annotations?.[NIGHT_ANNOTATION] ?? '';
  if (isNight(wanted)) return wanted;
  const plan = `${metadata.namespace ?? 'default'}/${metadata.name}`;
  warn(
    `plan ${plan}: ${NIGHT_ANNOTATION} is ${JSON.stringify(wanted)}, but must be one of ${NIGHTS.join(', ')}; it is played as steady`,
  );
  return 'steady';
}

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
