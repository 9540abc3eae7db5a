import type { Controller } from '../../src/controller/controller.ts';
import type { ControllerOptions } from '../../src/controller/options.ts';
import { eventually } from '../../../core/src/testing/eventually.ts';
import type { JournalEntry, JournalObject } from '../../../lab/src/journals.ts';
import { collection } from '../../../lab/src/objects.ts';
import { metricsOf, NAMESPACE, World, type SinkSpec } from './world.ts';
import { ALL } from '../../../lab/src/nights.ts';

/** One process after the other: the test knows when the former one is dead, so no process waits for its Lease. */
export const ALONE = '--leader-elect=false';

/** Retries and probes without long waits. */
export const QUICK: Partial<ControllerOptions> = {
  limits: { backoffMinMs: 1, backoffMaxMs: 5, probeMinMs: 20, probeMaxMs: 50 },
};

const JOURNALS = 'hibernatenotificationjournals';

/** The journal entry of one plan, with the fields that tests use. */
export interface PlanJournal extends JournalObject {
  readonly uid: string;
  readonly entry: JournalEntry;
}

export async function journals(world: World): Promise<readonly JournalObject[]> {
  return (await world.list(JOURNALS)) as readonly JournalObject[];
}

/** All entries of all journals. */
export async function entries(world: World): Promise<readonly PlanJournal[]> {
  return (await journals(world)).flatMap((journal) =>
    Object.entries(journal.spec.plans ?? {}).map(([uid, entry]) => ({ ...journal, uid, entry })),
  );
}

/** The newest entry of each plan. While a plan moves to another journal, the entry that it leaves is still there. */
async function newest(world: World): Promise<readonly PlanJournal[]> {
  const all = [...(await entries(world))].sort(
    (a, b) => a.spec.writer.term - b.spec.writer.term || a.entry.gen - b.entry.gen,
  );
  return [...new Map(all.map((each) => [each.uid, each])).values()];
}

/** Resolves with a plan's journal once it satisfies `wanted`. */
export function journalOf(
  world: World,
  plan: string,
  wanted: (journal: PlanJournal) => boolean = () => true,
): Promise<PlanJournal> {
  return eventually(async () => {
    const all = await newest(world);
    const found = all.find((each) => each.entry.name === plan && wanted(each));
    if (found === undefined)
      throw new Error(`the journal of ${plan} is not as wanted: ${JSON.stringify(all)}`);
    return found;
  });
}

/** Resolves when this number of deliveries of a plan waits in its journal. */
export const pending = (world: World, plan: string, count: number): Promise<PlanJournal> =>
  journalOf(world, plan, ({ entry }) => entry.waiting === count);

export const journalPath = ({ metadata }: Pick<JournalObject, 'metadata'>): string =>
  `${collection(NAMESPACE, JOURNALS)}/${metadata.name}`;

/** A notification `n` of every event with these sinks, and the plan `orders`. */
export const subscribed = (...sinks: readonly (string | SinkSpec)[]): Promise<World> =>
  subscribedIn({}, ...sinks);

/** The same in a world with other options. */
export async function subscribedIn(
  options: Parameters<typeof World.start>[0],
  ...sinks: readonly (string | SinkSpec)[]
): Promise<World> {
  const world = await World.start(options);
  const all = sinks.length === 0 ? ['n'] : sinks;
  for (const sink of all) if (typeof sink === 'string') await world.secret(sink);
  await world.notification('n', { onEvents: ALL, sinks: all });
  await world.plan('orders');
  return world;
}

/** Resolves when the process has stored a journal, and knows it. */
export const written = (controller: Controller): Promise<void> =>
  eventually(async () => {
    const metrics = await metricsOf(controller);
    if (!/^hnotif_journal_writes_total\{result="written"\} [1-9]/m.test(metrics))
      throw new Error('no journal is stored');
  });
