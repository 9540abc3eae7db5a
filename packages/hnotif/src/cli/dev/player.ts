import { setMaxListeners } from 'node:events';
import { sleep, type Clock } from '../../clock.ts';
import { initialStatus, type OperatorStatus } from '../../lifecycle/operator.ts';
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
  /** Tells the user what of a plan cannot be played as it says. */
  readonly warn: (message: string) => void;
}

/** The last write of a plan. */
export interface LastWrite {
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: string;
}

/**
 * Plays the operator: writes the statuses of plans through their nights, each over HTTP, as an operator would. A plan
 * that is deleted takes its part of the night with it; another one of its name begins anew.
 */
export class Player {
  readonly #options: PlayerOptions;
  /** By uid. */
  readonly #statuses = new Map<string, OperatorStatus>();
  #nights = 0;

  constructor(options: PlayerOptions) {
    this.#options = options;
    // Each plan waits on it.
    setMaxListeners(0, options.signal);
  }

  /**
   * One night and morning at once of those of the plans that ask for one; resolves with the last write of each that is
   * still there. Others are the user's own: nobody writes over them.
   */
  async night(all: readonly Manifest[]): Promise<LastWrite[]> {
    const plans = all.filter(asksForNight);
    const cycle = `night-${++this.#nights}`;
    await this.meet(plans);
    const writes = await Promise.all(plans.map((plan) => this.#play(plan, cycle)));
    return writes.filter((write) => write !== undefined);
  }

  /** The operator's first look at plans: each is given its status at rest. Those that are known stay as they are. */
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

  /** Undefined when the plan is gone. */
  async #play(manifest: Manifest, cycle: string): Promise<LastWrite | undefined> {
    const { api, clock, speed, signal, writing } = this.#options;
    const { name, namespace = 'default' } = manifest.metadata;
    let status = this.#statuses.get(uidOf(manifest));
    if (status === undefined) return undefined;
    let resourceVersion = manifest.metadata.resourceVersion ?? '';
    // By day somebody has mended what failed in the night before.
    const mended = status.phase === 'Error' ? [{ afterMs: 0, write: () => initialStatus }] : [];
    const night = playNight(nightOf(manifest), nightPlan(manifest), cycle);
    for (const { afterMs, write } of [...mended, ...night]) {
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

/** Whether the player plays a plan: the annotation says how its nights are. */
export const asksForNight = ({ metadata }: Manifest): boolean =>
  metadata.annotations?.[NIGHT_ANNOTATION] !== undefined;

const uidOf = ({ metadata }: Manifest): string => metadata.uid ?? '';

/** The night that a plan's annotation asks for; `steady` for a word that is none, which is told. */
function nightOf({ metadata }: Manifest, warn: (message: string) => void = () => {}): Night {
  const wanted = metadata.annotations?.[NIGHT_ANNOTATION] ?? '';
  if (isNight(wanted)) return wanted;
  const plan = `${metadata.namespace ?? 'default'}/${metadata.name}`;
  warn(
    `plan ${plan}: ${NIGHT_ANNOTATION} is ${JSON.stringify(wanted)}, none of ${NIGHTS.join(', ')}; played as steady`,
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
