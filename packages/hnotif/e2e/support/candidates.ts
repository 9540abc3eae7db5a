import { setImmediate } from 'node:timers/promises';
import { Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { loadAccess } from '../../src/cluster/access.ts';
import { KubeClient } from '../../src/cluster/client.ts';
import { Election } from '../../src/cluster/election.ts';
import { KubeError } from '../../src/cluster/error.ts';
import { LEASE_TIMING } from '../../src/cluster/lease.ts';
import { createLog } from '../../src/observe/log.ts';
import { ManualClock, settle } from '../../src/testing/clock.ts';
import type { World } from './world.ts';

/** The fate of a request: it is refused before it arrives, or its answer is lost. */
export type Fate = 'done' | 'lost' | 'done, answer lost';

/** A candidate of the election, with a clock that the test turns and a real client of a real API. */
export class Candidate {
  readonly clock = new ManualClock();
  readonly election: Election;
  readonly log: string[] = [];
  fate: (method: 'get' | 'create' | 'update') => Fate = () => 'done';
  /** The rest of its process counts as dead. */
  stopped = false;
  #underWay = 0;

  constructor(client: KubeClient, options: { readonly name: string; readonly namespace: string }) {
    const asked = async <T>(method: 'get' | 'create' | 'update', ask: () => Promise<T>): Promise<T> => {
      this.#underWay++;
      try {
        const fate = this.fate(method);
        const gone = new KubeError(0, 'Unreachable', 'the connection was reset');
        if (fate === 'lost') throw gone;
        const answer = await ask();
        if (fate !== 'done') throw gone;
        return answer;
      } finally {
        this.#underWay--;
      }
    };
    const destination = new Writable({
      write: (line, _, done) => {
        this.log.push(String(line));
        done();
      },
    });
    this.election = new Election({
      ...LEASE_TIMING,
      client: {
        get: (...args) => asked('get', () => client.get(...args)),
        create: (...args) => asked('create', () => client.create(...args)),
        update: (...args) => asked('update', () => client.update(...args)),
      },
      clock: this.clock,
      log: createLog({ format: 'json', level: 'info', destination }),
      namespace: options.namespace,
      name: 'hnotif',
      identity: options.name,
    });
    this.election.start();
  }

  get leads(): boolean {
    return this.election.isLeader();
  }

  /** Resolves when no request is in flight and the effects of its answer are done. */
  async idle(): Promise<void> {
    do {
      while (this.#underWay > 0) await setImmediate();
      await settle();
    } while (this.#underWay > 0);
  }
}

export class Candidates {
  readonly #world: World;
  readonly #all: Candidate[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  /** Adds a candidate. Resolves when it has read the Lease for the first time. */
  async add(
    name: string,
    options: { readonly namespace?: string; readonly client?: KubeClient } = {},
  ): Promise<Candidate> {
    const client = options.client ?? (await clientOf(this.#world));
    const candidate = new Candidate(client, { name, namespace: options.namespace ?? 'default' });
    this.#all.push(candidate);
    await candidate.idle();
    return candidate;
  }

  /** Advances the clocks of all of them. */
  async pass(ms: number): Promise<void> {
    for (let gone = 0; gone < ms; gone += 500)
      for (const candidate of this.#all) {
        if (candidate.stopped) continue;
        await candidate.clock.advance(500);
        await candidate.idle();
      }
  }
}

export async function clientOf(
  world: World,
  limits: { readonly qps?: number; readonly burst?: number } = {},
): Promise<KubeClient> {
  const access = await loadAccess({ kubeconfig: await world.kubeconfig(), env: {} });
  const client = new KubeClient({ access, clock: systemClock, ...limits });
  onTestFinished(() => client.close());
  return client;
}
