import type { Logger } from 'pino';
import { sleep, type Clock } from '@hnotif/core/clock';
import {
  formatResourceType,
  type ResourceType,
  qualifiedName,
  type Metadata,
  identityOf,
} from '@hnotif/core/resources';
import { Backoff } from './backoff.ts';
import type { KubeClient } from './client.ts';
import { isExpired, isFromTheFuture, KubeError } from './error.ts';
import { listAll, mayNot, notServed } from './list.ts';
import { Retries } from './outage.ts';
import { PASSING, Refusals } from './refusal.ts';
import { ObjectStore, type Changes } from './store.ts';
import { WatchReliability } from './watch-reliability.ts';
import { watch, type WatchEvent } from './watch.ts';

/** Called by a reflector, synchronously and one call at a time. Exceptions are reported and do not affect other calls. */
export interface ReflectorHandler<T> extends Changes<T> {
  /** The first list is complete. Called once. */
  synced(): void;
}

/** Why a watch was opened again: the server's time-out, our watchdog, an expired version, or an error. */
export type RestartReason = 'ended' | 'idle' | 'expired' | 'error';

/** All objects of a type at one version. */
export interface Listed<T> {
  readonly version: string;
  readonly objects: readonly T[];
}

/** For metrics. */
export interface ReflectorHooks {
  readonly listed?: (objects: number) => void;
  readonly watchRestarted?: (reason: RestartReason) => void;
  readonly unreadable?: () => void;
  readonly handlerFailed?: () => void;
  /** Each failed list or watch, by the reason of its `KubeError`. */
  readonly failed?: (reason: string) => void;
}

export interface ReflectorOptions<T extends Metadata> {
  readonly client: KubeClient;
  readonly type: ResourceType;
  /** Undefined: all namespaces. */
  readonly namespace?: string | undefined;
  /** Requests only the metadata of the objects. */
  readonly metadataOnly?: boolean;
  /** Only its result is kept. When it throws, the object is logged and keeps its last known state. */
  readonly parse: (raw: unknown) => T;
  readonly handler: ReflectorHandler<T>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly hooks?: ReflectorHooks;
  /** Called before each list. When it rejects, nothing is listed, and it is called again after a wait. */
  readonly before?: (signal: AbortSignal) => Promise<void>;
  /** Objects per page of a list. Default 500. Use fewer for large objects. */
  readonly pageSize?: number;
  /** The server ends a watch after a time between this and its double (milliseconds). Default 300,000. */
  readonly watchTimeoutMs?: number;
  /**
   * A watch without a byte for this time is opened again from its last version (milliseconds). Default 150,000: servers send a bookmark
   * about each minute, but do not promise it. Without bookmarks this costs one request.
   */
  readonly idleMs?: number;
}

const NOTABLE_PAUSE_MS = 4_000;

/** Not listed yet, following, or failing since the last list or watch. */
export type ReflectorState = 'starting' | 'synced' | 'failing';

/**
 * Keeps a parsed copy of every object of a type and reports each change in order: a consistent list in pages, then a watch from the version
 * of the list. It never gives up: after errors it waits with jittered backoff, and after watches without events it lists again. After a gap
 * it reports the difference between the known and the listed state, each object once.
 */
export class Reflector<T extends Metadata> {
  readonly #options: ReflectorOptions<T>;
  readonly #name: string;
  readonly #store: ObjectStore<T>;
  readonly #retries: Retries;
  /** Separate from the backoff of failures: the first watch after a long outage must not wait long. */
  readonly #shortWatches: Backoff;
  readonly #reliability: WatchReliability;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;
  #version: string | undefined;
  #synced = false;
  #error: KubeError | undefined;
  readonly #refusals = new Refusals();
  /** Whether the error is a refusal that may pass. */
  #mayPass = false;
  #pausing: string | undefined;

  constructor(options: ReflectorOptions<T>) {
    this.#options = options;
    this.#name = formatResourceType(options.type);
    this.#retries = new Retries(options.clock, options.client.outage);
    this.#shortWatches = new Backoff(options.clock);
    this.#reliability = new WatchReliability(options.clock);
    this.#store = new ObjectStore<T>({
      changed: (object, previous) => {
        this.#notify(object, (handler) => {
          handler.changed(object, previous);
        });
      },
      deleted: (object) => {
        this.#notify(object, (handler) => {
          handler.deleted(object);
        });
      },
    });
  }

  /** Starts to list and watch. `from`: a list that was just made. A second call does nothing. */
  start(from?: Listed<T>): void {
    if (this.#stop.signal.aborted || this.#running !== undefined) return;
    if (from !== undefined) {
      this.#version = from.version;
      this.#storeList(from.objects);
    }
    this.#running = this.#run();
  }

  /** Ends the watch. Resolves when no more changes will be reported. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** Whether the first list is complete. */
  get synced(): boolean {
    return this.#synced;
  }

  get state(): ReflectorState {
    if (this.#error !== undefined || this.#pausing !== undefined) return 'failing';
    return this.#synced ? 'synced' : 'starting';
  }

  /** Why it is `failing`, for any reader: without credentials and without the output of plugins. */
  get error(): string | undefined {
    if (this.#error === undefined) return this.#pausing;
    if (this.#error.status === 404) return this.#notServed;
    return this.#mayPass ? `${this.#error.summary}: ${PASSING}` : this.#error.summary;
  }

  /** Whether a right is missing. */
  get isForbidden(): boolean {
    return this.#error?.status === 403 && !this.#mayPass;
  }

  /** What is followed, for the log. */
  get #where(): object {
    const { namespace } = this.#options;
    return { resource: this.#name, ...(namespace !== undefined && { namespace }) };
  }

  get #notServed(): string {
    return notServed(this.#name);
  }

  objects(): IterableIterator<T> {
    return this.#store.objects();
  }

  get(namespace: string, name: string): T | undefined {
    return this.#store.get(namespace, name);
  }

  async #run(): Promise<void> {
    const { hooks } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        this.#version ??= await this.#list();
        const reason = await this.#watch(this.#version);
        if (signal.aborted) return;
        hooks?.watchRestarted?.(reason);
        if (this.#reliability.needsListAfter()) this.#version = undefined;
        // A short watch ended without a known reason: wait before the next one.
        if (!this.#reliability.lasted) await this.#pause(this.#shortWatches.next());
      } catch (error) {
        if (signal.aborted) return;
        await this.#failed(error);
      }
    }
  }

  /** Nothing is followed during the pause, so a long one shows as `failing`. */
  async #pause(ms: number): Promise<void> {
    if (ms >= NOTABLE_PAUSE_MS)
      this.#pausing = 'watches end as soon as they are opened; the next one is opened within 30 s';
    await sleep(this.#options.clock, ms, this.#stop.signal);
    this.#pausing = undefined;
  }

  async #failed(error: unknown): Promise<void> {
    const { hooks } = this.#options;
    const watching = this.#version !== undefined;
    const expired = isExpired(error);
    if (watching) hooks?.watchRestarted?.(expired ? 'expired' : 'error');
    // The resource is not served now. When it is served again, its versions are new.
    const removed = error instanceof KubeError && error.status === 404;
    const lost = watching && this.#reliability.needsListAfter(error);
    if (expired || removed || lost || isFromTheFuture(error)) this.#version = undefined;
    if (watching && expired && this.#reliability.mayRelistAtOnce()) return;
    if (watching && this.#reliability.mayReopenAtOnce(error)) return;
    const failure = error instanceof KubeError ? error : new KubeError(0, 'Fault', 'a fault of our own');
    if (failure !== error) this.#options.log.error({ err: error }, `fault while following ${this.#name}`);
    this.#complain(failure);
    await this.#retries.wait(failure, this.#stop.signal);
  }

  /** Logs each new problem once. */
  #complain(failure: KubeError): void {
    const { clock, hooks, log, namespace } = this.#options;
    hooks?.failed?.(failure.reason);
    const before = { message: this.#error?.message, mayPass: this.#mayPass };
    this.#error = failure;
    this.#mayPass = failure.status === 403 && this.#refusals.mayPass(this.#name, clock.monotonic());
    if (before.message === failure.message && before.mayPass === this.#mayPass) return;
    const where = { ...this.#where, reason: failure.reason, detail: failure.message };
    if (failure.status === 404) log.warn(where, this.#notServed);
    else if (this.#mayPass) log.info(where, `${this.#name} cannot be followed for the moment: ${PASSING}`);
    else if (failure.status === 403) log.warn(where, mayNot(this.#name, 'listed and watched', namespace));
    else log.warn(where, `${this.#name} cannot be followed; trying again`);
  }

  #recovered(): void {
    if (this.#error !== undefined) this.#options.log.info(this.#where, `${this.#name} is followed again`);
    this.#error = undefined;
    this.#mayPass = false;
    this.#refusals.permitted(this.#name);
  }

  /** Lists everything, reports the changes, and resolves with the version to watch from. */
  async #list(): Promise<string> {
    const { client, type, namespace, metadataOnly, pageSize = 500, hooks } = this.#options;
    const { signal } = this.#stop;
    const found: T[] = [];
    const unreadable: Metadata[] = [];
    await this.#options.before?.(signal);
    const resourceVersion = await listAll({
      client,
      type,
      namespace,
      metadataOnly,
      pageSize,
      signal,
      restart: () => {
        found.length = 0;
        unreadable.length = 0;
      },
      item: (raw) => {
        const object = this.#parse(raw);
        if (object !== undefined) found.push(object);
        else unreadable.push(identityOf(raw));
      },
    });
    signal.throwIfAborted();
    hooks?.listed?.(found.length);
    this.#storeList(found, unreadable);
    return resourceVersion;
  }

  #storeList(found: readonly T[], unreadable: readonly Metadata[] = []): void {
    this.#store.replace(found, unreadable);
    // A handler may have called `stop`.
    this.#stop.signal.throwIfAborted();
    this.#reliability.listed();
    this.#recovered();
    if (this.#synced) return;
    this.#synced = true;
    this.#notify(undefined, (handler) => {
      handler.synced();
    });
  }

  #watch(resourceVersion: string): Promise<'ended' | 'idle'> {
    const { client, clock, type, namespace, metadataOnly } = this.#options;
    const { watchTimeoutMs = 300_000, idleMs = 150_000 } = this.#options;
    this.#reliability.requested();
    return watch({
      client,
      clock,
      type,
      namespace,
      metadataOnly,
      resourceVersion,
      // Random, so that the watches of many clients do not end together.
      timeoutSeconds: Math.ceil((watchTimeoutMs * (1 + clock.random())) / 1000),
      idleMs,
      signal: this.#stop.signal,
      opened: () => {
        this.#reliability.opened();
        this.#recovered();
      },
      event: (event) => this.#event(event),
    });
  }

  /** Parses an event; returns a function that reports it. */
  #event({ type, object: raw }: WatchEvent): () => void {
    const identity = identityOf(raw);
    const object = type === 'DELETED' || type === 'BOOKMARK' ? undefined : this.#parse(raw);
    return () => {
      this.#reliability.eventReceived();
      if (type === 'DELETED') this.#store.remove(identity);
      else if (object !== undefined) this.#store.put(object);
      if (identity.resourceVersion !== '') this.#version = identity.resourceVersion;
    };
  }

  #parse(raw: unknown): T | undefined {
    const { hooks, log, parse } = this.#options;
    try {
      return parse(raw);
    } catch (error) {
      hooks?.unreadable?.();
      const object = qualifiedName(identityOf(raw));
      const detail = error instanceof Error ? error.message : String(error);
      log.warn({ resource: this.#name, object, detail }, 'object cannot be read and is left as it was known');
      return undefined;
    }
  }

  /** Calls the handler. A fault of the handler is logged. */
  #notify(object: T | undefined, call: (handler: ReflectorHandler<T>) => void): void {
    if (this.#stop.signal.aborted) return;
    try {
      call(this.#options.handler);
    } catch (error) {
      this.#options.hooks?.handlerFailed?.();
      const which = object && { object: qualifiedName(object) };
      this.#options.log.error(
        { err: error, resource: this.#name, ...which },
        'fault in a handler of changes',
      );
    }
  }
}
