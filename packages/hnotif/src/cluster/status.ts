import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { isNewer } from '../lifecycle/version.ts';
import { formatResourceType, type ResourceType } from '../resources/group.ts';
import { FairQueue } from '../fair/queue.ts';
import { TokenBucket } from '../fair/token-bucket.ts';
import { Backoff } from './backoff.ts';
import type { KubeClient } from './client.ts';
import { KubeError } from './error.ts';
import { withRemovals } from './removals.ts';

export interface StatusWriterOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Logger;
  /** A change waits so long for further ones (milliseconds). Default 200. */
  readonly debounceMs?: number;
  /** An object's status is written at most once in this time (milliseconds). Default 10,000. Shorter costs the API server. */
  readonly intervalMs?: number;
  /** Writes at the same time. Default 4. */
  readonly concurrency?: number;
  /** For metrics: what became of each status that was set or tried. */
  readonly result?: (result: 'written' | 'unchanged' | 'failed') => void;
}

interface DesiredStatus {
  readonly status: object;
  readonly text: string;
}

interface Observed {
  readonly status: object;
  readonly resourceVersion: string;
}

interface Entry {
  readonly type: ResourceType;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly backoff: Backoff;
  /** What should stand there; undefined when it does. */
  desired: DesiredStatus | undefined;
  /** What we wrote last. */
  written: (DesiredStatus & { readonly resourceVersion: string }) | undefined;
  /** What a watch has told to stand there. */
  observed: Observed | undefined;
  readonly bucket: TokenBucket;
  cancelTimer: (() => void) | undefined;
  writing: Promise<void> | undefined;
  /** Why it could not be written, as the log has it; undefined since it was. */
  problem: string | undefined;
}

/** How long a stop waits for statuses (milliseconds). */
const CLOSE_MS = 5_000;
/** Two writes may follow each other closely after a quiet time: a new object soon has more to say. */
const BURST = 2;

/**
 * Writes the statuses of objects, the newest only: the first at once, later ones after a pause, and in the
 * long run no more than one in each interval. A write that fails is
 * tried again with backoff, or as soon as an outage of the API server is over, until it succeeds, is refused as invalid, or the object
 * is gone (`forget`: a 404 may be the answer of a server that has just come back).
 * One write an object is under way at a time; of the objects that wait namespaces take turns.
 */
export class StatusWriter {
  readonly #options: StatusWriterOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #ready = new FairQueue<Entry>();
  readonly #stop = new AbortController();
  #active = 0;
  /** The API server could write none, and the log says so. */
  #away = false;

  constructor(options: StatusWriterOptions) {
    this.#options = options;
  }

  /** Never throws, never blocks. `status` is plain JSON; fields that the last one had and this one lacks are removed. */
  set(type: ResourceType, namespace: string, name: string, uid: string, status: object): void {
    if (this.#stop.signal.aborted) return;
    const key = keyOf(type, namespace, name);
    let entry = this.#entries.get(key);
    if (entry?.uid !== uid) {
      if (entry !== undefined) this.#drop(entry);
      entry = this.#entry(type, namespace, name, uid);
      this.#entries.set(key, entry);
    }
    const text = JSON.stringify(status);
    if (entry.desired?.text === text) return;
    // While a write is under way it is not known what stands there, so the wish stays.
    if (entry.written?.text === text && entry.writing === undefined) {
      entry.desired = undefined;
      entry.cancelTimer?.();
      entry.cancelTimer = undefined;
      this.#options.result?.('unchanged');
      return;
    }
    entry.desired = { status, text };
    this.#schedule(entry);
  }

  /**
   * What a watch has told to stand there. Where something else wrote it after us, our last status is written again:
   * in its turn, so that two who disagree cost a write in each interval and no more.
   */
  observed(type: ResourceType, namespace: string, name: string, uid: string, observed: Observed): void {
    const entry = this.#entries.get(keyOf(type, namespace, name));
    if (entry?.uid !== uid) return;
    // Going backwards is a cluster restored from a backup, and what we wrote may be gone with it.
    if (entry.written && entry.observed && isNewer(entry.observed.resourceVersion, observed.resourceVersion))
      entry.written = { ...entry.written, resourceVersion: '' };
    entry.observed = observed;
    this.#compare(entry);
  }

  /** An object is gone: nothing more is written. */
  forget(type: ResourceType, namespace: string, name: string): void {
    const entry = this.#entries.get(keyOf(type, namespace, name));
    if (entry !== undefined) this.#drop(entry);
  }

  /** Tries everything that waits once, now, but for no longer than 5 s, or until `enough` aborts; then writes nothing more. */
  async close(enough?: AbortSignal): Promise<void> {
    const giveUp = (): void => {
      this.#stop.abort();
    };
    const cancel = this.#options.clock.after(CLOSE_MS, giveUp);
    enough?.addEventListener('abort', giveUp, { once: true });
    await this.#flush();
    cancel();
    this.#stop.abort();
    for (const entry of this.#entries.values()) entry.cancelTimer?.();
    this.#entries.clear();
  }

  /** How many objects are known. */
  get size(): number {
    return this.#entries.size;
  }

  async #flush(): Promise<void> {
    const tries: Promise<void>[] = [];
    for (const entry of this.#entries.values()) {
      const tryAgain = (): Promise<void> => {
        entry.cancelTimer?.();
        entry.cancelTimer = undefined;
        return this.#write(entry);
      };
      if (entry.writing !== undefined) tries.push(entry.writing.then(() => entry.desired && tryAgain()));
      else if (entry.desired !== undefined) tries.push(tryAgain());
    }
    this.#ready.clear();
    await Promise.all(tries);
  }

  /** What was told of a time before our last write is no news: a watch lags behind. */
  #compare(entry: Entry): void {
    const { observed, written } = entry;
    if (observed === undefined || written === undefined) return;
    if (entry.desired !== undefined || entry.writing !== undefined) return;
    if (isNewer(written.resourceVersion, observed.resourceVersion)) return;
    if (isDeepStrictEqual(observed.status, JSON.parse(written.text))) return;
    entry.desired = written;
    this.#schedule(entry);
  }

  #entry(type: ResourceType, namespace: string, name: string, uid: string): Entry {
    const { clock, intervalMs = 10_000 } = this.#options;
    return {
      ...{ type, namespace, name, uid },
      backoff: new Backoff(clock),
      bucket: new TokenBucket(clock, 1000 / intervalMs, BURST),
      ...{ desired: undefined, written: undefined, observed: undefined },
      ...{ cancelTimer: undefined, writing: undefined, problem: undefined },
    };
  }

  #schedule(entry: Entry, retryMs = 0): void {
    if (entry.writing !== undefined || entry.cancelTimer !== undefined) return;
    const { client, clock, debounceMs = 200 } = this.#options;
    const pause = entry.written === undefined ? 0 : debounceMs;
    const wait = Math.max(pause, entry.bucket.waitMs, retryMs);
    const run = (): void => {
      entry.cancelTimer = undefined;
      this.#ready.add(entry.namespace, entry);
      this.#pump();
    };
    if (retryMs === 0) {
      entry.cancelTimer = clock.after(wait, run);
      return;
    }
    const waiting = new AbortController();
    entry.cancelTimer = () => {
      waiting.abort();
    };
    void client.outage.wait(wait, waiting.signal).then(() => {
      if (!waiting.signal.aborted) run();
    });
  }

  #pump(): void {
    while (this.#active < (this.#options.concurrency ?? 4)) {
      const entry = this.#ready.take()?.item;
      if (entry === undefined) return;
      if (entry.writing === undefined) void this.#write(entry);
    }
  }

  #write(entry: Entry): Promise<void> {
    this.#active++;
    entry.writing = this.#attempt(entry)
      .then((retryMs) => {
        entry.writing = undefined;
        if (this.#stop.signal.aborted) return;
        if (entry.desired !== undefined) this.#schedule(entry, retryMs);
        else this.#compare(entry);
      })
      .finally(() => {
        this.#active--;
        this.#pump();
      });
    return entry.writing;
  }

  /** One write; resolves with the wait before the next one. */
  async #attempt(entry: Entry): Promise<number> {
    const { desired: wanted, written, type, namespace, name, uid } = entry;
    if (wanted === undefined) return 0;
    const { client, result } = this.#options;
    // With its uid in the patch, another object of the same name refuses it.
    const patch = { metadata: { uid }, status: withRemovals(wanted.status, written?.status) };
    try {
      const { resourceVersion } = await client.mergePatch(type, namespace, name, patch, {
        subresource: 'status',
        signal: this.#stop.signal,
      });
      entry.written = { ...wanted, resourceVersion };
      entry.bucket.tryTake();
      if (entry.desired === wanted) entry.desired = undefined;
      entry.backoff.reset();
      entry.problem = undefined;
      if (this.#away) this.#options.log.info('statuses are written again');
      this.#away = false;
      result?.('written');
      return 0;
    } catch (error) {
      return this.#failed(entry, wanted, error);
    }
  }

  #failed(entry: Entry, tried: DesiredStatus, error: unknown): number {
    const { log, result } = this.#options;
    // Nothing to be said of a stop, nor of an object that has been deleted in the meantime.
    if (this.#stop.signal.aborted || !this.#isKnown(entry)) return 0;
    const failure = error instanceof KubeError ? error : new KubeError(0, 'Fault', String(error));
    const { status, message, retryAfterMs } = failure;
    result?.('failed');
    // It was deleted, as a watch will tell in a moment, or its kind is not served yet.
    if (status === 404) return entry.backoff.next();
    const where = { object: `${entry.namespace}/${entry.name}`, detail: message };
    if (status === 400 || status === 422) {
      // The same status would be refused again; the next one may not be.
      if (entry.desired === tried) entry.desired = undefined;
      log.error(where, 'status refused by the API server');
      return 0;
    }
    this.#complain(entry, failure);
    return entry.backoff.next(retryAfterMs);
  }

  /** Says once what is tried again for long: of a server that is away once for all objects. */
  #complain(entry: Entry, { status, reason, message: detail }: KubeError): void {
    const { log } = this.#options;
    if (status === 0 || status === 401 || status === 429 || status >= 500) {
      if (!this.#away) log.warn({ reason, detail }, 'statuses cannot be written; trying again');
      this.#away = true;
    } else if (entry.problem !== detail) {
      entry.problem = detail;
      const object = `${entry.namespace}/${entry.name}`;
      log.warn({ object, detail }, 'status not written; trying again');
    }
  }

  #isKnown(entry: Entry): boolean {
    return this.#entries.get(keyOf(entry.type, entry.namespace, entry.name)) === entry;
  }

  #drop(entry: Entry): void {
    entry.desired = undefined;
    entry.cancelTimer?.();
    entry.cancelTimer = undefined;
    if (this.#isKnown(entry)) this.#entries.delete(keyOf(entry.type, entry.namespace, entry.name));
  }
}

const keyOf = (type: ResourceType, namespace: string, name: string): string =>
  `${formatResourceType(type)}/${namespace}/${name}`;
