import type { Cluster } from './cluster.ts';
import type { Json } from './json.ts';
import { dig, isObject, listAt, textAt } from './json.ts';
import type { KubeObject } from './object.ts';
import { finalizersOf, timestamp } from './object.ts';
import type { Resource } from './resource.ts';
import { keyOfObject } from './resource.ts';
import type { Cause } from './schema/cause.ts';
import { invalid as invalidField, notSupported } from './schema/cause.ts';
import { copyJson } from './schema/json-values.ts';
import { badRequest, conflict, invalid } from './status.ts';
import { isHeld, settle } from './update.ts';

export type Propagation = 'Foreground' | 'Background' | 'Orphan';

/** `metav1.DeleteOptions`. */
export interface DeleteOptions {
  readonly propagation: Propagation | undefined;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly dryRun: boolean;
}

export const IN_BACKGROUND: DeleteOptions = {
  propagation: 'Background',
  uid: '',
  resourceVersion: '',
  dryRun: false,
};

/** The finalizers that tell the garbage collector how to treat the dependents. */
export const ORPHAN = 'orphan';
export const FOREGROUND = 'foregroundDeletion';

const POLICIES: readonly string[] = ['Foreground', 'Background', 'Orphan'];

/**
 * Reads the options of a deletion from the body, or from the query without a body.
 *
 * @throws ApiError 400 or 422
 */
export function readDeleteOptions(body: Json | undefined, query: URLSearchParams): DeleteOptions {
  if (body !== undefined && body !== null && !isObject(body))
    throw badRequest('the body of a DELETE request must be DeleteOptions');
  const causes: Cause[] = [];
  const dryRun = [...listAt(body, 'dryRun'), ...query.getAll('dryRun')];
  for (const value of dryRun) if (value !== 'All') causes.push(notSupported('dryRun', value, ['All']));
  const policy = textAt(body, 'propagationPolicy') || (query.get('propagationPolicy') ?? '');
  if (policy !== '' && !POLICIES.includes(policy))
    causes.push(notSupported('propagationPolicy', policy, [...POLICIES, 'nil']));
  const orphan = dig(body, 'orphanDependents') ?? orphanOf(query);
  if (policy !== '' && typeof orphan === 'boolean')
    causes.push(
      invalidField(
        'propagationPolicy',
        policy,
        'orphanDependents and deletionPropagation cannot be both set',
      ),
    );
  if (causes.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', causes);
  const old = orphan === true ? 'Orphan' : orphan === false ? 'Background' : undefined;
  return {
    propagation: policy === '' ? old : (policy as Propagation),
    uid: textAt(body, 'preconditions', 'uid'),
    resourceVersion: textAt(body, 'preconditions', 'resourceVersion'),
    dryRun: dryRun.length > 0,
  };
}

function orphanOf(query: URLSearchParams): boolean | undefined {
  const text = query.get('orphanDependents');
  return text === null || text === '' ? undefined : text === 'true' || text === '1';
}

/** The result of a deletion: the object is removed, or waits for its finalizers. */
export interface Deleted {
  readonly object: KubeObject;
  readonly gone: boolean;
}

/**
 * Deletes an object, or marks it as being deleted if it has finalizers.
 *
 * @throws ApiError 403 or 409
 */
export function remove(
  cluster: Cluster,
  resource: Resource,
  old: KubeObject,
  options: DeleteOptions,
): Deleted {
  checkPreconditions(resource, old, options);
  const object = copyJson(old) as KubeObject;
  const { metadata } = object;
  const finalizers = finalizersFor(old, options.propagation);
  if (finalizers.length > 0) metadata.finalizers = finalizers;
  else Reflect.deleteProperty(metadata, 'finalizers');
  if (!metadata.deletionTimestamp && isHeld(resource, object)) {
    metadata.deletionTimestamp = timestamp(cluster.now());
    metadata.deletionGracePeriodSeconds = 0;
    if (metadata.generation !== undefined) metadata.generation += 1;
    resource.strategy.prepareDelete?.(object);
  }
  const gone = !isHeld(resource, object);
  if (options.dryRun) return { object: gone ? old : object, gone };
  if (!gone) return { object: settle(cluster, resource, object, old), gone };
  cluster.store.remove(resource.id, keyOfObject(old));
  return { object: old, gone };
}

function checkPreconditions(resource: Resource, old: KubeObject, options: DeleteOptions): void {
  const { name, uid, resourceVersion } = old.metadata;
  // This message names the kind; all other conflicts name the resource.
  const kind = { ...resource, plural: resource.kind };
  if (options.uid !== '' && options.uid !== uid)
    throw conflict(
      kind,
      name,
      `the UID in the precondition (${options.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
    );
  if (options.resourceVersion !== '' && options.resourceVersion !== resourceVersion)
    throw conflict(
      kind,
      name,
      `the ResourceVersion in the precondition (${options.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`,
    );
}

/** The requested policy replaces that of an earlier deletion. */
function finalizersFor(object: KubeObject, propagation: Propagation | undefined): string[] {
  const present = finalizersOf(object);
  if (propagation === undefined) return present;
  const others = present.filter((name) => name !== ORPHAN && name !== FOREGROUND);
  if (propagation === 'Orphan') return [...others, ORPHAN];
  return propagation === 'Foreground' ? [...others, FOREGROUND] : others;
}
