import { momentOf, type Clock, type Moment } from '@hnotif/core/clock';
import type { KubeClient } from './client.ts';
import { KubeError } from './error.ts';
import { formatMicros, parseLease, specOf, type Lease, type LeaseRecord, type Step } from './lease.ts';
import { LinkedSignal } from './linked-signal.ts';
import { isRaw, LEASES } from '@hnotif/core/resources';

export interface LeaseHolderOptions {
  readonly client: Pick<KubeClient, 'get' | 'create' | 'update'>;
  readonly clock: Clock;
  readonly namespace: string;
  readonly name: string;
  readonly identity: string;
  readonly leaseDurationMs: number;
  /** For one request (milliseconds). */
  readonly timeoutMs: number;
}

/** A write that was answered, and when it was sent. Other candidates count from a later moment. */
export interface Write {
  readonly lease: Lease;
  readonly sent: Moment;
}

/** Statuses that may mean that the Lease has changed or was deleted. */
const STALE: ReadonlySet<number> = new Set([400, 404, 409]);

const isStale = (error: unknown): boolean => error instanceof KubeError && STALE.has(error.status);

/**
 * Reads, takes, renews and releases a Lease. After a write without an answer it reads the Lease before the next write, so that it never
 * overwrites the write of another process. Every method rejects with a `KubeError`, after `timeoutMs` for each request at the latest.
 * Requests bypass the rate limit of the client: a renewal that waited would come too late.
 */
export class LeaseHolder {
  readonly #options: LeaseHolderOptions;
  /** The Lease after our last write; undefined: not known. */
  #held: Lease | undefined;
  /** What we wrote when we last took the Lease. */
  #taken: Pick<Lease, 'acquireTime' | 'transitions'> | undefined;

  constructor(options: LeaseHolderOptions) {
    this.#options = options;
  }

  /** Undefined: there is no Lease. */
  async read(signal: AbortSignal): Promise<Lease | undefined> {
    const { client, namespace, name } = this.#options;
    try {
      return await this.#call(signal, (options) => client.get(LEASES, namespace, name, options));
    } catch (error) {
      if (error instanceof KubeError && error.status === 404) return undefined;
      throw error;
    }
  }

  async take(step: Exclude<Step, { do: 'wait' }>, signal: AbortSignal): Promise<Write> {
    const { clock, identity: holder, leaseDurationMs: durationMs } = this.#options;
    const sent = momentOf(clock);
    const now = formatMicros(clock.now());
    const { transitions } = step;
    const record = { holder, durationMs, acquireTime: now, renewTime: now, transitions };
    this.#taken = record;
    this.#held = undefined;
    this.#held =
      step.do === 'create'
        ? await this.#create(record, signal)
        : await this.#update(step.lease, record, signal);
    return { lease: this.#held, sent };
  }

  /** Resolves with the reason when the Lease is no longer ours. */
  async renew(signal: AbortSignal): Promise<Write | string> {
    const { clock, identity, leaseDurationMs: durationMs } = this.#options;
    for (let again = true; ; again = false) {
      const lease = this.#held ?? (await this.read(signal));
      if (lease === undefined) return 'it was deleted';
      if (lease.holder !== identity)
        return lease.holder === '' ? 'its holder was removed' : `${lease.holder} has taken it`;
      const sent = momentOf(clock);
      this.#held = undefined;
      try {
        const record = { ...lease, durationMs, renewTime: this.#after(lease.renewTime) };
        const written = await this.#update(lease, record, signal);
        this.#held = written;
        // Our write created a new Lease: the old one may have been free for others before.
        return written.uid === lease.uid ? { lease: written, sent } : 'it was deleted';
      } catch (error) {
        if (!again || !isStale(error)) throw error;
      }
    }
  }

  /**
   * Releases the Lease as client-go does, so that others can take it at once. Resolves with whether it was ours. A Lease that this process
   * has taken again later is left alone.
   */
  async giveBack(signal: AbortSignal): Promise<boolean> {
    const taken = this.#taken;
    if (taken === undefined) return false;
    const { clock, identity } = this.#options;
    for (let again = true; ; again = false) {
      const lease = this.#held ?? (await this.read(signal));
      if (lease?.holder !== identity) return false;
      if (lease.transitions !== taken.transitions || lease.acquireTime !== taken.acquireTime) return false;
      this.#held = undefined;
      const now = formatMicros(clock.now());
      const record = { ...lease, holder: '', durationMs: 1000, acquireTime: now, renewTime: now };
      try {
        await this.#update(lease, record, signal);
        return true;
      } catch (error) {
        if (!again || !isStale(error)) throw error;
      }
    }
  }

  #create(record: LeaseRecord, signal: AbortSignal): Promise<Lease> {
    const { client, namespace, name } = this.#options;
    const object = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { namespace, name },
      spec: specOf(record),
    };
    return this.#call(signal, (options) => client.create(LEASES, namespace, object, options));
  }

  /** Only if the Lease has not changed since it was read, else a 409. */
  #update(lease: Lease, record: LeaseRecord, signal: AbortSignal): Promise<Lease> {
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

  /** The present time, but never the same text: other candidates see a renewal only by the change. */
  #after(renewTime: string): string {
    const now = this.#options.clock.now();
    const text = formatMicros(now);
    return text === renewTime ? formatMicros(now + 1) : text;
  }
}
