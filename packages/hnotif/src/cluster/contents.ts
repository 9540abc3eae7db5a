import type { Clock } from '../clock.ts';
import type { ResourceType } from '../resources/group.ts';
import type { KubeClient } from './client.ts';
import { KubeError } from './error.ts';
import { CONFIG_MAPS, identityOf, isRaw, SECRETS } from './objects.ts';

/** What a look at one key of an object found; a message says what to do. */
export type ContentReading =
  | { readonly kind: 'found'; readonly resourceVersion: string; readonly value: Uint8Array }
  | { readonly kind: 'missing' | 'no-key' | 'forbidden' | 'unavailable'; readonly message: string };

/** What content is read from. */
interface Holder {
  readonly type: ResourceType;
  readonly noun: string;
  /** The field of a sink that names it. */
  readonly field: string;
  /** What should stand under the key. */
  readonly content: string;
  /** From the fields of the object to the value of a key; undefined when it is not there. */
  readonly value: (object: Readonly<Record<string, unknown>>, key: string) => Uint8Array | undefined;
}

/** Secrets hold the configurations of sinks, in base64. */
const SECRET: Holder = {
  type: SECRETS,
  noun: 'secret',
  field: 'secretRef.name',
  content: 'configuration',
  value: ({ data }, key) => decoded(textAt(data, key), 'base64'),
};

/** Config maps hold templates, as text or (`kubectl create --from-file` of what is no UTF-8) in base64. */
const CONFIG_MAP: Holder = {
  type: CONFIG_MAPS,
  noun: 'config map',
  field: 'templateRef',
  content: 'template',
  value: ({ data, binaryData }, key) =>
    decoded(textAt(data, key), 'utf8') ?? decoded(textAt(binaryData, key), 'base64'),
};

export interface ContentReaderOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** How long a reading is believed (milliseconds). Default 5,000. Longer spares requests, and delays a change. */
  readonly ttlMs?: number;
}

interface Entry {
  readonly reading: Promise<ContentReading>;
  readonly until: number;
}

/** An object has at most 1 MiB; configurations have less than one KiB, templates some. */
const MAX_ENTRIES = 1000;

/**
 * Reads single keys of secrets or config maps, by name: the service needs no right to list them. Those who ask at the
 * same time share one request; what it found, be it nothing, is believed for seconds.
 */
export class ContentReader {
  readonly #holder: Holder;
  readonly #client: KubeClient;
  readonly #clock: Clock;
  readonly #ttlMs: number;
  readonly #entries = new Map<string, Entry>();

  constructor(holder: 'secrets' | 'configmaps', { client, clock, ttlMs }: ContentReaderOptions) {
    this.#holder = holder === 'secrets' ? SECRET : CONFIG_MAP;
    this.#client = client;
    this.#clock = clock;
    this.#ttlMs = ttlMs ?? 5_000;
  }

  /** Never rejects. */
  read(namespace: string, name: string, key: string): Promise<ContentReading> {
    const id = idOf(namespace, name, key);
    const known = this.#entries.get(id);
    if (known !== undefined && this.#clock.monotonic() < known.until) return known.reading;
    const reading = this.#fetch(namespace, name, key).then((result) => {
      if (this.#entries.get(id)?.reading === reading) this.#keep(id, reading);
      return result;
    });
    this.#entries.set(id, { reading, until: Infinity });
    return reading;
  }

  /** The next `read` asks the API server again. */
  invalidate(namespace: string, name: string, key: string): void {
    this.#entries.delete(idOf(namespace, name, key));
  }

  /** Entries stand in the order in which they end, so that those which have ended are found at the front. */
  #keep(id: string, reading: Promise<ContentReading>): void {
    const now = this.#clock.monotonic();
    this.#entries.delete(id);
    for (const [other, { until }] of this.#entries) {
      if (until > now && this.#entries.size < MAX_ENTRIES) break;
      this.#entries.delete(other);
    }
    this.#entries.set(id, { reading, until: now + this.#ttlMs });
  }

  async #fetch(namespace: string, name: string, key: string): Promise<ContentReading> {
    const { type, noun, content } = this.#holder;
    const what = `${noun} ${namespace}/${name}`;
    let object: unknown;
    try {
      object = await this.#client.get(type, namespace, name);
    } catch (error) {
      return refusal(error, what, this.#holder);
    }
    const value = isRaw(object) ? this.#holder.value(object, key) : undefined;
    if (value === undefined)
      return { kind: 'no-key', message: `${what} has no key ${key}: put the ${content} there` };
    const { resourceVersion } = identityOf(object);
    return { kind: 'found', resourceVersion, value };
  }
}

/** No name of an object has a slash in it. */
const idOf = (namespace: string, name: string, key: string): string => `${namespace}/${name}/${key}`;

function textAt(data: unknown, key: string): string | undefined {
  const value = isRaw(data) && Object.hasOwn(data, key) ? data[key] : undefined;
  return typeof value === 'string' ? value : undefined;
}

const decoded = (text: string | undefined, encoding: 'utf8' | 'base64'): Uint8Array | undefined =>
  text === undefined ? undefined : Buffer.from(text, encoding);

function refusal(error: unknown, what: string, { field, type }: Holder): ContentReading {
  const { status, message } =
    error instanceof KubeError ? error : { status: 0, message: 'a fault of our own' };
  if (status === 404)
    return { kind: 'missing', message: `${what} does not exist: create it, or correct ${field}` };
  if (status === 403)
    return {
      kind: 'forbidden',
      message: `${what} may not be read: give our service account \`get\` on ${type.plural}`,
    };
  return { kind: 'unavailable', message: `${what} cannot be read now, and will be tried again: ${message}` };
}
