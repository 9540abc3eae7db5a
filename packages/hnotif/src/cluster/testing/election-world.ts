import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import type { Clock } from '@hnotif/core/clock';
import type { CallOptions } from '../api-requests.ts';
import type { KubeClient } from '../client.ts';
import { Election } from '../election.ts';
import { KubeError } from '../error.ts';
import { formatMicros, LEASE_TIMING, parseLease, type Lease, type Term } from '../lease.ts';
import { isRaw } from '@hnotif/core/resources';

/** What becomes of a request: how long it and its answer are under way (milliseconds); undefined: it is lost. */
export interface Way {
  readonly request: number | undefined;
  readonly answer: number | undefined;
}

interface Due {
  readonly at: number;
  readonly run: () => void;
  /** Whoever has to be awake for it. */
  readonly host: Host | undefined;
}

/** The answer to a request that is lost comes so late: from whatever lies between (milliseconds). */
const RESET_MS = 3_000;

/**
 * One Lease and those who want it, in a time of the test's own: clocks that differ, processes that stand still, requests
 * that are lost on their way there or back.
 */
export class ElectionWorld {
  /** True time (milliseconds). */
  now = Date.UTC(2026, 0, 5, 20, 0, 0);
  /** What becomes of the next request. */
  way: () => Way = () => ({ request: 5, answer: 5 });
  readonly hosts: Host[] = [];
  /** Of those who led, in the order in which they did. */
  readonly terms: Term[] = [];
  /** What was seen that must never be. */
  readonly faults: string[] = [];
  #lease: Record<string, unknown> | undefined;
  #version = 0;
  #due: Due[] = [];

  host(options: { readonly rate?: number; readonly wallOffset?: number } = {}): Host {
    const host = new Host(this, `host-${this.hosts.length}`, options);
    this.hosts.push(host);
    return host;
  }

  get leaders(): string[] {
    return this.hosts.filter((host) => host.awake && host.election.isLeader()).map((host) => host.name);
  }

  /** The Lease's fields; undefined when there is none. */
  get lease(): Lease | undefined {
    return this.#lease && parseLease(this.#lease);
  }

  deleteLease(): void {
    this.#lease = undefined;
  }

  after(ms: number, run: () => void, host?: Host): () => void {
    this.#due.push({ at: this.now + ms, run, host });
    return () => {
      this.#due = this.#due.filter((due) => due.run !== run);
    };
  }

  /** What waits for `host` comes later. */
  delay(host: Host, ms: number): void {
    this.#due = this.#due.map((due) => (due.host === host ? { ...due, at: due.at + ms } : due));
  }

  /** Lets time pass. */
  async pass(ms: number): Promise<void> {
    const end = this.now + ms;
    await setImmediate();
    for (;;) {
      const ready = this.#due.filter((due) => due.at <= end && (due.host?.awake ?? true));
      const next = ready.reduce<Due | undefined>(
        (a, b) => (a === undefined || b.at < a.at ? b : a),
        undefined,
      );
      if (next === undefined) break;
      this.#due = this.#due.filter((due) => due !== next);
      this.now = Math.max(this.now, next.at);
      if (next.host?.dead !== true) next.run();
      await setImmediate();
      this.#judge();
    }
    this.now = end;
    this.#judge();
  }

  /** A request of `host`: it comes, is answered, and the answer comes back to a host that is awake. */
  request(host: Host, answer: () => unknown, { signal }: CallOptions): Promise<unknown> {
    const { request, answer: back } = this.way();
    return new Promise((resolve, reject) => {
      const fail = (): void => {
        reject(new KubeError(0, 'Unreachable', 'the connection was reset'));
      };
      signal?.addEventListener('abort', fail);
      if (request === undefined) {
        this.after(RESET_MS, fail, host);
        return;
      }
      // Whether it was given up meanwhile or not.
      this.after(request, () => {
        let settle: () => void = fail;
        try {
          const found = structuredClone(answer());
          settle = () => {
            resolve(found);
          };
        } catch (error) {
          settle = () => {
            reject(error instanceof Error ? error : new Error(String(error)));
          };
        }
        if (back === undefined) this.after(RESET_MS, fail, host);
        else this.after(back, settle, host);
      });
    });
  }

  read(): unknown {
    if (this.#lease === undefined) throw new KubeError(404, 'NotFound', 'leases "hnotif" not found');
    return this.#lease;
  }

  create(object: object): unknown {
    if (this.#lease !== undefined) throw new KubeError(409, 'AlreadyExists', 'there is one');
    return this.#store(object, `uid-${this.#version}`, formatMicros(this.now).replace(/\.\d+/, ''));
  }

  update(object: object): unknown {
    const [there, wanted] = [parseLease(this.read()), parseLease(object)];
    if (there.uid !== wanted.uid || there.resourceVersion !== wanted.resourceVersion)
      throw new KubeError(409, 'Conflict', 'the object has been modified');
    return this.#store(object, there.uid, formatMicros(there.createdAt).replace(/\.\d+/, ''));
  }

  #store(object: object, uid: string, creationTimestamp: string): unknown {
    const resourceVersion = String(++this.#version);
    const metadata = 'metadata' in object && isRaw(object.metadata) ? object.metadata : {};
    this.#lease = { ...object, metadata: { ...metadata, uid, resourceVersion, creationTimestamp } };
    return this.#lease;
  }

  /** Whoever stood still asks whether it leads; the others must have heard by the signal, which comes unasked. */
  #judge(): void {
    const acting = this.hosts.filter(
      (host) => host.awake && (host.stoodStill ? host.election.isLeader() : host.acts),
    );
    if (acting.length > 1)
      this.faults.push(`${this.now}: ${acting.map(({ name }) => name).join(' and ')} lead`);
  }
}

/** A process on a machine. */
export class Host implements Clock {
  readonly name: string;
  awake = true;
  stoodStill = false;
  dead = false;
  /** It was told that it leads, and has not been told otherwise. */
  acts = false;
  wallOffset: number;
  election: Election;
  readonly #world: ElectionWorld;
  readonly #rate: number;
  #slept = 0;

  constructor(
    world: ElectionWorld,
    name: string,
    { rate = 1, wallOffset = 0 }: { readonly rate?: number; readonly wallOffset?: number },
  ) {
    this.#world = world;
    this.name = name;
    this.#rate = rate;
    this.wallOffset = wallOffset;
    this.election = this.candidate();
  }

  /** Stands again, as a candidate does after a loss. */
  candidate(): Election {
    const world = this.#world;
    const client: Pick<KubeClient, 'get' | 'create' | 'update'> = {
      get: (_, __, ___, options = {}) => world.request(this, () => world.read(), options),
      create: (_, __, object, options = {}) => world.request(this, () => world.create(object), options),
      update: (_, __, ___, object, options = {}) => world.request(this, () => world.update(object), options),
    };
    const election = new Election({
      ...LEASE_TIMING,
      ...{ client, clock: this, log: pino({ level: 'silent' }) },
      ...{ namespace: 'hnotif', name: 'hnotif', identity: this.name },
    });
    election.lost.addEventListener('abort', () => {
      this.acts = false;
    });
    void election.leading.then((term) => {
      world.terms.push(term);
      this.acts = !election.lost.aborted;
    });
    election.start();
    this.election = election;
    return election;
  }

  /** Stands still, as with SIGSTOP: time goes on, no timer comes, no answer. */
  stand(): void {
    this.awake = false;
    this.stoodStill = true;
  }

  /** Goes on, `asleep` milliseconds of which the machine itself slept: its monotonic clock and its timers stood still. */
  goOn(asleep = 0): void {
    this.awake = !this.dead;
    this.#slept += asleep * this.#rate;
    this.#world.delay(this, asleep);
  }

  /** As with SIGKILL. */
  kill(): void {
    this.awake = false;
    this.dead = true;
  }

  now(): number {
    return this.#world.now + this.wallOffset;
  }

  monotonic(): number {
    return this.#world.now * this.#rate - this.#slept;
  }

  random(): number {
    return 0.5;
  }

  after(ms: number, run: () => void): () => void {
    // No timer is finer, nor is a number that holds today.
    return this.#world.after(Math.max(1, ms / this.#rate), run, this);
  }
}
