import { sleep } from '@hnotif/core/clock';
import { formatResourceType, qualifiedName, type Metadata, identityOf } from '@hnotif/core/resources';
import { Backoff } from './backoff.ts';
import { isExpired, isFromTheFuture, KubeError } from './error.ts';
import { listAll } from './list.ts';
import { Retries } from './outage.ts';
import { ReflectorHealth } from './reflector-health.ts';
import type { ReflectorHandler, ReflectorOptions } from './reflector-options.ts';
import { type Change, ObjectStore } from './store.ts';
import { WatchReliability } from './watch-reliability.ts';
import { watch, type WatchEvent } from './watch.ts';

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
  readonly #store = new ObjectStore<T>();
  readonly #retries: Retries;
  /** Separate from the backoff of failures: the first watch after a long outage must not wait long. */
  readonly #shortWatches: Backoff;
  readonly #reliability: WatchReliability;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;
  #version: string | undefined;
  #synced = false;
  readonly #health: ReflectorHealth;

  constructor(options: ReflectorOptions<T>) {
    this.#options = options;
    this.#name = formatResourceType(options.type);
    const { clock, log, namespace } = options;
    this.#health = new ReflectorHealth({ name: this.#name, namespace, clock, log });
    this.#retries = new Retries(clock, options.client.outage);
    this.#shortWatches = new Backoff(clock);
    this.#reliability = new WatchReliability(clock);
  }

  /** Starts to list and watch, and reports to this handler. A second call does nothing. */
  start(handler: ReflectorHandler<T>): void {
    if (!this.#stop.signal.aborted) this.#running ??= this.#run(this.#reportTo(handler), handler.first);
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
    if (this.#health.isFailing) return 'failing';
    return this.#synced ? 'synced' : 'starting';
  }

  /** Why it is `failing`, for any reader: without credentials and without the output of plugins. */
  get error(): string | undefined {
    return this.#health.problem;
  }

  /** Whether a right is missing. */
  get isForbidden(): boolean {
    return this.#health.isForbidden;
  }

  objects(): IterableIterator<T> {
    return this.#store.objects();
  }

  get(namespace: string, name: string): T | undefined {
    return this.#store.get(namespace, name);
  }

  async #run(report: Report<T>, first: ReflectorHandler<T>['first']): Promise<void> {
    const { hooks } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        this.#version ??= await this.#list(report, this.#synced ? undefined : first);
        const reason = await this.#watch(this.#version, report);
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
      this.#health.pausing = 'watches end as soon as they are opened; the next one is opened within 30 s';
    await sleep(this.#options.clock, ms, this.#stop.signal);
    this.#health.pausing = undefined;
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
    hooks?.failed?.(failure.reason);
    this.#health.failed(failure);
    await this.#retries.wait(failure, this.#stop.signal);
  }

  /** Lists everything, reports the changes, and resolves with the version to watch from. */
  async #list(report: Report<T>, first: ReflectorHandler<T>['first']): Promise<string> {
    const { before, client, hooks, isEager = false, metadataOnly, namespace, type } = this.#options;
    const { pageSize = 500 } = this.#options;
    const { signal } = this.#stop;
    const found: T[] = [];
    const unreadable: Metadata[] = [];
    const whole: unknown[] = [];
    await before?.(signal);
    const resourceVersion = await listAll({
      ...{ client, type, namespace, pageSize, signal },
      metadataOnly: metadataOnly === true && first === undefined,
      restart: () => {
        for (const each of [found, unreadable, whole]) each.length = 0;
      },
      item: (raw) => {
        const object = this.#parse(raw);
        if (object === undefined) unreadable.push(identityOf(raw));
        else found.push(object);
        if (object !== undefined && isEager && !this.#synced) report(this.#store.put(object));
        if (first !== undefined) whole.push(raw);
      },
    });
    signal.throwIfAborted();
    hooks?.listed?.(found.length);
    for (const raw of whole) this.#parse(raw, first);
    report(this.#store.replace(found, unreadable));
    // A handler may have called `stop`.
    this.#stop.signal.throwIfAborted();
    this.#reliability.listed();
    this.#health.recovered();
    if (this.#synced) return resourceVersion;
    this.#synced = true;
    report(['synced']);
    return resourceVersion;
  }

  #watch(resourceVersion: string, report: Report<T>): Promise<'ended' | 'idle'> {
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
        this.#health.recovered();
      },
      read: (event) => this.#read(event),
      apply: report,
    });
  }

  /** Parses an event. Its changes are made when they are taken. */
  #read({ type, object: raw }: WatchEvent): Iterable<Change<T>> {
    const object = type === 'DELETED' || type === 'BOOKMARK' ? undefined : this.#parse(raw);
    return this.#changesBy(identityOf(raw), type === 'DELETED', object);
  }

  *#changesBy(identity: Metadata, isDeletion: boolean, object: T | undefined): Generator<Change<T>> {
    this.#reliability.eventReceived();
    if (isDeletion) yield* this.#store.remove(identity);
    else if (object !== undefined) yield* this.#store.put(object);
    if (identity.resourceVersion !== '') this.#version = identity.resourceVersion;
  }

  #parse<R = T>(raw: unknown, parse?: (raw: unknown) => R): R | undefined;
  #parse(raw: unknown, parse = this.#options.parse): unknown {
    const { hooks, log } = this.#options;
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

  /** Calls the handler. A fault of the handler is logged. After a stop nothing is reported. */
  #reportTo(handler: ReflectorHandler<T>): Report<T> {
    const { hooks, log } = this.#options;
    return (changes) => {
      for (const change of changes) {
        if (this.#stop.signal.aborted) continue;
        try {
          if (change === 'synced') handler.synced?.();
          else if (change.kind === 'deleted') handler.deleted(change.object);
          else handler.changed(change.object, change.previous);
        } catch (err) {
          hooks?.handlerFailed?.();
          const which = change !== 'synced' && { object: qualifiedName(change.object) };
          log.error({ err, resource: this.#name, ...which }, 'fault in a handler of changes');
        }
      }
    };
  }
}

type Report<T> = (changes: Iterable<Change<T> | 'synced'>) => void;
