import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { abortAfter, type Clock } from '@hnotif/core/clock';
import { overflowOf, type Rest, TokenBucket, WorkQueue } from '@hnotif/core/fair';
import { formatSeconds } from '@hnotif/core/lifecycle';
import { dropOldest } from '../drop-oldest.ts';
import type { KubeClient } from './client.ts';
import { KubeError } from './error.ts';
import { EVENTS, type NamespaceScope } from '@hnotif/core/resources';
import { Retries } from './outage.ts';

/** The object that an Event is about. */
export interface Regarding {
  readonly apiVersion: string;
  readonly kind: string;
  /** `''` for cluster-scoped objects. Their Events are in `default`. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

export interface EventRecorderOptions {
  readonly client: Pick<KubeClient, 'create' | 'mergePatch' | 'outage'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** The name of the reporter. Default `hnotif`. */
  readonly component?: string;
  /**
   * Called when an Event is not written: the API server refused it, or 10,000 are waiting. A refused note is counted by the next one of its
   * series.
   */
  readonly dropped?: (why: 'refused' | 'overload') => void;
}

interface Series {
  readonly type: 'Normal' | 'Warning';
  readonly regarding: Regarding;
  readonly eventName: string;
  readonly firstTimestamp: string;
  readonly reason: string;
  message: string;
  count: number;
  lastTimestamp: string;
  lastSeen: number;
  /** Whether the Event exists in the cluster. */
  created: boolean;
  /** Whether it has notes that are not written. */
  dirty: boolean;
}

/** Events of a namespace (undefined: of all) cannot be written. */
interface Failing {
  readonly retries: Retries;
  /** Of the present wait; undefined: it is over. */
  over: Promise<void> | undefined;
}

/** Writes for one object at once: two for each of its 32 sinks. */
const BURST = 64;
/** Later writes for one object, as in client-go's recorder: one in five minutes. */
const PER_SECOND = 1 / 300;
/** A note after this time begins a new series. The API server deletes Events after an hour. */
export const SERIES_MS = 600_000;
/** How long a stop waits for Events (milliseconds). */
const CLOSE_MS = 2_000;
/** With more, the namespaces that have the most lose their oldest ones. */
const MAX_SERIES = 10_000;
const WORKERS = 4;
/** 4xx answers that may pass: not authenticated yet, time-out, too many requests. */
const PASSING: ReadonlySet<number> = new Set([401, 408, 429]);
/** Failures of the API server as a whole. Others, as of an admission webhook, may be those of one namespace. 0: no answer. */
const OF_ALL: ReadonlySet<number> = new Set([0, 401, 429, 503]);
const MAX_MESSAGE = 1024;
/** A name has at most 253 characters; a dot and 16 more are added. */
const MAX_NAME = 236;

/**
 * Records what happens to objects as core/v1 Events, for `kubectl describe`. Equal notes make one Event with a count. It never blocks and
 * never throws. A series with new notes waits until a write is free, its object has a token, and the API server is available. Namespaces
 * take turns, and one whose writes fail waits alone. So no Event is lost that the API server would accept.
 */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #series = new Map<string, Series>();
  readonly #buckets = new Map<string, TokenBucket>();
  readonly #stop = new AbortController();
  /** Series with new notes. */
  readonly #queue: WorkQueue<Series>;
  readonly #failing = new Map<NamespaceScope, Failing>();

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    this.#queue = new WorkQueue({
      clock: options.clock,
      workers: WORKERS,
      ownerOf: ({ regarding }) => regarding.namespace,
      work: (series) => this.#write(series),
    });
  }

  /**
   * Records a Warning. `reason`: a CamelCase word. `message`: for people, without credentials, cut at 1,024 characters. `subject`: the part
   * of the object (a sink's name); notes of one subject and reason make one Event.
   */
  warn(regarding: Regarding, reason: string, message: string, subject = ''): void {
    this.#note('Warning', regarding, reason, message, subject);
  }

  /** Records a Normal Event. Shares its limits with `warn`. */
  inform(regarding: Regarding, reason: string, message: string, subject = ''): void {
    this.#note('Normal', regarding, reason, message, subject);
  }

  #note(type: Series['type'], regarding: Regarding, reason: string, message: string, subject: string): void {
    if (this.#stop.signal.aborted) return;
    const { clock } = this.#options;
    const id = [regarding.uid, reason, subject].join('/');
    const now = formatSeconds(clock.now());
    let series = this.#series.get(id);
    if (series === undefined || clock.monotonic() - series.lastSeen >= SERIES_MS)
      series = {
        ...{
          type,
          regarding,
          reason,
          message,
          firstTimestamp: now,
          lastTimestamp: now,
          lastSeen: 0,
          count: 0,
        },
        eventName: `${regarding.name.slice(0, MAX_NAME)}.${randomBytes(8).toString('hex')}`,
        ...{ created: false, dirty: false },
      };
    series.message = message;
    series.count++;
    series.lastTimestamp = now;
    series.lastSeen = clock.monotonic();
    series.dirty = true;
    this.#series.delete(id);
    this.#series.set(id, series);
    this.#dropOldest();
    this.#enqueue(series);
  }

  /** Waits for writes in flight, for at most 2 s or until `enough` aborts. Later notes are ignored. */
  async close(enough?: AbortSignal): Promise<void> {
    const cancel = abortAfter(this.#options.clock, CLOSE_MS, this.#stop, enough);
    await this.#queue.idle();
    cancel();
    const left = [...this.#series.values()].filter(({ dirty }) => dirty).length;
    if (left > 0) this.#options.log.warn({ left }, 'Events not written before the stop');
    this.#stop.abort();
    void this.#queue.close();
  }

  #dropOldest(): void {
    for (const [id, series] of overflowOf(this.#series, MAX_SERIES, ({ regarding }) => regarding.namespace)) {
      this.#series.delete(id);
      this.#queue.remove(series);
      if (series.dirty) this.#options.dropped?.('overload');
      series.dirty = false;
    }
  }

  /** Queues a series for the time when its object has a token. */
  #enqueue(series: Series): void {
    this.#queue.add(series, { afterMs: this.#bucket(series.regarding.uid).waitMs });
  }

  async #write(series: Series): Promise<Rest | void> {
    if (!series.dirty || this.#stop.signal.aborted) return;
    const { namespace, uid } = series.regarding;
    const over = this.#failing.get(undefined)?.over ?? this.#failing.get(namespace)?.over;
    if (over !== undefined) return { over };
    if (!this.#bucket(uid).tryTake()) {
      this.#enqueue(series);
      return;
    }
    series.dirty = false;
    const ended = await this.#send(series);
    if (!(ended instanceof KubeError)) {
      this.#failing.delete(namespace);
      return;
    }
    series.dirty = true;
    return this.#rest(OF_ALL.has(ended.status) ? undefined : namespace, ended);
  }

  /** Writes nothing for a namespace (undefined: for all) for a while after a failure, or until the API server is back. */
  #rest(scope: NamespaceScope, failure: KubeError): Rest {
    const { clock, client } = this.#options;
    const failing = this.#failing.get(scope) ?? {
      retries: new Retries(clock, client.outage),
      over: undefined,
    };
    this.#failing.set(scope, failing);
    failing.over ??= failing.retries.wait(failure, this.#stop.signal).then(() => {
      failing.over = undefined;
    });
    return { over: failing.over };
  }

  /** Resolves with the failure if it may pass. */
  async #send(series: Series): Promise<'written' | 'refused' | KubeError> {
    const { client, dropped, log } = this.#options;
    const { signal } = this.#stop;
    const namespace = series.regarding.namespace || 'default';
    try {
      if (series.created && (await this.#patch(series, namespace))) return 'written';
      await client.create(EVENTS, namespace, this.#event(series, namespace), { signal, metadataOnly: true });
      series.created = true;
      return 'written';
    } catch (error) {
      if (signal.aborted) return 'refused';
      const failure = error instanceof KubeError ? error : new KubeError(0, 'Fault', String(error));
      const { status, message } = failure;
      // The answer to the first try was lost.
      if (status === 409) {
        series.created = true;
        return failure;
      }
      log.debug({ reason: series.reason, detail: message }, 'Event not written');
      if (status < 400 || status >= 500 || PASSING.has(status)) return failure;
      dropped?.('refused');
      return 'refused';
    }
  }

  /** False when the Event was deleted. It is then created again. */
  async #patch({ eventName, count, lastTimestamp, message }: Series, namespace: string): Promise<boolean> {
    const patch = { count, lastTimestamp, message: cut(message) };
    try {
      await this.#options.client.mergePatch(EVENTS, namespace, eventName, patch, {
        signal: this.#stop.signal,
      });
      return true;
    } catch (error) {
      if (error instanceof KubeError && error.status === 404) return false;
      throw error;
    }
  }

  #event(series: Series, namespace: string): object {
    const { type, regarding, reason, message, count, firstTimestamp, lastTimestamp, eventName } = series;
    const component = this.#options.component ?? 'hnotif';
    const { apiVersion, kind, name, uid } = regarding;
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: eventName, namespace },
      involvedObject: {
        ...{ apiVersion, kind, name, uid },
        ...(regarding.namespace !== '' && { namespace: regarding.namespace }),
      },
      type,
      reason,
      message: cut(message),
      count,
      firstTimestamp,
      lastTimestamp,
      source: { component },
      reportingComponent: component,
      reportingInstance: '',
    };
  }

  #bucket(uid: string): TokenBucket {
    const bucket = this.#buckets.get(uid) ?? new TokenBucket(this.#options.clock, PER_SECOND, BURST);
    this.#buckets.delete(uid);
    this.#buckets.set(uid, bucket);
    dropOldest(this.#buckets, MAX_SERIES);
    return bucket;
  }
}

const cut = (message: string): string =>
  [...message.slice(0, MAX_MESSAGE * 2)].slice(0, MAX_MESSAGE).join('');
