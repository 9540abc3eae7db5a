import { momentOf, type Clock, type Moment } from '../clock.ts';
import type { KubeClient } from './client.ts';
import { KubeError } from './error.ts';
import { formatMicros, parseLease, specOf, type Lease, type LeaseRecord, type Step } from './lease.ts';
import { LinkedSignal } from './linked-signal.ts';
import { isRaw, LEASES } from './objects.ts';

export interface LeaseStoreOptions {
  readonly client: Pick<KubeClient, 'get' | 'create' | 'update'>;
  readonly clock: Clock;
  readonly namespace: string;
  readonly name: string;
  /** For one request (milliseconds). */
  readonly timeoutMs: number;
}

/**
 * One Lease in the cluster. Every method rejects with a `KubeError`, after `timeoutMs` at the latest; whether a write
 * whose answer did not come was done is then not known. Requests go past the limiter of the client, since a
 * renewal that waited there would come too late.
 */
export class LeaseStore {
  readonly #options: LeaseStoreOptions;

  constructor(options: LeaseStoreOptions) {
    this.#options = options;
  }

  /** Undefined when there is none. */
  async read(signal: AbortSignal): Promise<Lease | undefined> {
    const { client, namespace, name } = this.#options;
    try {
      return await this.#call(signal, (options) => client.get(LEASES, namespace, name, options));
    } catch (error) {
      if (error instanceof KubeError && error.status === 404) return undefined;
      throw error;
    }
  }

  create(record: LeaseRecord, signal: AbortSignal): Promise<Lease> {
    const { client, namespace, name } = this.#options;
    const object = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { namespace, name },
      spec: specOf(record),
    };
    return this.#call(signal, (options) => client.create(LEASES, namespace, object, options));
  }

  /** Only where the Lease is still as it was read: a 409 else. */
  update(lease: Lease, record: LeaseRecord, signal: AbortSignal): Promise<Lease> {
    const { client, namespace, name } = this.#options;
    const spec = isRaw(lease.raw.spec) ? lease.raw.spec : {};
    const object = { ...lease.raw, spec: { ...spec, ...specOf(record) } };
    return this.#call(signal, (options) => client.update(LEASES, namespace, name, object, options));
  }

  async #call(
    signal: AbortSignal,
    ask: (options: { readonly signal: AbortSignal; readonly unlimited: true }) => Promise<unknown>,
  ): Promise<Lease> {
    const { clock, timeoutMs } = this.#options;
    const link = new LinkedSignal(signal);
    let late = false;
    const cancel = clock.after(timeoutMs, () => {
      late = true;
      link.abort();
    });
    try {
      return parseLease(await ask({ signal: link.signal, unlimited: true }));
    } catch (error) {
      throw late ? new KubeError(0, 'Timeout', `no answer within ${timeoutMs} ms`) : error;
    } finally {
      cancel();
      link.release();
    }
  }
}

export interface LeaseHolderOptions {
  readonly store: LeaseStore;
  readonly clock: Clock;
  readonly identity: string;
  readonly leaseDurationMs: number;
}

/** A write that was answered, and when it was sent: others count from no earlier moment. */
export interface Write {
  readonly lease: Lease;
  readonly sent: Moment;
}

/** What a refused write may mean: that the Lease is another one than we think, or is gone. */
const STALE: ReadonlySet<number> = new Set([400, 404, 409]);

const isStale = (error: unknown): boolean => error instanceof KubeError && STALE.has(error.status);

/**
 * Writes us into a Lease, keeps us there, takes us out. After a write without an answer the Lease is read before the next
 * one, so that no write is ever made over one of somebody else. Every method rejects with a `KubeError`.
 */
export class LeaseHolder {
  readonly #options: LeaseHolderOptions;
  /** The Lease as our last write left it; undefined when that is not known. */
  #held: Lease | undefined;
  /** What our last taking wrote, which may stand there. */
  #taken: Pick<Lease, 'acquireTime' | 'transitions'> | undefined;

  constructor(options: LeaseHolderOptions) {
    this.#options = options;
  }

  async take(step: Exclude<Step, { do: 'wait' }>, signal: AbortSignal): Promise<Write> {
    const { store, clock, identity: holder, leaseDurationMs: durationMs } = this.#options;
    const sent = momentOf(clock);
    const now = formatMicros(clock.now());
    const { transitions } = step;
    const record = { holder, durationMs, acquireTime: now, renewTime: now, transitions };
    this.#taken = record;
    this.#held = undefined;
    this.#held =
      step.do === 'create'
        ? await store.create(record, signal)
        : await store.update(step.lease, record, signal);
    return { lease: this.#held, sent };
  }

  /** Answers with why the Lease is ours no more, when it is not. */
  async renew(signal: AbortSignal): Promise<Write | string> {
    const { store, clock, identity, leaseDurationMs: durationMs } = this.#options;
    for (let again = true; ; again = false) {
      const lease = this.#held ?? (await store.read(signal));
      if (lease === undefined) return 'it was deleted';
      if (lease.holder !== identity)
        return lease.holder === '' ? 'somebody has cleared it' : `${lease.holder} has taken it`;
      const sent = momentOf(clock);
      this.#held = undefined;
      try {
        const record = { ...lease, durationMs, renewTime: this.#after(lease.renewTime) };
        const written = await store.update(lease, record, signal);
        this.#held = written;
        // A new one, which our write has made: the old one may have been free for others before.
        return written.uid === lease.uid ? { lease: written, sent } : 'it was deleted';
      } catch (error) {
        if (!again || !isStale(error)) throw error;
      }
    }
  }

  /**
   * Answers whether the Lease was ours. As client-go does, so that others take it at once. What a later candidacy of this
   * process has taken is left alone.
   */
  async giveBack(signal: AbortSignal): Promise<boolean> {
    const taken = this.#taken;
    if (taken === undefined) return false;
    const { store, clock, identity } = this.#options;
    for (let again = true; ; again = false) {
      const lease = this.#held ?? (await store.read(signal));
      if (lease?.holder !== identity) return false;
      if (lease.transitions !== taken.transitions || lease.acquireTime !== taken.acquireTime) return false;
      this.#held = undefined;
      const now = formatMicros(clock.now());
      const record = { ...lease, holder: '', durationMs: 1000, acquireTime: now, renewTime: now };
      try {
        await store.update(lease, record, signal);
        return true;
      } catch (error) {
        if (!again || !isStale(error)) throw error;
      }
    }
  }

  /** Now. That it changes is all by which others see a renewal, so it does, wherever the wall clock stands. */
  #after(renewTime: string): string {
    const now = this.#options.clock.now();
    const text = formatMicros(now);
    return text === renewTime ? formatMicros(now + 1) : text;
  }
}
