import type { Cluster } from './cluster.ts';
import type { WriteOptions, Written } from './create.ts';
import { create } from './create.ts';
import { decode, judgeFields } from './decode.ts';
import type { Json } from './json.ts';
import { dig, isObject, textAt } from './json.ts';
import {
  CONTROLLERS,
  entriesBefore,
  entriesOf,
  keepTimes,
  recordUpdate,
  setEntries,
  writerOf,
} from './managed.ts';
import { keepServerFields, validateMetadata } from './metadata.ts';
import type { KubeObject } from './object.ts';
import { finalizersOf } from './object.ts';
import type { Resource } from './resource.ts';
import { groupVersion, keyOf, keyOfObject } from './resource.ts';
import type { Cause } from './schema/cause.ts';
import { immutable, invalid as invalidField } from './schema/cause.ts';
import { copyJson, equalJson } from './schema/json-values.ts';
import { badRequest, conflict, invalid, notFound, staleObject } from './status.ts';

/** The object, its resource, and the half of it (object or status). */
export interface Target {
  readonly resource: Resource;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly status: boolean;
}

/**
 * PUT: replaces an object, or its status. Creates it if the kind allows that.
 *
 * @throws ApiError 400, 404, 409 or 422
 */
export function update(cluster: Cluster, target: Target, body: Json, options: WriteOptions): Written {
  const { resource, namespace, name } = target;
  const old = cluster.store.get(resource.id, keyOf(namespace, name));
  if (old) {
    checkUid(target, body, old);
    return replace(cluster, target, old, body, options);
  }
  if (!resource.strategy.createOnUpdate || target.status) throw notFound(resource, name);
  if (textAt(body, 'metadata', 'name') !== name) throw otherName(textAt(body, 'metadata', 'name'), name);
  checkUid(target, body, undefined);
  // A version is ignored if the object does not exist.
  const metadata = dig(body, 'metadata');
  if (isObject(metadata)) delete metadata.resourceVersion;
  return create(cluster, resource, namespace, body, options);
}

/**
 * PATCH: replaces an object by the result of `apply`.
 *
 * @throws ApiError 400, 404, 409 or 422
 */
export function patch(
  cluster: Cluster,
  target: Target,
  apply: (old: KubeObject) => Json,
  options: WriteOptions,
): Written {
  const { resource, namespace, name } = target;
  const old = cluster.store.get(resource.id, keyOf(namespace, name));
  if (!old) throw notFound(resource, name);
  const apiVersion = groupVersion(resource.group, resource.version);
  const patched = apply({ ...old, apiVersion });
  // The unchanged parts are shared with the old object, which must not change.
  return replace(cluster, target, old, copyJson(patched), options);
}

export const otherName = (found: string, wanted: string): Error =>
  badRequest(`the name of the object (${found}) does not match the name on the URL (${wanted})`);

/** Replaces the object, or its status, by a complete one. */
export function replace(
  cluster: Cluster,
  target: Target,
  old: KubeObject,
  body: Json,
  options: WriteOptions,
): Written {
  const { resource } = target;
  const given = target.status ? undefined : dig(body, 'metadata', 'managedFields');
  const decoded = decode(resource, body);
  const warnings = judgeFields(resource, options.fieldValidation, decoded.unknown, options.duplicates);
  checkIdentity(target, decoded.object, old);
  const object = halfOf(target, decoded.object, old);
  const uid = textAt(object.metadata, 'uid');
  keepServerFields(object.metadata, old.metadata);
  resource.strategy.prepareUpdate(object, old);
  record(cluster, target, object, old, given, options);
  const causes = [
    ...(uid === '' || uid === old.metadata.uid ? [] : [immutable('metadata.uid', uid)]),
    ...validateMetadata(object, old, resource.strategy.checkName),
    ...resource.strategy.validate(object, old).map(target.status && resource.custom ? ofStatus : asItIs),
  ];
  if (causes.length > 0) throw invalid(resource, old.metadata.name, causes);
  const stored = options.dryRun ? asIfStored(object, old) : settle(cluster, resource, object, old);
  return { object: stored, created: false, warnings };
}

function record(
  { now }: Cluster,
  target: Target,
  object: KubeObject,
  old: KubeObject,
  given: Json | undefined,
  { applied, manager }: WriteOptions,
): void {
  Reflect.deleteProperty(object.metadata, 'managedFields');
  if (applied) {
    setEntries(object, applied);
    keepTimes(object, old);
    return;
  }
  recordUpdate(target, object, old, entriesBefore(old, given), writerOf(target, 'Update', manager, now()));
}

const asItIs = (cause: Cause): Cause => cause;

/** A status is validated by its own schema. Its messages name fields from there: `matched in body …` of `status.matched`. */
const ofStatus = ({ field, message, ...cause }: Cause): Cause => ({
  ...{ ...cause, field },
  message: message.replace(`${field} in body`, `${field.replace(/^status\.?/, '')} in body`),
});

function asIfStored(object: KubeObject, old: KubeObject): KubeObject {
  object.metadata.resourceVersion = old.metadata.resourceVersion;
  return object;
}

/** The uid of a PUT is a precondition, also without an object. The uid of a patch is an immutable field. */
export function checkUid({ resource, name }: Target, body: Json, old: KubeObject | undefined): void {
  const uid = textAt(body, 'metadata', 'uid');
  const present = old?.metadata.uid ?? '';
  if (uid !== '' && uid !== present)
    throw conflict(
      resource,
      name,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${present}`,
    );
}

/** The optimistic lock, and the other preconditions. */
function checkIdentity(target: Target, object: KubeObject, old: KubeObject): void {
  const { resource, namespace, name } = target;
  const { metadata } = object;
  if (textAt(metadata, 'name') !== name) throw otherName(textAt(metadata, 'name'), name);
  if (namespace !== undefined && (metadata.namespace ?? namespace) !== namespace)
    throw badRequest(
      `the namespace of the object (${metadata.namespace}) does not match the namespace on the request (${namespace})`,
    );
  const version = textAt(metadata, 'resourceVersion');
  // This message names the resource; all others name the kind.
  if (version === '' && !resource.strategy.unconditionalUpdate)
    throw invalid({ ...resource, kind: resource.plural }, name, [
      invalidField('metadata.resourceVersion', 0, 'must be specified for an update'),
    ]);
  if (version !== '' && version !== old.metadata.resourceVersion) throw staleObject(resource, name);
}

/** The half of the new object that the URL names, and the other half of the old one. */
function halfOf(target: Target, object: KubeObject, old: KubeObject): KubeObject {
  const { resource, status } = target;
  if (status) {
    const half: KubeObject = { ...old, metadata: { ...old.metadata } };
    if (object.status === undefined) Reflect.deleteProperty(half, 'status');
    else half.status = object.status;
    // The strategies may change their argument.
    return copyJson(half) as KubeObject;
  }
  if (old.metadata.namespace !== undefined) object.metadata.namespace = old.metadata.namespace;
  if (!resource.statusSubresource) return object;
  if (old.status === undefined) Reflect.deleteProperty(object, 'status');
  else object.status = copyJson(old.status);
  return object;
}

/** Whether something still prevents the removal of an object that is being deleted. */
export const isHeld = (resource: Resource, object: KubeObject): boolean =>
  finalizersOf(object).length > 0 || (resource.strategy.held?.(object) ?? false);

/**
 * Stores a changed object. Removes it instead, if it is being deleted and nothing prevents that. Does nothing without a change, so
 * watchers get no event.
 */
export function settle(
  cluster: Cluster,
  resource: Resource,
  object: KubeObject,
  old: KubeObject,
): KubeObject {
  object.metadata.resourceVersion = old.metadata.resourceVersion;
  if (object.metadata.deletionTimestamp && !isHeld(resource, object)) {
    cluster.store.remove(resource.id, keyOfObject(old));
    return object;
  }
  return equalJson(object, old) ? old : cluster.store.put(resource.id, object);
}

/** A change by the server itself, without validation. */
export function amend(
  cluster: Cluster,
  resource: Resource,
  old: KubeObject,
  change: (object: KubeObject) => void,
): void {
  const object = copyJson(old) as KubeObject;
  change(object);
  const half = { resource, status: false };
  recordUpdate(half, object, old, entriesOf(old), writerOf(half, 'Update', CONTROLLERS, cluster.now()));
  settle(cluster, resource, object, old);
}
