import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { begin, poll, succeed, type OperatorStatus } from '@hnotif/core/lifecycle';
import { VERSION } from '@hnotif/core/version';
import { entries } from './support/journals.ts';
import { ALL } from '../../lab/src/nights.ts';
import { BUNDLE, QUICK_LEASE, type Run } from './support/process.ts';
import { contextOf, inWords, World } from './support/world.ts';
import { temporary } from './support/temporary.ts';

/**
 * The other version: the bundle of HNOTIF_OTHER_BUNDLE (a path to its hnotif.mjs), so that a release can be tried beside the last one.
 * Without it this version under another number, because a checkout may have no history to build an older one from.
 */
async function otherBundle(): Promise<string> {
  const given = process.env.HNOTIF_OTHER_BUNDLE ?? '';
  if (given !== '') return given;
  const folder = await temporary();
  await cp(dirname(BUNDLE), folder, { recursive: true });
  for (const file of await readdir(folder)) {
    if (!file.endsWith('.mjs')) continue;
    const text = await readFile(join(folder, file), 'utf8');
    await writeFile(join(folder, file), text.replaceAll(`version:"${VERSION}"`, 'version:"0.0.1-other"'));
  }
  return join(folder, 'hnotif.mjs');
}

const PLANS = ['orders', 'carts', 'search', 'billing', 'media', 'reports'];
const TARGETS = [{ name: 'db', type: 'rds' }];
const DONE = [{ target: 'db', state: 'Completed' as const }];

/** The writes of a night and of its morning, and the events that each makes. */
const STEPS: readonly (readonly [
  step: (status: OperatorStatus, at: number, cycle: string) => OperatorStatus,
  events: readonly string[],
])[] = [
  [
    (status, at, cycle) => begin(status, 'shutdown', cycle, TARGETS, at),
    ['Start', 'PhaseChange Active Hibernating'],
  ],
  [(status, at) => poll(status, DONE, at), ['ExecutionProgress db Completed']],
  [(status, at) => succeed(status, at), ['Success', 'PhaseChange Hibernating Hibernated']],
  [
    (status, at, cycle) => begin(status, 'wakeup', cycle, TARGETS, at),
    ['Start', 'PhaseChange Hibernated WakingUp'],
  ],
  [(status, at) => poll(status, DONE, at), ['ExecutionProgress db Completed']],
  [(status, at) => succeed(status, at), ['Success', 'PhaseChange WakingUp Active']],
];

/**
 * An operator that never rests: it writes each plan again as soon as the messages of its last write have arrived. So while nobody
 * leads, each plan changes once, and no comparison of states can skip an event.
 */
class Operator {
  readonly #world: World;
  readonly #expected = new Map<string, string[]>();
  readonly #playing: Promise<void>[];
  #ends = false;

  constructor(world: World) {
    this.#world = world;
    this.#playing = PLANS.map((plan) => this.#play(plan));
  }

  /** Resolves when so many more messages of each plan have arrived. */
  async arrived(messages: number): Promise<void> {
    const wanted = new Map(PLANS.map((plan) => [plan, this.#expectedOf(plan).length + messages]));
    await this.#world.receiver.waitFor(() =>
      PLANS.every((plan) => arrived(this.#world, plan).length >= (wanted.get(plan) ?? Infinity)),
    );
  }

  /** Resolves with the events of each plan when the messages of the last writes have arrived. */
  async end(): Promise<ReadonlyMap<string, readonly string[]>> {
    this.#ends = true;
    await Promise.all(this.#playing);
    return this.#expected;
  }

  #expectedOf(plan: string): string[] {
    const events = this.#expected.get(plan) ?? [];
    this.#expected.set(plan, events);
    return events;
  }

  async #play(plan: string): Promise<void> {
    const expected = this.#expectedOf(plan);
    for (let write = 0; !this.#ends; write++) {
      const [step, events] = STEPS[write % STEPS.length]!;
      const cycle = `night-${Math.floor(write / STEPS.length)}`;
      expected.push(...events);
      await this.#world.write(plan, (status, at) => step(status, at, cycle));
      await this.#world.receiver.waitFor(() => arrived(this.#world, plan).length >= expected.length);
    }
  }
}

/** The accepted messages of a plan, each once, in their order. */
function arrived(world: World, plan: string): string[] {
  const told = new Map<string, string>();
  for (const record of world.receiver.records)
    if (record.answered.accepted && contextOf(record).plan.name === plan && !told.has(record.id))
      told.set(record.id, inWords(record));
  return [...told.values()];
}

/** How many accepted messages came again. */
const doubled = (world: World): number => {
  const ids = world.receiver.records.filter(({ answered }) => answered.accepted).map(({ id }) => id);
  return ids.length - new Set(ids).size;
};

const versionOf = async (run: Run): Promise<string> =>
  (JSON.parse(await run.line(/"msg":"started"/)) as { version: string }).version;

describe('two versions during a rolling update', () => {
  it('hand over the Lease in both directions under load: nothing is lost, and a clean stop doubles nothing', async () => {
    const world = await World.start();
    await world.secret('n');
    await world.notification('n', { onEvents: ALL });
    for (const plan of PLANS) await world.plan(plan);
    const bundles = { old: await otherBundle(), new: BUNDLE };
    const start = (version: keyof typeof bundles): Promise<Run> =>
      world.process(QUICK_LEASE, { bundle: bundles[version] });
    let leader = await start('old');
    await leader.line(/"msg":"serving"/);
    const versions = [await versionOf(leader)];
    const operator = new Operator(world);
    await operator.arrived(20);

    const handOver = async (to: keyof typeof bundles): Promise<void> => {
      const next = await start(to);
      await next.line(/"msg":"standing by"/);
      versions.push(await versionOf(next));
      expect(await leader.end('SIGTERM')).toBe(0);
      await next.line(/"msg":"serving"/);
      leader = next;
      await operator.arrived(20);
    };
    await handOver('new');
    await handOver('old');
    expect(doubled(world)).toBe(0);

    for (const [plan, events] of await operator.end()) expect(arrived(world, plan)).toEqual(events);
    const [one, other] = versions;
    expect(other).toBe(VERSION);
    expect(versions).toEqual([one, other, one]);
    if (process.env.HNOTIF_OTHER_BUNDLE === undefined) expect(one).not.toBe(other);
    await expect
      .poll(async () => (await entries(world)).map(({ entry }) => entry.waiting))
      .toEqual(PLANS.map(() => 0));
    await world.status('n', ({ conditions, waiting }) => conditions?.[0]?.status === 'True' && waiting === 0);
  });
});
