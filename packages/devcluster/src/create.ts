import { randomInt, randomUUID } from 'node:crypto';

import type { Cluster } from './cluster.ts';
import { CRDS_ID } from './crds.ts';
import type { FieldValidation } from './decode.ts';
import { decode, judgeFields } from './decode.ts';
import type { Json } from './json.ts';
import { textAt } from './json.ts';
import type { Entry } from './apply/managers.ts';
import { recordUpdate, SERVER, setEntries, writerOf } from './managed.ts';
import { validateMetadata } from './metadata.ts';
import { admitToNamespace } from './namespaces.ts';
import type { KubeObject } from './object.ts';
import { timestamp } from './object.ts';
import type { Resource } from './resource.ts';
import { keyOf, resourceId } from './resource.ts';
import { alreadyExists, ApiError, badRequest, invalid, methodNotAllowed } from './status.ts';

/** The options of a write. */
export interface WriteOptions {
  readonly fieldValidation: FieldValidation;
  /** Validates, but does not store. */
  readonly dryRun: boolean;
  /** The paths of duplicate fields in the body. */
  readonly duplicates: readonly string[];
  /** The field manager. */
  readonly manager: string;
  /** The managers after a server-side apply; undefined for all other writes. */
  readonly applied?: readonly Entry[];
}

/** The options of the server's own writes. */
export const OWN_WRITE: WriteOptions = {
  ...{ fieldValidation: 'Strict', dryRun: false, duplicates: [], manager: SERVER },
};

export interface Written {
  readonly object: KubeObject;
  readonly created: boolean;
  readonly warnings: readonly string[];
}

/**
 * POST: stores a new object.
 *
 * @param namespace that of the URL; undefined for cluster-wide resources
 * @param body changed in place
 * @throws ApiError 400, 403, 404, 405, 409 or 422; 500 as on a real server for a resourceVersion
 */
export function create(
  cluster: Cluster,
  resource: Resource,
  namespace: string | undefined,
  body: Json,
  options: WriteOptions,
): Written {
  const { object, unknown } = decode(resource, body);
  const warnings = judgeFields(resource, options.fieldValidation, unknown, options.duplicates);
  placeIn(resource, object, namespace);
  refuseWhileTerminating(cluster, resource);
  if (namespace !== undefined)
    admitToNamespace(cluster, resource, namespace, textAt(object.metadata, 'name'));
  if (textAt(object.metadata, 'resourceVersion') !== '')
    throw new ApiError(500, '', 'resourceVersion should not be set on objects to be created');
  setServerFields(cluster, resource, object);
  resource.strategy.prepareCreate(object);
  const half = { resource, status: false };
  if (options.applied) setEntries(object, options.applied);
  else recordUpdate(half, object, undefined, [], writerOf(half, 'Update', options.manager, cluster.now()));
  const causes = [
    ...validateMetadata(object, undefined, resource.strategy.checkName),
    ...resource.strategy.validate(object, undefined),
  ];
  if (causes.length > 0) throw invalid(resource, textAt(object.metadata, 'name'), causes);
  if (cluster.store.get(resource.id, keyOf(namespace, object.metadata.name)))
    throw alreadyExists(resource, object.metadata.name);
  return {
    object: options.dryRun ? object : cluster.store.put(resource.id, object),
    created: true,
    warnings,
  };
}

function placeIn(resource: Resource, object: KubeObject, namespace: string | undefined): void {
  const { metadata } = object;
  if (namespace === undefined) {
    Reflect.deleteProperty(metadata, 'namespace');
    return;
  }
  if ((metadata.namespace ?? namespace) !== namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  if (resource.namespaced) metadata.namespace = namespace;
}

function refuseWhileTerminating(cluster: Cluster, resource: Resource): void {
  if (!resource.custom) return;
  const crd = cluster.store.get(CRDS_ID, resourceId(resource.group, resource.plural));
  if (crd?.metadata.deletionTimestamp)
    throw methodNotAllowed('create not allowed while custom resource definition is terminating');
}

/** Without vowels, so that no words result. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX = 5;
const MAX_GENERATED = 63;

/** Sets the server's fields of new metadata, and removes fields that clients may not set. */
function setServerFields(cluster: Cluster, resource: Resource, object: KubeObject): void {
  const { metadata } = object;
  for (const field of ['deletionTimestamp', 'deletionGracePeriodSeconds', 'generation'])
    Reflect.deleteProperty(metadata, field);
  const base = metadata.generateName;
  if (textAt(metadata, 'name') === '' && base !== undefined)
    metadata.name = freeName(cluster, resource, metadata.namespace, base);
  metadata.uid = randomUUID();
  metadata.creationTimestamp = timestamp(cluster.now());
}

function freeName(cluster: Cluster, resource: Resource, namespace: string | undefined, base: string): string {
  const stem = base.slice(0, MAX_GENERATED - SUFFIX);
  for (;;) {
    const suffix = Array.from({ length: SUFFIX }, () => ALPHABET.charAt(randomInt(ALPHABET.length)));
    const name = stem + suffix.join('');
    if (!cluster.store.get(resource.id, keyOf(namespace, name))) return name;
  }
}
