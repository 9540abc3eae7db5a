import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { abortAfter, sleep, type Clock } from '@hnotif/core/clock';
import { isNewer } from '@hnotif/core/lifecycle';
import { type ResourceType, keyOf } from '@hnotif/core/resources';
import { TokenBucket, WorkQueue } from '@hnotif/core/fair';
import { restAfter, SLICE_MS, sliceTurn } from '../slices.ts';
import type { KubeClient } from './client.ts';
import { isFailedTest, KubeError } from './error.ts';
import { Retries } from './outage.ts';

export interface StatusWriterOptions {
  readonly client: Pick<KubeClient, 'outage' | 'replaceStatus'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** The resource of the objects. */
  readonly type: ResourceType;
  /** Fields whose change no one waits for: it is written with others, or after the interval. */
  readonly pace: ReadonlySet<string>;
  /** The time between two writes of one status (milliseconds). Default 10,000. A shorter time costs the API server more. */
  readonly intervalMs?: number;
  /** For metrics: the result of each status that was made or tried. */
  readonly result?: (result: 'written' | 'unchanged' | 'failed') => void;
}

/** An object whose status is kept up to date. */
export interface StatusOwner {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** The object as a watch reported it last. */
  readonly observed: Observed;
  /** The status that it should have, as plain JSON; undefined: it is left alone. */
  desired(): object | undefined;
}

interface Observed {
  readonly status: object;
  readonly resourceVersion: string;
}

interface Entry {
  readonly owner: StatusOwner;
  readonly retries: Retries;
  readonly bucket: TokenBucket;
  /** Whether something has changed since the status was made last. */
  isPending: boolean;
  /** When a change of the pace alone is written (monotonic milliseconds); undefined: there is none. */
  paceDueAt: number | undefined;
  /** The status that we wrote last. A watch may show older ones. */
  written: Observed | undefined;
  /** The newest version that a watch has shown. */
  seen: string;
  /** A status that the API server refused, as JSON. */
  refused: string | undefined;
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
 * Writes statuses. Each object is one key of a work queue. In its turn the writer makes the status, compares it with the stored one, and
 * writes it if it differs. The first is written at once, later ones after a delay, and on average at most one in each interval. A write
 * that fails is retried with backoff, or when an outage of the API server ends, until it succeeds, is refused as invalid, or the
 * object is deleted (`forget`: a 404 may come from a server that has just started). Namespaces take turns.
 */
export class StatusWriter {
  readonly #options: StatusWriterOptions;
  readonly #entries = new Map<StatusOwner, Entry>();
  readonly #queue: WorkQueue<Entry>;
  readonly #stop = new AbortController();
  readonly #closing = new AbortController();
  /** The API server is not available, and this was logged. */
  #away = false;
  /** Resolves when the next status may be made. */
  #turn = Promise.resolve();
  /** How long statuses were made since the last rest (milliseconds). */
  #took = 0;

  constructor(options: StatusWriterOptions) {
    this.#options = options;
    this.#queue = new WorkQueue({
      clock: options.clock,
      workers: WORKERS,
      ownerOf: ({ owner }) => owner.namespace,
      work: this.#reconcile,
    });
  }

  /** The status of an object may have to be another one, or something else has written it. Never throws, never blocks. */
  changed(owner: StatusOwner): void {
    if (this.#stop.signal.aborted) return;
    const entry = this.#entries.get(owner) ?? this.#entry(owner);
    this.#entries.set(owner, entry);
    entry.isPending = true;
    const { resourceVersion } = owner.observed;
    // A lower version means that the cluster was restored from a backup. Our write may be lost.
    if (isNewer(entry.seen, resourceVersion)) entry.written = undefined;
    entry.seen = resourceVersion;
    if (entry.backoff !== undefined) return;
    const collectMs = isUntried(entry) ? 0 : DEBOUNCE_MS;
    const afterMs = this.#closing.signal.aborted ? 0 : Math.max(collectMs, entry.bucket.waitMs);
    this.#queue.add(entry, { afterMs });
  }

  /** An object was deleted: nothing more is written. */
  forget(owner: StatusOwner): void {
    const entry = this.#entries.get(owner);
    if (entry === undefined) return;
    this.#entries.delete(owner);
    entry.backoff?.abort();
    this.#queue.remove(entry);
  }

  /** Tries each pending write once, for at most 5 s or until `enough` aborts. Then it writes nothing more. */
  async close(enough?: AbortSignal): Promise<void> {
    const cancel = abortAfter(this.#options.clock, CLOSE_MS, this.#stop, enough);
    this.#closing.abort();
    for (const entry of this.#entries.values()) {
      entry.backoff?.abort();
      if (entry.isPending) this.#queue.add(entry);
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

  #entry(owner: StatusOwner): Entry {
    const { client, clock, intervalMs = INTERVAL_MS } = this.#options;
    return {
      owner,
      retries: new Retries(clock, client.outage),
      bucket: new TokenBucket(clock, 1000 / intervalMs, BURST),
      ...{ isPending: false, paceDueAt: undefined, written: undefined, seen: '' },
      ...{ refused: undefined, backoff: undefined, problem: undefined },
    };
  }

  /** Writes the status of an object, if it is due and differs from the stored one. */
  readonly #reconcile = async (entry: Entry): Promise<void> => {
    const desired = await this.#due(entry);
    if (desired === undefined) return;
    const { client, type } = this.#options;
    const { namespace, name, uid } = entry.owner;
    const { signal } = this.#stop;
    try {
      const at = { name, uid };
      const { resourceVersion } = await client.replaceStatus(type, namespace, at, desired, { signal });
      this.#written(entry, { status: desired, resourceVersion });
    } catch (error) {
      const failure = this.#failed(entry, desired, error);
      if (failure !== undefined) this.#tryAgain(entry, failure);
    }
  };

  /** The status to write now; undefined: there is none. */
  async #due(entry: Entry): Promise<object | undefined> {
    const { owner, bucket } = entry;
    const isClosing = this.#closing.signal.aborted;
    if (!isClosing && bucket.waitMs > 0) {
      this.#queue.add(entry, { afterMs: bucket.waitMs });
      return undefined;
    }
    const desired = await this.#made(entry);
    if (this.#stop.signal.aborted || !this.#isKnown(entry)) return undefined;
    const difference = desired === undefined ? 'none' : this.#difference(desired, standing(entry));
    if (desired === undefined || difference === 'none' || JSON.stringify(desired) === entry.refused) {
      entry.paceDueAt = undefined;
      if (desired !== undefined) this.#options.result?.('unchanged');
      if (!entry.isPending && (desired === undefined || isUntried(entry))) this.forget(owner);
      return undefined;
    }
    const waitMs = difference === 'pace' && !isClosing ? this.#paceMs(entry) : 0;
    if (waitMs <= 0) return desired;
    entry.isPending = true;
    this.#queue.add(entry, { afterMs: waitMs });
    return undefined;
  }

  /** How long a change of the pace alone still waits for others (milliseconds). */
  #paceMs(entry: Entry): number {
    const { clock, intervalMs = INTERVAL_MS } = this.#options;
    const now = clock.monotonic();
    entry.paceDueAt ??= now + intervalMs;
    return entry.paceDueAt - now;
  }

  /** Statuses are made one after the other, each in a turn of the event loop; all of them take a twentieth of it. */
  #made(entry: Entry): Promise<object | undefined> {
    const { clock } = this.#options;
    const made = this.#turn.then(async () => {
      await sliceTurn();
      const began = clock.monotonic();
      entry.isPending = false;
      const status = entry.owner.desired();
      this.#took += clock.monotonic() - began;
      return status;
    });
    this.#turn = made.then(async () => {
      if (this.#took < SLICE_MS) return;
      const ms = restAfter(this.#took);
      this.#took = 0;
      await sleep(clock, ms, this.#closing.signal);
    });
    return made;
  }

  #difference(desired: object, now: object): 'none' | 'pace' | 'news' {
    if (isDeepStrictEqual(plain(desired), now)) return 'none';
    const { pace } = this.#options;
    return isDeepStrictEqual(plain(desired, pace), plain(now, pace)) ? 'pace' : 'news';
  }

  #written(entry: Entry, written: Observed): void {
    entry.written = written;
    entry.bucket.tryTake();
    entry.retries.reset();
    entry.paceDueAt = entry.problem = entry.refused = undefined;
    if (this.#away) this.#options.log.info('statuses are written again');
    this.#away = false;
    this.#options.result?.('written');
  }

  #tryAgain(entry: Entry, failure: KubeError): void {
    entry.isPending = true;
    if (this.#closing.signal.aborted) return;
    const { signal } = (entry.backoff = new AbortController());
    void entry.retries.wait(failure, signal).then(() => {
      entry.backoff = undefined;
      if (this.#isKnown(entry)) this.#queue.add(entry);
    });
  }

  /** The failure of a write that should be retried. */
  #failed(entry: Entry, tried: object, error: unknown): KubeError | undefined {
    // A stop and a deleted object are not reported.
    if (this.#stop.signal.aborted || !this.#isKnown(entry)) return undefined;
    const failure = error instanceof KubeError ? error : new KubeError(0, 'Fault', String(error));
    this.#options.result?.('failed');
    // The object was deleted, which a watch will report, or its kind is not served yet; or there is another one of its name.
    if (failure.status === 404 || isFailedTest(failure)) return failure;
    this.#complain(entry, failure);
    if (!isRefusal(failure.status)) return failure;
    // The same status would be refused again. The next one may be accepted.
    entry.refused = JSON.stringify(tried);
    entry.bucket.tryTake();
    return undefined;
  }

  /** Logs a problem once; an unavailable server once for all objects. */
  #complain(entry: Entry, { status, reason, message: detail }: KubeError): void {
    const { log } = this.#options;
    if (status === 0 || status === 401 || status === 429 || status >= 500) {
      if (!this.#away) log.warn({ reason, detail }, 'statuses cannot be written; trying again');
      this.#away = true;
    } else if (entry.problem !== detail) {
      entry.problem = detail;
      const where = { object: keyOf(entry.owner), detail };
      if (isRefusal(status)) log.error(where, 'status refused by the API server');
      else log.warn(where, 'status not written; trying again');
    }
  }

  #isKnown(entry: Entry): boolean {
    return this.#entries.get(entry.owner) === entry;
  }
}

const isRefusal = (status: number): boolean => status === 400 || status === 422;

/** Whether the API server has neither accepted nor refused a status: the next one is the first. */
const isUntried = ({ written, refused }: Entry): boolean => written === undefined && refused === undefined;

/** The status that stands there: that of our last write, until a watch shows a newer one. */
const standing = ({ owner: { observed }, written }: Entry): object =>
  written !== undefined && isNewer(written.resourceVersion, observed.resourceVersion)
    ? written.status
    : observed.status;

/** As JSON has it, without some fields. */
const plain = (status: object, without: ReadonlySet<string> = new Set()): unknown =>
  JSON.parse(JSON.stringify(status, (key, value: unknown) => (without.has(key) ? undefined : value)));
