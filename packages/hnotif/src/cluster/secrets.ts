import type { Clock } from '../clock.ts';
import type { KubeClient } from './client.ts';
import { KubeError } from './error.ts';
import { identityOf, isRaw, SECRETS } from './objects.ts';

/** What a look at a secret found; a message says what to do. */
export type SecretReading =
  | { readonly kind: 'found'; readonly resourceVersion: string; readonly value: Uint8Array }
  | { readonly kind: 'missing' | 'no-key' | 'forbidden' | 'unavailable'; readonly message: string };

export interface SecretReaderOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** How long a reading is believed (milliseconds). Default 5,000. Longer spares requests, and delays a mended secret. */
  readonly ttlMs?: number;
  /** The key of `data` that is read. Default `config`. */
  readonly key?: string;
}

interface Entry {
  readonly reading: Promise<SecretReading>;
  readonly until: number;
}

/** A secret has at most 1 MiB; those of sinks have less than one KiB. */
const MAX_ENTRIES = 1000;

/**
 * Reads secrets one by one, by name: the service needs no right to list them. Those who ask at the same time share
 * one request; what it found, be it nothing, is believed for seconds.
 */
export class SecretReader {
  readonly #client: KubeClient;
  readonly #clock: Clock;
  readonly #ttlMs: number;
  readonly #key: string;
  readonly #entries = new Map<string, Entry>();

  constructor({ client, clock, ttlMs, key }: SecretReaderOptions) {
    this.#client = client;
    this.#clock = clock;
    this.#ttlMs = ttlMs ?? 5_000;
    this.#key = key ?? 'config';
  }

  /** Never rejects. */
  read(namespace: string, name: string): Promise<SecretReading> {
    const id = `${namespace}/${name}`;
    const known = this.#entries.get(id);
    if (known !== undefined && this.#clock.monotonic() < known.until) return known.reading;
    const reading = this.#fetch(namespace, name).then((result) => {
      if (this.#entries.get(id)?.reading === reading) this.#keep(id, reading);
      return result;
    });
    this.#entries.set(id, { reading, until: Infinity });
    return reading;
  }

  /** The next `read` asks the API server again. */
  invalidate(namespace: string, name: string): void {
    this.#entries.delete(`${namespace}/${name}`);
  }

  /** Entries stand in the order in which they end, so that those which have ended are found at the front. */
  #keep(id: string, reading: Promise<SecretReading>): void {
    const now = this.#clock.monotonic();
    this.#entries.delete(id);
    for (const [other, { until }] of this.#entries) {
      if (until > now && this.#entries.size < MAX_ENTRIES) break;
      this.#entries.delete(other);
    }
    this.#entries.set(id, { reading, until: now + this.#ttlMs });
  }

  async #fetch(namespace: string, name: string): Promise<SecretReading> {
    const what = `secret ${namespace}/${name}`;
    let secret: unknown;
    try {
      secret = await this.#client.get(SECRETS, namespace, name);
    } catch (error) {
      return refusal(error, what);
    }
    const data = isRaw(secret) && isRaw(secret.data) ? secret.data : {};
    const value = Object.hasOwn(data, this.#key) ? data[this.#key] : undefined;
    if (typeof value !== 'string')
      return { kind: 'no-key', message: `${what} has no key ${this.#key}: put the configuration there` };
    const { resourceVersion } = identityOf(secret);
    return { kind: 'found', resourceVersion, value: Buffer.from(value, 'base64') };
  }
}

function refusal(error: unknown, what: string): SecretReading {
  const { status, message } =
    error instanceof KubeError ? error : { status: 0, message: 'a fault of our own' };
  if (status === 404)
    return { kind: 'missing', message: `${what} does not exist: create it, or correct secretRef.name` };
  if (status === 403)
    return {
      kind: 'forbidden',
      message: `${what} may not be read: give our service account \`get\` on secrets`,
    };
  return { kind: 'unavailable', message: `${what} cannot be read now, and will be tried again: ${message}` };
}
