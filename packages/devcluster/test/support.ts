import { onTestFinished } from 'vitest';

import type { DevCluster, DevClusterOptions } from '../src/index.ts';
import { startDevCluster } from '../src/index.ts';
import type { Json, JsonObject } from '../src/json.ts';
import { isObject } from '../src/json.ts';

/** The options of a request. */
export interface Ask {
  readonly body?: unknown;
  readonly type?: string;
  readonly accept?: string;
}

export interface Answer {
  readonly code: number;
  readonly headers: Headers;
  readonly body: JsonObject;
}

export interface Client {
  readonly cluster: DevCluster;
  readonly url: string;
  /** The same cluster, with this token. */
  readonly as: (token: string) => Client;
  readonly ask: (method: string, path: string, ask?: Ask) => Promise<Answer>;
  readonly get: (path: string, accept?: string) => Promise<Answer>;
  readonly post: (path: string, body: unknown) => Promise<Answer>;
  readonly put: (path: string, body: unknown) => Promise<Answer>;
  readonly merge: (path: string, body: unknown) => Promise<Answer>;
  readonly remove: (path: string, body?: unknown) => Promise<Answer>;
  readonly watch: (path: string, accept?: string) => Promise<Watch>;
}

/** A new cluster for one test. It is closed after the test. */
export async function start(options?: DevClusterOptions): Promise<Client> {
  const cluster = await startDevCluster(options);
  onTestFinished(() => cluster.close());
  return clientOf(cluster);
}

function clientOf(cluster: DevCluster, token?: string): Client {
  const { url } = cluster;
  const auth: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const ask = async (method: string, path: string, { body, type, accept }: Ask = {}): Promise<Answer> => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...auth,
        ...(body !== undefined && { 'content-type': type ?? 'application/json' }),
        ...(accept !== undefined && { accept }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type') === 'application/json';
    const parsed = isJson ? (JSON.parse(text) as Json) : { text };
    return { code: response.status, headers: response.headers, body: isObject(parsed) ? parsed : {} };
  };
  return {
    cluster,
    url,
    as: (other) => clientOf(cluster, other),
    ask,
    get: (path, accept) => ask('GET', path, accept === undefined ? {} : { accept }),
    post: (path, body) => ask('POST', path, { body }),
    put: (path, body) => ask('PUT', path, { body }),
    merge: (path, body) => ask('PATCH', path, { body, type: 'application/merge-patch+json' }),
    remove: (path, body) => ask('DELETE', path, { body }),
    watch: async (path, accept) => {
      const headers = { ...auth, ...(accept !== undefined && { accept }) };
      const response = await fetch(url + path, { headers });
      return new Watch(response);
    },
  };
}

export interface WatchEvent {
  readonly type: string;
  readonly object: JsonObject;
}

/** The events of a watch, one at a time. */
class Watch {
  readonly response: Response;
  readonly #reader: ReadableStreamDefaultReader<string>;
  #text = '';

  constructor(response: Response) {
    this.response = response;
    if (!response.body) throw new Error('no body');
    this.#reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  }

  /** The next event; undefined at the end. */
  async next(): Promise<WatchEvent | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n');
      if (end !== -1) {
        const line = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 1);
        return JSON.parse(line) as WatchEvent;
      }
      const { done, value } = await this.#reader.read();
      if (done) return undefined;
      this.#text += value;
    }
  }

  /** Types and names of the next `count` events. */
  async take(count: number): Promise<string[]> {
    const seen: string[] = [];
    while (seen.length < count) {
      const event = await this.next();
      if (!event) break;
      seen.push(`${event.type} ${metadata(event.object).name as string}`);
    }
    return seen;
  }

  /** Reads until the object `name` is deleted. */
  async untilDeleted(name: string): Promise<WatchEvent[]> {
    const events: WatchEvent[] = [];
    for (;;) {
      const event = await this.next();
      if (!event) throw new Error(`the watch ended before ${name} was deleted`);
      events.push(event);
      if (event.type === 'DELETED' && metadata(event.object).name === name) return events;
    }
  }

  async cancel(): Promise<void> {
    await this.#reader.cancel();
  }
}

export const metadata = (object: JsonObject): JsonObject =>
  isObject(object.metadata) ? object.metadata : {};

export const version = (answer: Answer): string => metadata(answer.body).resourceVersion as string;

export const names = (answer: Answer): string[] =>
  (answer.body.items as JsonObject[]).map((item) => metadata(item).name as string);

export const configMap = (name: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...more },
});

export const MAPS = '/api/v1/namespaces/default/configmaps';
export const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
export const WIDGETS = '/apis/example.dev/v1/namespaces/default/widgets';

export const widget = (name: string, spec: JsonObject = { size: 1 }, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'example.dev/v1',
  kind: 'Widget',
  metadata: { name, ...more },
  spec,
});

const widgetSchema: JsonObject = {
  type: 'object',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'integer', minimum: 1 },
        colour: { type: 'string', default: 'red', enum: ['red', 'blue'] },
        parts: {
          type: 'array',
          maxItems: 5,
          items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
        },
      },
    },
    status: { type: 'object', properties: { ready: { type: 'boolean' }, since: { type: 'string' } } },
  },
};

export function widgetCrd(versions: JsonObject[] = [crdVersion('v1', true)]): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.dev' },
    spec: {
      group: 'example.dev',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget', shortNames: ['wi'] },
      versions,
    },
  };
}

export function crdVersion(name: string, storage: boolean): JsonObject {
  return {
    name,
    served: true,
    storage,
    subresources: { status: {} },
    additionalPrinterColumns: [
      { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
      { name: 'Since', type: 'date', jsonPath: '.status.since' },
      { name: 'Colour', type: 'string', jsonPath: '.spec.colour', priority: 1 },
    ],
    schema: { openAPIV3Schema: widgetSchema },
  };
}

/** A cluster that serves widgets. */
export async function startWithWidgets(options?: DevClusterOptions): Promise<Client> {
  const client = await start(options);
  const made = await client.post(CRDS, widgetCrd());
  if (made.code !== 201) throw new Error(JSON.stringify(made.body));
  return client;
}
