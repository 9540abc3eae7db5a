import { nextTurn, type Clock } from '@hnotif/core/clock';
import { SLICE_MS } from '../slices.ts';
import { type ResourceType, isRaw } from '@hnotif/core/resources';
import type { KubeClient } from './client.ts';
import { errorFromStatus, KubeError } from './error.ts';
import { Lines, parseLine } from './lines.ts';
import { LinkedSignal } from './linked-signal.ts';

/** An event of a watch. Its object is not parsed. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: unknown;
}

export interface WatchOptions<R> {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly type: ResourceType;
  readonly namespace: string | undefined;
  readonly resourceVersion: string;
  /** When the server ends the watch. */
  readonly timeoutSeconds: number;
  readonly metadataOnly?: boolean | undefined;
  /** After this time without a byte the connection counts as dead (milliseconds). */
  readonly idleMs: number;
  readonly signal: AbortSignal;
  readonly opened: () => void;
  /** Parses an event. */
  readonly read: (event: WatchEvent) => R;
  /** Reports an event that was read. Both are synchronous. The next event is parsed after the report. */
  readonly apply: (read: R) => void;
}

/** The JSON of a larger event is decoded, parsed, read and reported in separate turns of the event loop (characters). */
const LARGE = 128 * 1024;

/**
 * Follows one watch to its end. `ended`: the server's time-out. `idle`: our watchdog. Rejects with a `KubeError` otherwise, also for an
 * ERROR event.
 */
export async function watch<R>(options: WatchOptions<R>): Promise<'ended' | 'idle'> {
  const { client, clock, type, namespace, resourceVersion, timeoutSeconds, metadataOnly, signal } = options;
  const link = new LinkedSignal(signal);
  let idle = false;
  let cancel = (): void => {};
  const resetIdle = (): void => {
    cancel();
    cancel = clock.after(options.idleMs, () => {
      idle = true;
      link.abort();
    });
  };
  try {
    const query = { resourceVersion, timeoutSeconds, metadataOnly };
    const bytes = await client.watch(type, namespace, query, link.signal);
    options.opened();
    const lines = new Lines();
    resetIdle();
    for await (const chunk of bytes) {
      resetIdle();
      let began = clock.monotonic();
      for (const line of lines.push(chunk)) {
        const isLarge = line.length > LARGE;
        if (isLarge || clock.monotonic() - began >= SLICE_MS) {
          await nextTurn();
          began = clock.monotonic();
        }
        if (signal.aborted) return 'ended';
        const json = parseLine(line);
        if (isLarge) await nextTurn();
        if (signal.aborted) return 'ended';
        const read = options.read(readEvent(json));
        if (isLarge) await nextTurn();
        if (signal.aborted) return 'ended';
        options.apply(read);
      }
    }
    for (const line of lines.end()) options.apply(options.read(readEvent(parseLine(line))));
    return 'ended';
  } catch (error) {
    if (idle) return 'idle';
    throw error instanceof KubeError ? client.redacted(error) : error;
  } finally {
    cancel();
    link.release();
    link.abort();
  }
}

function readEvent(json: unknown): WatchEvent {
  const { type, object } = isRaw(json) ? json : {};
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
    case 'BOOKMARK':
      return { type, object };
    case 'ERROR':
      throw errorFromStatus(0, object);
    default:
      throw new KubeError(200, 'NotAWatch', 'the watch sent an event of a type that is not known');
  }
}
