import type { Logger } from 'pino';
import type { Clock } from '@hnotif/core/clock';
import type { Metadata, ResourceType } from '@hnotif/core/resources';
import type { KubeClient } from './client.ts';
import type { Changes } from './store.ts';

/** Called by a reflector, synchronously and one call at a time. Exceptions are reported and do not affect other calls. */
export interface ReflectorHandler<T> extends Changes<T> {
  /** The first list is complete. Called once. */
  synced?(): void;
  /** Takes each object of the first list, whole also with `metadataOnly`, when that is complete. When it throws, the object is logged. */
  readonly first?: (raw: unknown) => void;
}

/** Why a watch was opened again: the server's time-out, our watchdog, an expired version, or an error. */
export type RestartReason = 'ended' | 'idle' | 'expired' | 'error';

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
  readonly clock: Clock;
  readonly log: Logger;
  readonly hooks?: ReflectorHooks;
  /** Called before each list. When it rejects, nothing is listed, and it is called again after a wait. */
  readonly before?: (signal: AbortSignal) => Promise<void>;
  /**
   * Reports the objects of the first list as they come, not when the list is complete. Default false: a reader that acts on missing objects
   * needs the whole list.
   */
  readonly isEager?: boolean;
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
