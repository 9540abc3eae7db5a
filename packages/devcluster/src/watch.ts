import type { ServerResponse } from 'node:http';

import type { Cluster } from './cluster.ts';
import type { Connections } from './connections.ts';
import type { Representation } from './representation.ts';
import type { Change } from './history.ts';
import { checkWatchOptions, readFlag, readNumber, readVersion } from './list.ts';
import type { KubeObject } from './object.ts';
import type { Resource } from './resource.ts';
import type { Matcher } from './selectors.ts';
import { matcherOf } from './selectors.ts';
import type { Status } from './status.ts';
import { tooOldResourceVersion } from './status.ts';
import { withVersion } from './store.ts';
import type { Request, Where } from './where.ts';
import { fits } from './where.ts';

/** The settings of watches. All have suitable defaults. */
export interface WatchOptions {
  /** Milliseconds between bookmarks. Default 60 000, as on a real server. */
  readonly bookmarkMs?: number;
  /** Bytes that may wait for a slow watcher before it is disconnected. Default 4 MiB. */
  readonly maxBacklog?: number;
}

/** A watch without `timeoutSeconds` ends after this time; a real server chooses between 30 and 60 minutes. */
const DEFAULT_TIMEOUT_S = 1800;
const MAX_TIMEOUT_S = 24 * 3600;

/** The options of a client: checked, but not connected yet. */
export interface WatchRequest {
  readonly resource: Resource;
  readonly namespace: string | undefined;
  readonly matches: Matcher | undefined;
  readonly representation: Representation;
  /** 0: begin with the present objects. */
  readonly version: number;
  readonly bookmarks: boolean;
  readonly timeoutSeconds: number;
}

/** @throws ApiError 400 or 422 */
export function readWatch(
  resource: Resource,
  namespace: string | undefined,
  representation: Representation,
  query: URLSearchParams,
): WatchRequest {
  checkWatchOptions(query);
  const timeout = readNumber(query, 'timeoutSeconds') || DEFAULT_TIMEOUT_S;
  return {
    resource,
    namespace,
    representation,
    matches: matcherOf(resource, query.get('labelSelector') ?? '', query.get('fieldSelector') ?? ''),
    version: readVersion(query),
    bookmarks: readFlag(query, 'allowWatchBookmarks'),
    timeoutSeconds: Math.min(timeout, MAX_TIMEOUT_S),
  };
}

type EventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

const line = (type: EventType, object: string): string => `{"type":"${type}","object":${object}}\n`;

interface Watcher extends WatchRequest {
  readonly request: Request;
  readonly response: ServerResponse;
  readonly timer: NodeJS.Timeout;
  /** The most unsent bytes. More at the start, when all present objects are written at once. */
  allowance: number;
  /** Nothing more is written, but the watch is not ended. */
  silent: boolean;
}

/** All open watches. A change is encoded once for each representation, not once for each watch. */
export class Watches {
  readonly #cluster: Cluster;
  readonly #connections: Connections;
  readonly #maxBacklog: number;
  readonly #byResource = new Map<string, Set<Watcher>>();
  readonly #ticker: NodeJS.Timeout;

  constructor(cluster: Cluster, connections: Connections, options: WatchOptions = {}) {
    this.#cluster = cluster;
    this.#connections = connections;
    this.#maxBacklog = options.maxBacklog ?? 4 * 1024 * 1024;
    this.#ticker = setInterval(() => {
      for (const watcher of this.#all()) this.#bookmark(watcher);
    }, options.bookmarkMs ?? 60_000).unref();
  }

  get count(): number {
    return [...this.#byResource.values()].reduce((sum, watchers) => sum + watchers.size, 0);
  }

  /** Answers a watch: from now on the response gets events until it ends. False if its version was removed from the history. */
  open(watch: WatchRequest, request: Request, response: ServerResponse): boolean {
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-cache, private' });
    response.flushHeaders();
    const past = this.#past(watch);
    if (past === undefined) {
      const { history } = this.#cluster.store;
      const { status } = tooOldResourceVersion(watch.version, history.compacted + 1);
      response.end(line('ERROR', JSON.stringify(status satisfies Status)));
      return false;
    }
    const timer = setTimeout(() => {
      this.#expire(watcher);
    }, watch.timeoutSeconds * 1000).unref();
    const allowance = this.#maxBacklog + past.length;
    const watcher: Watcher = { ...watch, request, response, timer, allowance, silent: false };
    const watchers = this.#byResource.get(watch.resource.id) ?? new Set();
    this.#byResource.set(watch.resource.id, watchers.add(watcher));
    response.once('close', () => {
      this.#forget(watcher);
    });
    response.on('drain', () => {
      watcher.allowance = this.#maxBacklog;
    });
    if (past !== '') this.#write(watcher, past);
    return true;
  }

  /** Sends a change to all watchers that it concerns. */
  deliver(change: Change): void {
    const watchers = this.#byResource.get(change.resource);
    if (!watchers) return;
    const texts = new Map<string, string>();
    for (const watcher of watchers) {
      if (change.version <= watcher.version) continue;
      const seen = seenBy(watcher, change);
      if (!seen) continue;
      const key = `${seen.type} ${seen.left} ${watcher.representation.key}`;
      let text = texts.get(key);
      if (text === undefined)
        texts.set(key, (text = line(seen.type, watcher.representation.one(seen.object()))));
      this.#write(watcher, text);
    }
  }

  /** Ends the watches of a resource that is no longer served, or all. */
  end(resource?: string): void {
    for (const watcher of resource === undefined ? this.#all() : [...(this.#byResource.get(resource) ?? [])])
      if (!watcher.silent) this.#end(watcher);
  }

  /** Ends matching watches like their time-out, also silent ones. Returns their number. */
  expire(where: Where): number {
    return this.#forEach(where, (watcher) => {
      this.#expire(watcher);
    });
  }

  /** Cuts the connections of matching watches. Returns their number. */
  reset(where: Where): number {
    return this.#forEach(where, (watcher) => {
      this.#forget(watcher);
      this.#connections.reset(watcher.response);
    });
  }

  /** Keeps matching watches open, but sends them nothing more. Returns their number. */
  silence(where: Where): number {
    return this.#forEach(where, (watcher) => {
      watcher.silent = true;
      clearTimeout(watcher.timer);
    });
  }

  close(): void {
    clearInterval(this.#ticker);
    this.end();
  }

  #forEach(where: Where, what: (watcher: Watcher) => void): number {
    const chosen = this.#all().filter(({ request }) => fits(where, request));
    chosen.forEach(what);
    return chosen.length;
  }

  #all(): Watcher[] {
    return [...this.#byResource.values()].flatMap((watchers) => [...watchers]);
  }

  /** The first events of a watch; undefined if they were removed from the history. */
  #past(request: WatchRequest): string | undefined {
    const { store } = this.#cluster;
    const { resource, namespace, matches, representation, version } = request;
    if (version === 0) {
      let text = '';
      for (const object of store.each(resource.id, namespace))
        if (!matches || matches(object)) text += line('ADDED', representation.one(object));
      return text;
    }
    const changes = store.history.since(version);
    if (!changes) return undefined;
    let text = '';
    for (const change of changes) {
      const seen = change.resource === resource.id ? seenBy(request, change) : undefined;
      if (seen) text += line(seen.type, representation.one(seen.object()));
    }
    return text;
  }

  #expire(watcher: Watcher): void {
    this.#bookmark(watcher);
    this.#end(watcher);
  }

  #bookmark(watcher: Watcher): void {
    if (!watcher.bookmarks) return;
    const version = Math.max(this.#cluster.store.version, watcher.version);
    this.#write(watcher, line('BOOKMARK', watcher.representation.bookmark(String(version))));
  }

  #write({ response, allowance, silent }: Watcher, text: string): void {
    if (silent) return;
    response.write(text);
    // A client that does not read must not fill the memory. It reconnects and continues from its version.
    if (response.writableLength > allowance) response.destroy();
  }

  #end(watcher: Watcher): void {
    this.#forget(watcher);
    watcher.response.end();
  }

  #forget(watcher: Watcher): void {
    clearTimeout(watcher.timer);
    const watchers = this.#byResource.get(watcher.resource.id);
    watchers?.delete(watcher);
    if (watchers?.size === 0) this.#byResource.delete(watcher.resource.id);
  }
}

interface Seen {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** Whether the object still exists, but is no longer selected. */
  readonly left: boolean;
  object(): KubeObject;
}

/** A change as seen through a watch's namespace and selectors; undefined if it is not visible. */
function seenBy(
  { namespace, matches }: Pick<WatchRequest, 'namespace' | 'matches'>,
  change: Change,
): Seen | undefined {
  const { object, previous, type } = change;
  if (namespace !== undefined && object.metadata.namespace !== namespace) return undefined;
  const before = previous !== undefined && (!matches || matches(previous));
  const now = type !== 'DELETED' && (!matches || matches(object));
  if (now) return { type: before ? 'MODIFIED' : 'ADDED', left: false, object: () => object };
  if (!before) return undefined;
  if (type === 'DELETED') return { type, left: false, object: () => object };
  return { type: 'DELETED', left: true, object: () => withVersion(previous, change.version) };
}
