import type { Clock } from '@hnotif/core/clock';
import { Share } from '@hnotif/core/fair';
import { TEMPLATE_LIMITS } from '@hnotif/core/render';
import { type ResourceType, CONFIG_MAPS, identityOf, isRaw, SECRETS } from '@hnotif/core/resources';
import type { KubeClient } from './client.ts';
import { KubeError } from './error.ts';
import { PASSING, Refusals } from './refusal.ts';

/** The result of reading one key of an object. A message says what to do. */
export type ContentReading<Value> =
  | {
      readonly kind: 'found';
      readonly resourceVersion: string;
      readonly value: Value;
      /** The values of the other keys that were asked for and are there. */
      readonly beside: Readonly<Record<string, Value>>;
      /** The names of all keys of the object. */
      readonly keys: readonly string[];
    }
  | ReadFailure;

interface ReadFailure {
  readonly kind: 'missing' | 'no-key' | 'too-large' | 'forbidden' | 'unavailable';
  readonly message: string;
}

/** The value types, by resource. */
interface Values {
  readonly secrets: Uint8Array;
  readonly configmaps: string;
}

/** A resource whose keys are read. */
interface ContentSource<Value> {
  readonly type: ResourceType;
  readonly noun: string;
  /** The field of a sink that names the object. */
  readonly field: string;
  /** What a key should contain. */
  readonly content: string;
  /** The longest content, in characters of text or in decoded bytes of base64. */
  readonly longest: number;
  /** The fields of the object with values, and their encoding. The first field that has the key counts. */
  readonly fields: Readonly<Record<string, 'text' | 'base64'>>;
  readonly decode: (text: string, written: 'text' | 'base64') => Value;
}

const SOURCES: { readonly [Kind in keyof Values]: ContentSource<Values[Kind]> } = {
  /** Secrets hold the configurations of sinks: some hundred bytes. */
  secrets: {
    type: SECRETS,
    noun: 'secret',
    field: 'secretRef.name',
    content: 'configuration',
    longest: 64 << 10,
    fields: { data: 'base64' },
    decode: (text) => Buffer.from(text, 'base64'),
  },
  /** Config maps hold templates, as text or in base64 (`kubectl create --from-file` with a file that is not UTF-8). */
  configmaps: {
    type: CONFIG_MAPS,
    noun: 'config map',
    field: 'templateRef',
    content: 'template',
    longest: TEMPLATE_LIMITS.source.value,
    fields: { data: 'text', binaryData: 'base64' },
    decode: (text, written) =>
      written === 'text' ? text : new TextDecoder().decode(Buffer.from(text, 'base64')),
  },
};

export interface ContentReaderOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** How long an object is cached (milliseconds). A longer time saves requests but delays changes. */
  readonly ttlMs: number;
}

/** A key of an object. `text` is undefined if it is too long. */
interface Field {
  readonly written: 'text' | 'base64';
  readonly length: number;
  readonly text: string | undefined;
}

/** The result for one key. */
type Reading<Value> = { readonly kind: 'found'; readonly value: Value } | ReadFailure;

/** An object and the results for its keys that have been read. */
interface FetchedObject<Value> {
  readonly resourceVersion: string;
  readonly fields: ReadonlyMap<string, Field>;
  readonly readings: Map<string, Reading<Value>>;
}

interface Entry<Value> {
  readonly namespace: string;
  readonly seen: Promise<FetchedObject<Value> | ReadFailure>;
  readonly until: number;
  readonly size: number;
}

/** Characters cached of all objects. Namespaces share them: one alone gets half. */
const MAX_SIZE = 8 << 20;
/** What a cached object takes besides its content. */
const ENTRY_SIZE = 4 << 10;

/**
 * Reads single keys of secrets or config maps, by name: hnotif needs no right to list them. Concurrent readers of an object share one
 * request, and each value is decoded once. Results are cached for seconds, also when nothing was found. A value that is too long is neither
 * decoded nor cached.
 */
export class ContentReader<Kind extends keyof Values> {
  readonly #holder: ContentSource<Values[Kind]>;
  readonly #client: KubeClient;
  readonly #clock: Clock;
  readonly #ttlMs: number;
  readonly #entries = new Map<string, Entry<Values[Kind]>>();
  readonly #share = new Share(MAX_SIZE);
  readonly #refusals = new Refusals();

  constructor(kind: Kind, { client, clock, ttlMs }: ContentReaderOptions) {
    this.#holder = SOURCES[kind];
    this.#client = client;
    this.#clock = clock;
    this.#ttlMs = ttlMs;
  }

  /** Reads a key, and those of `beside` that the object has, all of one version. Never rejects. */
  async read(
    namespace: string,
    name: string,
    key: string,
    beside: readonly string[] = [],
  ): Promise<ContentReading<Values[Kind]>> {
    const seen = await this.#fetchShared(namespace, name);
    if ('kind' in seen) return seen;
    const what = `${this.#holder.noun} ${namespace}/${name}`;
    const reading = this.#reading(what, key, seen);
    if (reading.kind !== 'found') return reading;
    const values: Record<string, Values[Kind]> = {};
    for (const other of beside) {
      if (!seen.fields.has(other)) continue;
      const found = this.#reading(what, other, seen);
      if (found.kind !== 'found') return found;
      values[other] = found.value;
    }
    const { resourceVersion, fields } = seen;
    return { ...reading, resourceVersion, beside: values, keys: [...fields.keys()] };
  }

  /** The next `read` asks the API server. */
  invalidate(namespace: string, name: string): void {
    this.#forget(`${namespace}/${name}`);
  }

  #fetchShared(namespace: string, name: string): Promise<FetchedObject<Values[Kind]> | ReadFailure> {
    const id = `${namespace}/${name}`;
    const known = this.#entries.get(id);
    if (known !== undefined && this.#clock.monotonic() < known.until) return known.seen;
    const seen = this.#fetch(namespace, name).then((result) => {
      if (this.#entries.get(id)?.seen === seen) this.#keep(id, namespace, seen, result);
      return result;
    });
    this.#forget(id);
    this.#entries.set(id, { namespace, seen, until: Infinity, size: 0 });
    return seen;
  }

  /** Entries are in the order in which they expire, so expired ones are at the front. */
  #keep(
    id: string,
    namespace: string,
    seen: Promise<FetchedObject<Values[Kind]> | ReadFailure>,
    result: FetchedObject<Values[Kind]> | ReadFailure,
  ): void {
    const now = this.#clock.monotonic();
    this.#forget(id);
    for (const [other, { until }] of this.#entries) {
      // Being fetched.
      if (until === Infinity) continue;
      if (until > now) break;
      this.#forget(other);
    }
    let size = ENTRY_SIZE;
    if ('fields' in result) for (const { text } of result.fields.values()) size += text?.length ?? 0;
    // Objects of a namespace over its share are not cached.
    if (!this.#share.admits(namespace, size)) return;
    this.#share.take(namespace, size);
    this.#entries.set(id, { namespace, seen, until: now + this.#ttlMs, size });
  }

  #forget(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    this.#share.give(entry.namespace, entry.size);
  }

  async #fetch(namespace: string, name: string): Promise<FetchedObject<Values[Kind]> | ReadFailure> {
    const { type, noun } = this.#holder;
    try {
      const object = await this.#client.get(type, namespace, name);
      this.#refusals.permitted(`${namespace}/${name}`);
      const { resourceVersion } = identityOf(object);
      return { resourceVersion, fields: fieldsOf(object, this.#holder), readings: new Map() };
    } catch (error) {
      const isForbidden = error instanceof KubeError && error.status === 403;
      const mayPass = isForbidden && this.#refusals.mayPass(`${namespace}/${name}`, this.#clock.monotonic());
      return refusal(error, `${noun} ${namespace}/${name}`, this.#holder, mayPass);
    }
  }

  #reading(what: string, key: string, seen: FetchedObject<Values[Kind]>): Reading<Values[Kind]> {
    const known = seen.readings.get(key);
    if (known !== undefined) return known;
    const reading = this.#decoded(what, key, seen);
    // Missing keys are not cached: there could be any number of them.
    if (seen.fields.has(key)) seen.readings.set(key, reading);
    return reading;
  }

  #decoded(what: string, key: string, { fields }: FetchedObject<Values[Kind]>): Reading<Values[Kind]> {
    const { content, longest, decode } = this.#holder;
    const field = fields.get(key);
    if (field === undefined)
      return { kind: 'no-key', message: `${what} has no key ${key}: put the ${content} there` };
    const { text, written, length } = field;
    if (text !== undefined) return { kind: 'found', value: decode(text, written) };
    const unit = written === 'text' ? 'characters' : 'bytes';
    const sizes = `${length.toLocaleString('en')} ${unit}, and at most ${longest.toLocaleString('en')} are read`;
    return { kind: 'too-large', message: `${what}, key ${key} has ${sizes}: shorten the ${content}` };
  }
}

/** The values of an object. */
function fieldsOf(object: unknown, { fields, longest }: ContentSource<unknown>): ReadonlyMap<string, Field> {
  const found = new Map<string, Field>();
  for (const [field, written] of Object.entries(fields)) {
    const data = isRaw(object) ? object[field] : undefined;
    for (const [key, text] of isRaw(data) ? Object.entries(data) : []) {
      if (typeof text !== 'string' || found.has(key)) continue;
      // Computes the length without decoding.
      const length = written === 'text' ? text.length : Buffer.byteLength(text, 'base64');
      found.set(key, { written, length, text: length <= longest ? text : undefined });
    }
  }
  return found;
}

function refusal(
  error: unknown,
  what: string,
  { field, type }: ContentSource<unknown>,
  mayPass: boolean,
): ReadFailure {
  const { status, message } =
    error instanceof KubeError ? error : { status: 0, message: 'a fault of our own' };
  if (status === 404)
    return { kind: 'missing', message: `${what} does not exist: create it, or correct ${field}` };
  if (mayPass)
    return {
      kind: 'unavailable',
      message: `${what} cannot be read now, and will be tried again: ${PASSING}`,
    };
  if (status === 403)
    return {
      kind: 'forbidden',
      message: `${what} may not be read: give our service account \`get\` on ${type.plural}`,
    };
  return { kind: 'unavailable', message: `${what} cannot be read now, and will be tried again: ${message}` };
}
