import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { FairQueue } from '../fair/queue.ts';
import { formatSeconds } from '../lifecycle/time.ts';
import { TokenBucket } from './bucket.ts';
import type { KubeClient } from './client.ts';
import { KubeError } from './error.ts';
import { EVENTS } from './objects.ts';

/** The object that an Event is about. */
export interface Regarding {
  readonly apiVersion: string;
  readonly kind: string;
  /** `''` for cluster-scoped objects: their Events stand in `default`. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

export interface EventRecorderOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Logger;
  /** The name under which we report. Default `hnotif`. */
  readonly component?: string;
  /** Notes that no Event was written for, by why; those of a series are still counted in its next write. */
  readonly dropped?: (why: 'rate' | 'overload' | 'error') => void;
}

interface Series {
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
  /** Notes came that are not in the cluster yet. */
  dirty: boolean;
  busy: boolean;
}

/** As client-go's recorder: 25 writes an object at once, then one in five minutes. */
const BURST = 25;
const PER_SECOND = 1 / 300;
/** After so long a note begins a new series: the API server forgets Events after an hour. */
export const SERIES_MS = 600_000;
/** How long a stop waits for Events (milliseconds). */
const CLOSE_MS = 2_000;
const MAX_SERIES = 1000;
const MAX_BUSY = 16;
const MAX_MESSAGE = 1024;
/** A name in Kubernetes has at most 253 characters; ours adds a dot and 16. */
const MAX_NAME = 236;

/**
 * Tells what happens to an object as core/v1 Events, for `kubectl describe`. Alike notes make one Event with a
 * count. It never blocks and never throws. Of the series that wait for their write namespaces take turns. A failed write is not tried
 * again, for the next note of its series carries the count.
 */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #series = new Map<string, Series>();
  readonly #buckets = new Map<string, TokenBucket>();
  readonly #stop = new AbortController();
  readonly #busy = new Set<Promise<void>>();
  /** Series that wait for one of the writes under way to end. */
  readonly #waiting = new FairQueue<Series>();

  constructor(options: EventRecorderOptions) {
    this.#options = options;
  }

  /**
   * A Warning. `reason` is a CamelCase word; `message` is for humans, is cut at 1,024 characters and never holds a
   * credential; `subject` is what it is about within the object (a sink's name): notes of one subject and reason
   * make one Event.
   */
  warn(regarding: Regarding, reason: string, message: string, subject = ''): void {
    if (this.#stop.signal.aborted) return;
    const { clock } = this.#options;
    const id = [regarding.uid, reason, subject].join('/');
    const now = formatSeconds(clock.now());
    let series = this.#series.get(id);
    if (series === undefined || clock.monotonic() - series.lastSeen >= SERIES_MS)
      series = {
        ...{ regarding, reason, message, firstTimestamp: now, lastTimestamp: now, lastSeen: 0, count: 0 },
        eventName: `${regarding.name.slice(0, MAX_NAME)}.${randomBytes(8).toString('hex')}`,
        ...{ created: false, dirty: false, busy: false },
      };
    series.message = message;
    series.count++;
    series.lastTimestamp = now;
    series.lastSeen = clock.monotonic();
    series.dirty = true;
    keepNewest(this.#series, id, series);
    this.#write(series);
  }

  /** Waits a little for what is under way, or until `enough` aborts, then ends it; later notes are ignored. */
  async close(enough?: AbortSignal): Promise<void> {
    const giveUp = (): void => {
      this.#stop.abort();
    };
    const cancel = this.#options.clock.after(CLOSE_MS, giveUp);
    enough?.addEventListener('abort', giveUp, { once: true });
    while (this.#busy.size > 0) await Promise.all(this.#busy);
    cancel();
    this.#stop.abort();
  }

  #write(series: Series): void {
    // The write that is under way is followed by one more.
    if (series.busy) return;
    const { dropped } = this.#options;
    if (this.#busy.size >= MAX_BUSY) {
      if (this.#waiting.size < MAX_SERIES) this.#waiting.add(series.regarding.namespace, series);
      else dropped?.('overload');
      return;
    }
    if (!this.#bucket(series.regarding.uid).tryTake()) {
      dropped?.('rate');
      return;
    }
    series.busy = true;
    series.dirty = false;
    const write = this.#send(series).then((ok) => {
      this.#busy.delete(write);
      series.busy = false;
      if (this.#stop.signal.aborted) return;
      if (ok && series.dirty) this.#write(series);
      this.#writeWaiting();
    });
    this.#busy.add(write);
  }

  /** As many of those that wait as may be under way: one that is too many for its object leaves its place to the next. */
  #writeWaiting(): void {
    while (this.#busy.size < MAX_BUSY) {
      const next = this.#waiting.take()?.item;
      if (next === undefined) return;
      if (next.dirty) this.#write(next);
    }
  }

  async #send(series: Series): Promise<boolean> {
    const { client, dropped, log } = this.#options;
    const { signal } = this.#stop;
    const namespace = series.regarding.namespace || 'default';
    try {
      if (series.created && (await this.#patch(series, namespace))) return true;
      await client.create(EVENTS, namespace, this.#event(series, namespace), { signal, metadataOnly: true });
      series.created = true;
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      dropped?.('error');
      const detail = error instanceof Error ? error.message : String(error);
      log.debug({ reason: series.reason, detail }, 'Event not written');
      return false;
    }
  }

  /** False when the API server has forgotten the Event: it is then created again. */
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
    const { regarding, reason, message, count, firstTimestamp, lastTimestamp, eventName } = series;
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
      type: 'Warning',
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
    keepNewest(this.#buckets, uid, bucket);
    return bucket;
  }
}

/** Puts an entry at the end of a map and drops the oldest of too many. */
function keepNewest<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MAX_SERIES && oldest !== undefined) map.delete(oldest);
}

const cut = (message: string): string =>
  [...message.slice(0, MAX_MESSAGE * 2)].slice(0, MAX_MESSAGE).join('');
