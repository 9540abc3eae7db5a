import { setTimeout } from 'node:timers/promises';
import type { DevCluster } from '@hnotif/devcluster';
import type { Trouble } from '../../record.ts';
import { actAgain, type Acting, type Dice } from '../../dice.ts';

/** A failed write is repeated within this time (milliseconds). */
const BACK_OFF_MS = 2_000;
/** A fault for a number of requests is removed after this time (milliseconds), even if there were fewer requests. */
const LONGEST_MS = 500;

const JOURNALS = 'hibernatenotificationjournals';
export const PLANS = 'hibernateplans';

/** The kind of a failure, and a function that causes it and resolves when it is over. */
export type Act = readonly [Trouble['kind'], (cluster: DevCluster, dice: Dice) => unknown];

const WRITES = ['patch', 'create', 'update'] as const;

/** Adds these rules for `ms` milliseconds. */
async function during(
  { faults }: DevCluster,
  ms: number,
  rules: readonly Parameters<DevCluster['faults']['add']>[0][],
): Promise<void> {
  const removes = rules.map((rule) => faults.add(rule));
  await setTimeout(ms);
  for (const remove of removes) remove();
}

const refused = (code: number, retryAfter?: number): Act => [
  'refusal',
  async (cluster, dice) => {
    const effect = { kind: 'status', code, ...(retryAfter === undefined ? {} : { retryAfter }) } as const;
    const rules = WRITES.map((verb) => ({ verb, resource: JOURNALS, chance: 0.7, effect }));
    await during(cluster, 100 + dice.below(300), rules);
    await setTimeout(BACK_OFF_MS);
  },
];

const reset = (resource: string, when: 'before' | 'after', times: number): Act => [
  resource === JOURNALS ? 'refusal' : 'none',
  async (cluster) => {
    const effect = { kind: 'reset', when } as const;
    await during(
      cluster,
      LONGEST_MS,
      WRITES.map((verb) => ({ verb, resource, times, effect })),
    );
    await setTimeout(BACK_OFF_MS);
  },
];

const ACTS: Readonly<Record<string, Act>> = {
  'watches end': ['late', ({ faults }) => faults.cutWatches('end')],
  'watches are reset': ['late', ({ faults }) => faults.cutWatches('reset')],
  'old versions are compacted': [
    'lost',
    (cluster) => {
      cluster.compact();
      return cluster.faults.cutWatches('reset', { resource: PLANS });
    },
  ],
  'journals are refused with 503': refused(503),
  'journals are refused with 500': refused(500),
  'journals are refused with 429': refused(429, 1),
  'journals are reset before': reset(JOURNALS, 'before', 3),
  'journals are reset after': reset(JOURNALS, 'after', 5),
  'journal writes are delayed': [
    'refusal',
    (cluster, dice) => {
      const lastsMs = 200 + dice.below(300);
      const effect = { kind: 'delay', until: setTimeout(lastsMs) } as const;
      return during(cluster, lastsMs, [{ resource: JOURNALS, effect }]);
    },
  ],
  'the Lease is reset': reset('leases', 'after', 1),
  'statuses are reset': reset('hibernatenotifications/status', 'after', 2),
  'secrets are refused': [
    'none',
    (cluster) =>
      during(cluster, LONGEST_MS, [
        { resource: 'secrets', verb: 'get', times: 3, effect: { kind: 'status', code: 500 } },
      ]),
  ],
};

/** Refuses journal writes for a while, when a process has just taken over. */
export async function refuseJournals(cluster: DevCluster, dice: Dice): Promise<Trouble> {
  const from = Date.now();
  const [kind, act] = refused(503);
  await act(cluster, dice);
  return { kind, what: 'journals are refused after a take-over', from, to: Date.now() };
}

/** Causes failures of the control plane, one after the other, until the signal aborts. Each is pushed when it is over. */
export async function trouble(
  cluster: DevCluster,
  dice: Dice,
  options: Omit<Acting, 'dice'> & {
    readonly push: (trouble: Trouble) => void;
    /** Failures outside of the control plane. */
    readonly more: Readonly<Record<string, Act>>;
  },
): Promise<void> {
  const { push, more } = options;
  await actAgain(Object.entries({ ...ACTS, ...more }), { ...options, dice }, async ([what, [kind, act]]) => {
    const from = Date.now();
    await act(cluster, dice);
    push({ kind, what, from, to: Date.now() });
  });
  cluster.faults.clear();
}
