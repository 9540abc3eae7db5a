import { jsonOf } from './encode.ts';
import type { Change, HistoryBounds } from './history.ts';
import { History } from './history.ts';
import { freeze } from './json.ts';
import type { KubeObject } from './object.ts';
import { keyOfObject } from './resource.ts';

export type Listener = (change: Change) => void;

/** By how much the version rises with a restore. */
const BUMP = 1_000_000;

/**
 * All objects, in one table for each resource, with one resourceVersion that increases with every write. Objects are frozen, so a reader
 * keeps its state.
 */
export class Store {
  readonly history: History;
  #tables = new Map<string, Map<string, KubeObject>>();
  /** The keys of a table in order, until a key is added or removed. */
  readonly #order = new Map<string, readonly string[]>();
  readonly #listeners: Listener[] = [];
  #version = 1;
  #objects = 0;

  constructor(bounds?: HistoryBounds) {
    this.history = new History(bounds);
  }

  get version(): number {
    return this.#version;
  }

  get objects(): number {
    return this.#objects;
  }

  /** Called after every write, in order. */
  subscribe(listener: Listener): void {
    this.#listeners.push(listener);
  }

  get(resource: string, key: string): KubeObject | undefined {
    return this.#tables.get(resource)?.get(key);
  }

  /** The keys of a resource in their order. */
  keys(resource: string): readonly string[] {
    const known = this.#order.get(resource);
    if (known) return known;
    const keys = [...(this.#tables.get(resource)?.keys() ?? [])].sort();
    this.#order.set(resource, keys);
    return keys;
  }

  /** The objects of a resource, of one namespace where given, in the order of their keys. */
  *each(resource: string, namespace?: string): Generator<KubeObject> {
    const prefix = namespace === undefined ? '' : `${namespace}/`;
    for (const key of this.keys(resource)) {
      if (!key.startsWith(prefix)) continue;
      const object = this.get(resource, key);
      if (object) yield object;
    }
  }

  /** The tables that are not empty. */
  resources(): string[] {
    return [...this.#tables.keys()];
  }

  /** Stores `object` under its name with a new resourceVersion, which it sets in place. */
  put(resource: string, object: KubeObject): KubeObject {
    const key = keyOfObject(object);
    let table = this.#tables.get(resource);
    if (!table) this.#tables.set(resource, (table = new Map<string, KubeObject>()));
    const previous = table.get(key);
    const version = ++this.#version;
    object.metadata.resourceVersion = String(version);
    table.set(key, freeze(object));
    if (!previous) this.#grown(resource, 1);
    this.#changed({ version, resource, key, type: previous ? 'MODIFIED' : 'ADDED', object, previous });
    return object;
  }

  remove(resource: string, key: string): void {
    const table = this.#tables.get(resource);
    const previous = table?.get(key);
    if (!table || !previous) return;
    const version = ++this.#version;
    table.delete(key);
    if (table.size === 0) this.#tables.delete(resource);
    this.#grown(resource, -1);
    const object = withVersion(previous, version);
    this.#changed({ version, resource, key, type: 'DELETED', object, previous });
  }

  /**
   * Keeps the present objects. The function restores them, as Kubernetes recommends for etcd (`--bump-revision --mark-compacted`): the
   * objects have the versions that they had, new ones are higher than any before, and the history is lost.
   */
  backup(): () => void {
    const tables = copyOf(this.#tables);
    const objects = this.#objects;
    return () => {
      this.#tables = copyOf(tables);
      this.#order.clear();
      this.#objects = objects;
      this.#version += BUMP;
      this.history.compact(this.#version);
    };
  }

  #grown(resource: string, by: number): void {
    this.#objects += by;
    this.#order.delete(resource);
  }

  #changed(change: Omit<Change, 'bytes'>): void {
    const complete = { ...change, bytes: jsonOf(change.object).length };
    this.history.push(complete);
    for (const listener of this.#listeners) listener(complete);
  }
}

const copyOf = <T>(tables: ReadonlyMap<string, ReadonlyMap<string, T>>): Map<string, Map<string, T>> =>
  new Map([...tables].map(([resource, table]) => [resource, new Map(table)]));

/** The same object with the version of a later change. Shares everything except its metadata. */
export const withVersion = (object: KubeObject, version: number): KubeObject =>
  freeze({ ...object, metadata: { ...object.metadata, resourceVersion: String(version) } });
