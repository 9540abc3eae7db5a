import type { Clock } from '../clock.ts';
import type { KubeClient } from './client.ts';
import { KubeError } from './error.ts';
import { parseLease, specOf, type Lease, type LeaseRecord } from './lease.ts';
import { Linked } from './linked.ts';
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
 * whose answer did not come was done is then not known. Requests go past the limiter of the client, since whoever
 * waits there for a renewal leads no more.
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
    const link = new Linked(signal);
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
