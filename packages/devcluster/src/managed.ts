import type { Entry, Writer } from './apply/managers.ts';
import { readEntries, writeEntries } from './apply/managers.ts';
import { afterUpdate } from './apply/ownership.ts';
import type { Json, JsonObject } from './json.ts';
import { isObject } from './json.ts';
import type { KubeObject } from './object.ts';
import { timestamp } from './object.ts';
import type { Resource } from './resource.ts';
import { groupVersion } from './resource.ts';
import { equalJson } from './schema/json-values.ts';

/** The manager of what the server itself writes, as on a real server. */
export const SERVER = 'kube-apiserver';

/** The manager of what its controllers write. */
export const CONTROLLERS = 'kube-controller-manager';

/** The part of a write that decides who owns its fields. */
export interface Half {
  readonly resource: Resource;
  /** Whether the write is of the status alone. */
  readonly status: boolean;
}

export const writerOf = (
  { resource, status }: Half,
  operation: Writer['operation'],
  manager: string,
  now: number,
): Writer => ({
  ...{ manager, operation, subresource: status ? 'status' : '', time: timestamp(now) },
  apiVersion: groupVersion(resource.group, resource.version),
});

/** The managers of a stored object. */
export const entriesOf = (object: KubeObject | undefined): Entry[] =>
  readEntries(object?.metadata.managedFields) ?? [];

/**
 * The managers of an object before a write. A client can set them (`kubectl` does when it changes to server-side apply), and remove them by
 * `[{}]`. A list that is empty, invalid or absent changes nothing.
 */
export function entriesBefore(old: KubeObject, given: Json | undefined): Entry[] {
  const live = entriesOf(old);
  if (given === undefined || equalJson(given, old.metadata.managedFields ?? null)) return live;
  if (equalJson(given, [{}])) return [];
  const entries = readEntries(given) ?? [];
  return entries.length === 0 ? live : entries;
}

/** Records an update. An object whose managers were removed has none until somebody applies. */
export function recordUpdate(
  half: Half,
  object: KubeObject,
  old: KubeObject | undefined,
  before: readonly Entry[],
  writer: Writer,
): void {
  const owned = (each: KubeObject): JsonObject => ownedHalf(half, each);
  if (old && before.length === 0) return;
  const { shape } = half.resource.strategy;
  setEntries(object, afterUpdate(before, old ? owned(old) : {}, owned(object), writer, shape));
}

export function setEntries(object: KubeObject, entries: readonly Entry[]): void {
  if (entries.length === 0) Reflect.deleteProperty(object.metadata, 'managedFields');
  else object.metadata.managedFields = writeEntries(entries);
}

/** The fields that such a write can change. All others are reset by the server, so the writer does not own them. */
export function ownedHalf({ resource, status }: Half, object: JsonObject): JsonObject {
  const { apiVersion = '', kind = '', metadata = {} } = object;
  if (status) {
    const identity = Object.entries(isObject(metadata) ? metadata : {}).filter(([name]) =>
      ['name', 'namespace', 'uid', 'resourceVersion'].includes(name),
    );
    const { status: value } = object;
    return {
      ...{ apiVersion, kind, metadata: Object.fromEntries(identity) },
      ...(value !== undefined && { status: value }),
    };
  }
  const reset = resource.resets ?? (resource.statusSubresource ? ['status'] : []);
  return Object.fromEntries(Object.entries(object).filter(([name]) => !reset.includes(name)));
}

/** A write that changes only the times of entries changes nothing. */
export function keepTimes(object: KubeObject, old: KubeObject): void {
  const timeless = ({ metadata, ...rest }: KubeObject): Json => ({
    ...rest,
    metadata: {
      ...metadata,
      resourceVersion: '',
      managedFields: entriesOf({ metadata, ...rest }).map((entry) => ({ ...entry, time: '' })),
    },
  });
  const kept = old.metadata.managedFields;
  if (kept !== undefined && equalJson(timeless(object), timeless(old))) object.metadata.managedFields = kept;
}
