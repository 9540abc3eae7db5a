import type { Logger } from 'pino';
import type { Clock } from '@hnotif/core/clock';
import { formatResourceType, type ResourceType, type Metadata, identityOf } from '@hnotif/core/resources';
import type { KubeClient } from './client.ts';
import { KubeError } from './error.ts';
import { listAll, mayNot, notServed } from './list.ts';
import { Retries } from './outage.ts';
import type { Listed } from './reflector-options.ts';

export interface FirstListOptions {
  readonly client: KubeClient;
  readonly type: ResourceType;
  /** Undefined: all namespaces. */
  readonly namespace: string | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  /** Takes an object. When it throws, the object is logged and skipped. */
  readonly item: (raw: unknown) => void | Promise<void>;
  /** All have been listed. */
  readonly listed: () => void;
  /** An object was skipped. */
  readonly unreadable: () => void;
}

/** Objects per page. They may be large. */
const PAGE = 100;

/** Lists all objects of a type once. It never gives up. */
export class FirstList {
  readonly #options: FirstListOptions;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;
  #state: 'starting' | 'synced' | 'failing' = 'starting';
  #error: string | undefined;

  constructor(options: FirstListOptions) {
    this.#options = options;
  }

  get state(): 'starting' | 'synced' | 'failing' {
    return this.#state;
  }

  /** Why it is `failing`, for any reader: without credentials and without the output of plugins. */
  get error(): string | undefined {
    return this.#error;
  }

  /** Calls `listed` with their identities when all have been taken. A reflector may start from there. */
  start(listed: (list: Listed<Metadata>) => void): void {
    this.#running ??= this.#run(listed);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(listed: (list: Listed<Metadata>) => void): Promise<void> {
    const { client, clock, log, type, namespace } = this.#options;
    const { signal } = this.#stop;
    const retries = new Retries(clock, client.outage);
    const resource = formatResourceType(type);
    let said = '';
    while (!signal.aborted) {
      try {
        const { version, objects } = await this.#list();
        this.#options.listed();
        await this.#take(objects);
        this.#state = 'synced';
        this.#error = undefined;
        if (!signal.aborted) listed({ version, objects: objects.map(identityOf) });
        return;
      } catch (error) {
        if (!(error instanceof KubeError)) throw error;
        const hint = hintOf(resource, namespace, error.status);
        if (said !== error.message && !signal.aborted)
          log.warn(
            { resource, ...(namespace && { namespace }), reason: error.reason, detail: error.message },
            hint,
          );
        said = error.message;
        this.#state = 'failing';
        this.#error = error.status === 404 ? hint : error.summary;
        await retries.wait(error, signal);
      }
    }
  }

  async #list(): Promise<Listed<unknown>> {
    const { client, type, namespace } = this.#options;
    const found: unknown[] = [];
    const version = await listAll({
      ...{ client, type, namespace, pageSize: PAGE, signal: this.#stop.signal },
      item: (raw) => found.push(raw),
      restart: () => {
        found.length = 0;
      },
    });
    return { version, objects: found };
  }

  async #take(found: readonly unknown[]): Promise<void> {
    const { item, log, type, unreadable } = this.#options;
    for (const raw of found)
      try {
        await item(raw);
      } catch (error) {
        unreadable();
        const detail = error instanceof Error ? error.message : String(error);
        log.warn({ resource: formatResourceType(type), detail }, 'object cannot be read and is left out');
      }
  }
}

function hintOf(resource: string, namespace: string | undefined, status: number): string {
  if (status === 404) return notServed(resource);
  if (status === 403) return mayNot(resource, 'listed', namespace);
  return `${resource} cannot be listed; trying again`;
}
