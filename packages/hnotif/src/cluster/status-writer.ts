import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { abortAfter, type Clock } from '../clock.ts';
import { isNewer } from '../lifecycle/version.ts';
import { formatResourceType, type ResourceType } from '../resources/group.ts';
import { TokenBucket } from '../fair/token-bucket.ts';
import { WorkQueue } from '../fair/work-queue.ts';
import type { KubeClient } from './client.ts';
import { isFailedTest, KubeError } from './error.ts';
import { Retries } from './outage.ts';

export interface StatusWriterOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Logger;
  /** The time between two writes of one status (milliseconds). Default 10,000. A shorter time costs the API server more. */
  readonly intervalMs?: number;
  /** For metrics: the result of each status that was set or tried. */
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
  readonly retries: Retries;
  /** The status to write; undefined: it is written. */
  desired: DesiredStatus | undefined;
  /** Whether all changes since the last write began are quiet. */
  isQuiet: boolean;
  /** The status that we wrote last. */
  written: (DesiredStatus & { readonly resourceVersion: string }) | undefined;
  /** The status that a watch reported last. */
  observed: Observed | undefined;
  readonly bucket: TokenBucket;
  isWriting: boolean;
  /** Of the wait after a failed write; undefined: it is over. */
  backoff: AbortController | undefined;
  /** The last logged problem; undefined: the last write succeeded. */
  problem: string | undefined;
}

/** A change waits this time for further ones (milliseconds). */
const DEBOUNCE_MS = 200;
/** Writes in flight. */
const WORKERS = 4;
const INTERVAL_MS = 10_000;
/** How long a stop waits for statuses (milliseconds). */
const CLOSE_MS = 5_000;
/** Two writes may follow each other after a quiet time: the status of a new object soon changes. */
const BURST = 2;

/**
 * Writes the newest status of each object: the first at once, later ones after a delay, and on average at most one in each interval. A
 * write that fails is retried with backoff, or when an outage of the API server ends, until it succeeds, is refused as invalid, or the
 * object is deleted (`forget`: a 404 may come from a server that has just started). Each object has one write in flight. Namespaces take
 * turns.
 */
export class StatusWriter {
  readonly #options: StatusWriterOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #queue: WorkQueue<Entry>;
  readonly #stop = new AbortController();
  #isClosing = false;
  /** The API server is not available, and this was logged. */
  #away = false;

  constructor(options: StatusWriterOptions) {
    this.#options = options;
    this.#queue = new WorkQueue({
      clock: options.clock,
      workers: WORKERS,
      ownerOf: ({ namespace }) => namespace,
      work: (entry) => this.#write(entry),
    });
  }

  /**
   * Never throws, never blocks. `status` is plain JSON; it replaces the whole one. `isQuiet`: no one waits for
   * the change, so it waits for others, for half of the interval; default false.
   */
  set(
    type: ResourceType,
    namespace: string,
    name: string,
    uid: string,
    status: object,
    { isQuiet = false } = {},
  ): void {
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
    // During a write it is not known what is stored. Then the status is written again.
    if (entry.written?.text === text && !entry.isWriting) {
      this.#cancel(entry);
      this.#options.result?.('unchanged');
      return;
    }
    if (!isQuiet) entry.isQuiet = false;
    entry.desired = { status, text };
    this.#schedule(entry);
  }

  /**
   * Takes the status that a watch reported. If something else wrote it after us, our last status is written again, at most once in each
   * interval.
   */
  observed(type: ResourceType, namespace: string, name: string, uid: string, observed: Observed): void {
    const entry = this.#entries.get(keyOf(type, namespace, name));
    if (entry?.uid !== uid) return;
    // A lower version means that the cluster was restored from a backup. Our write may be lost.
    if (entry.written && entry.observed && isNewer(entry.observed.resourceVersion, observed.resourceVersion))
      entry.written = { ...entry.written, resourceVersion: '' };
    entry.observed = observed;
    this.#compare(entry);
  }

  /** An object was deleted: nothing more is written. */
  forget(type: ResourceType, namespace: string, name: string): void {
    const entry = this.#entries.get(keyOf(type, namespace, name));
    if (entry !== undefined) this.#drop(entry);
  }

  /** Tries each pending write once, for at most 5 s or until `enough` aborts. Then it writes nothing more. */
  async close(enough?: AbortSignal): Promise<void> {
    const cancel = abortAfter(this.#options.clock, CLOSE_MS, this.#stop, enough);
    this.#isClosing = true;
    for (const entry of this.#entries.values()) {
      entry.backoff?.abort();
      if (entry.desired !== undefined && !entry.isWriting) this.#queue.add(entry);
    }
    await this.#queue.idle();
    cancel();
    this.#stop.abort();
    void this.#queue.close();
    this.#entries.clear();
  }

  /** How many objects are known. */
  get size(): number {
    return this.#entries.size;
  }

  /** Writes our last status again if something else has changed it. A watch may report versions from before our last write. */
  #compare(entry: Entry): void {
    const { observed, written } = entry;
    if (observed === undefined || written === undefined) return;
    if (entry.desired !== undefined || entry.isWriting) return;
    if (isNewer(written.resourceVersion, observed.resourceVersion)) return;
    if (isDeepStrictEqual(observed.status, JSON.parse(written.text))) return;
    entry.desired = written;
    entry.isQuiet = false;
    this.#schedule(entry);
  }

  #entry(type: ResourceType, namespace: string, name: string, uid: string): Entry {
    const { client, clock, intervalMs = INTERVAL_MS } = this.#options;
    return {
      ...{ type, namespace, name, uid },
      retries: new Retries(clock, client.outage),
      bucket: new TokenBucket(clock, 1000 / intervalMs, BURST),
      ...{ desired: undefined, written: undefined, observed: undefined },
      ...{ isQuiet: true, isWriting: false, backoff: undefined, problem: undefined },
    };
  }

  #schedule(entry: Entry): void {
    if (entry.isWriting || entry.backoff !== undefined) return;
    const { intervalMs = INTERVAL_MS } = this.#options;
    const collectMs = entry.isQuiet ? Math.max(DEBOUNCE_MS, intervalMs / 2) : DEBOUNCE_MS;
    const delay = entry.written === undefined && !entry.isQuiet ? 0 : collectMs;
    this.#queue.add(entry, { afterMs: this.#isClosing ? 0 : Math.max(delay, entry.bucket.waitMs) });
  }

  async #write(entry: Entry): Promise<void> {
    entry.isWriting = true;
    entry.isQuiet = true;
    const failure = await this.#attempt(entry);
    entry.isWriting = false;
    if (this.#stop.signal.aborted) return;
    if (failure !== undefined) this.#backOff(entry, failure);
    else if (entry.desired !== undefined) this.#schedule(entry);
    else this.#compare(entry);
  }

  #backOff(entry: Entry, failure: KubeError): void {
    if (this.#isClosing) return;
    const { signal } = (entry.backoff = new AbortController());
    void entry.retries.wait(failure, signal).then(() => {
      entry.backoff = undefined;
      if (entry.desired !== undefined) this.#queue.add(entry);
    });
  }

  /** One write. Resolves with a failure that should be retried. */
  async #attempt(entry: Entry): Promise<KubeError | undefined> {
    const { desired, type, namespace, name, uid } = entry;
    if (desired === undefined) return undefined;
    const { client, result } = this.#options;
    const { signal } = this.#stop;
    try {
      const { resourceVersion } = await client.replaceStatus(type, namespace, { name, uid }, desired.status, {
        signal,
      });
      entry.written = { ...desired, resourceVersion };
      entry.bucket.tryTake();
      if (entry.desired === desired) entry.desired = undefined;
      entry.retries.reset();
      entry.problem = undefined;
      if (this.#away) this.#options.log.info('statuses are written again');
      this.#away = false;
      result?.('written');
      return undefined;
    } catch (error) {
      return this.#failed(entry, desired, error);
    }
  }

  #failed(entry: Entry, tried: DesiredStatus, error: unknown): KubeError | undefined {
    const { log, result } = this.#options;
    // A stop and a deleted object are not reported.
    if (this.#stop.signal.aborted || !this.#isKnown(entry)) return undefined;
    const failure = error instanceof KubeError ? error : new KubeError(0, 'Fault', String(error));
    const { status, message } = failure;
    result?.('failed');
    // The object was deleted, which a watch will report, or its kind is not served yet; or there is another one of its name.
    if (status === 404 || isFailedTest(failure)) return failure;
    const where = { object: `${entry.namespace}/${entry.name}`, detail: message };
    if (status === 400 || status === 422) {
      // The same status would be refused again. The next one may be accepted.
      if (entry.desired === tried) entry.desired = undefined;
      log.error(where, 'status refused by the API server');
      return undefined;
    }
    this.#complain(entry, failure);
    return failure;
  }

  /** Logs a problem once; an unavailable server once for all objects. */
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
    this.#cancel(entry);
    if (this.#isKnown(entry)) this.#entries.delete(keyOf(entry.type, entry.namespace, entry.name));
  }

  /** Writes nothing more of an object, until its next status. */
  #cancel(entry: Entry): void {
    entry.desired = undefined;
    entry.backoff?.abort();
    this.#queue.remove(entry);
  }
}

const keyOf = (type: ResourceType, namespace: string, name: string): string =>
  `${formatResourceType(type)}/${namespace}/${name}`;
