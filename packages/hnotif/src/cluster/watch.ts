import { nextTurn, type Clock } from '../clock.ts';
import type { ResourceType } from '../resources/group.ts';
import type { KubeClient } from './client.ts';
import { errorFromStatus, KubeError } from './error.ts';
import { JsonLines } from './lines.ts';
import { LinkedSignal } from './linked-signal.ts';
import { isRaw } from './objects.ts';

/** One line of a watch, as far as its type is known; objects are not parsed yet. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: unknown;
}

export interface WatchOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly type: ResourceType;
  readonly namespace: string | undefined;
  readonly resourceVersion: string;
  /** After which the server ends the watch. */
  readonly timeoutSeconds: number;
  readonly metadataOnly?: boolean | undefined;
  /** After so long without a byte the connection is taken for dead (milliseconds). */
  readonly idleMs: number;
  readonly signal: AbortSignal;
  readonly opened: () => void;
  /** Reads an event; returns what tells it. Both synchronous: the next event is read when this one is told. */
  readonly event: (event: WatchEvent) => () => void;
}

/** What is larger is decoded, read and told in a turn of the event loop each (bytes). */
const LARGE_BYTES = 128 * 1024;

/** After so long other work has its turn (milliseconds): a chunk may hold hundreds of events, and each of them costs its own work. */
const SLICE_MS = 4;

/**
 * Follows one watch to its end: `ended` is the server's time-out, `idle` our watchdog's. Rejects with a `KubeError`
 * for everything else, an ERROR event of the server among it.
 */
export async function watch(options: WatchOptions): Promise<'ended' | 'idle'> {
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
    const lines = new JsonLines();
    resetIdle();
    for await (const chunk of bytes) {
      resetIdle();
      let began = clock.monotonic();
      for (const line of lines.push(chunk)) {
        const isLarge = lines.lastBytes > LARGE_BYTES;
        if (isLarge || clock.monotonic() - began >= SLICE_MS) {
          await nextTurn();
          began = clock.monotonic();
        }
        if (signal.aborted) return 'ended';
        const tell = options.event(readEvent(line));
        if (isLarge) await nextTurn();
        if (signal.aborted) return 'ended';
        tell();
      }
    }
    for (const line of lines.end()) options.event(readEvent(line))();
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

function readEvent(line: unknown): WatchEvent {
  const { type, object } = isRaw(line) ? line : {};
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
