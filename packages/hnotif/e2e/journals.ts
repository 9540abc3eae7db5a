import { vi } from 'vitest';
import type { KubeObject } from './kube.ts';
import { GROUP, NAMESPACE, World, type SinkSpec } from './world.ts';
import { ALL } from './nights.ts';

/** One process after the other: the test says when the one before is dead, so none has to wait for its Lease. */
export const ALONE = '--leader-elect=false';

const JOURNALS = `/apis/${GROUP}/v1alpha1/namespaces/${NAMESPACE}/hibernatenotificationjournals`;

export interface JournalObject extends KubeObject {
  readonly spec: {
    readonly plan: { readonly name: string; readonly uid: string };
    readonly version: number;
    readonly pending: number;
    readonly encoding: string;
    readonly content: string;
    readonly writer: { readonly holder: string; readonly term: number };
  };
}

export async function journals(world: World): Promise<readonly JournalObject[]> {
  return (await world.kube.get(JOURNALS)).items as readonly JournalObject[];
}

/** Resolves with a plan's journal once it satisfies `wanted`. */
export function journalOf(
  world: World,
  plan: string,
  wanted: (journal: JournalObject) => boolean = () => true,
): Promise<JournalObject> {
  return vi.waitFor(
    async () => {
      const all = await journals(world);
      const found = all.find(({ spec }) => spec.plan.name === plan);
      if (found === undefined || !wanted(found))
        throw new Error(`the journal of ${plan} is not as wanted: ${JSON.stringify(found)}`);
      return found;
    },
    { timeout: 20_000, interval: 5 },
  );
}

/** Resolves when so many deliveries of a plan wait in its journal. */
export const pending = (world: World, plan: string, count: number): Promise<JournalObject> =>
  journalOf(world, plan, ({ spec }) => spec.pending === count);

export const journalPath = ({ metadata }: JournalObject): string => `${JOURNALS}/${metadata.name}`;

/** A notification `n` of every event with these sinks, and the plan `orders`. */
export async function subscribed(...sinks: readonly (string | SinkSpec)[]): Promise<World> {
  const world = await World.start();
  const all = sinks.length === 0 ? ['n'] : sinks;
  for (const sink of all) if (typeof sink === 'string') await world.secret(sink);
  await world.notification('n', { onEvents: ALL, sinks: all });
  await world.plan('orders');
  return world;
}
