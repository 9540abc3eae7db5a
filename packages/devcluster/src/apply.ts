import type { Applied, Conflict } from './apply/ownership.ts';
import { afterApply, afterUpdate } from './apply/ownership.ts';
import type { FieldSet } from './apply/field-set.ts';
import { difference, pathsOf } from './apply/field-set.ts';
import type { Entry } from './apply/managers.ts';
import { nameOf } from './apply/managers.ts';
import type { Cluster } from './cluster.ts';
import type { WriteOptions, Written } from './create.ts';
import { create } from './create.ts';
import type { Json, JsonObject } from './json.ts';
import { dig, isObject, textAt } from './json.ts';
import { KUBECTL, unchangedSince, updateAnnotation } from './last-applied.ts';
import { entriesOf, ownedHalf, writerOf } from './managed.ts';
import type { KubeObject } from './object.ts';
import { PatchError } from './patch/error.ts';
import { groupVersion, keyOf } from './resource.ts';
import { copyJson } from './schema/json-values.ts';
import { ApiError, badRequest, notFound } from './status.ts';
import type { Target } from './update.ts';
import { checkUid, otherName, replace } from './update.ts';

/**
 * PATCH by server-side apply: creates the object, or merges what the manager wants into it.
 *
 * @param body changed in place
 * @param force whether the manager takes fields from others
 * @throws ApiError 400, 404, 409 or 422; 500 as on a real server for an unknown field
 */
export function apply(
  cluster: Cluster,
  target: Target,
  body: Json,
  options: WriteOptions,
  force: boolean,
): Written {
  const { resource, namespace, name } = target;
  const old = cluster.store.get(resource.id, keyOf(namespace, name));
  if (!old && target.status) throw notFound(resource, name);
  checkUid(target, body, old);
  const configuration = ownedHalf(target, configurationOf(target, body));
  const writer = writerOf(target, 'Apply', options.manager, cluster.now());
  const before = old ? managersOf(target, old) : [];
  const applied = attempt(() =>
    afterApply(
      before,
      old ? withoutManagers(target, old) : {},
      configuration,
      writer,
      resource.strategy.shape,
    ),
  );
  const isKubectl = options.manager === KUBECTL && old !== undefined;
  const allowed = isKubectl ? unchangedSince(old, resource.strategy.shape) : undefined;
  if (!force) checkConflicts(applied.conflicts, allowed);
  const object = copyJson(applied.object) as JsonObject;
  if (isKubectl) updateAnnotation(object, configuration);
  if (old) return replace(cluster, target, old, object, { ...options, applied: applied.entries });
  const metadata = dig(object, 'metadata');
  // A version is ignored if the object does not exist.
  if (isObject(metadata)) Reflect.deleteProperty(metadata, 'resourceVersion');
  return create(cluster, resource, namespace, object, { ...options, applied: applied.entries });
}

/** The body as an object with its name. */
function configurationOf({ resource, namespace, name }: Target, body: Json): JsonObject {
  if (!isObject(body)) throw badRequest('error decoding YAML: the body must be an object');
  const { metadata = {} } = body;
  const [apiVersion, kind] = [textAt(body, 'apiVersion'), textAt(body, 'kind')];
  if (apiVersion !== groupVersion(resource.group, resource.version) || kind !== resource.kind)
    throw badRequest(
      `invalid object type: ${apiVersion.includes('/') ? '' : '/'}${apiVersion}, Kind=${kind}`,
    );
  if (!isObject(metadata)) throw badRequest('error decoding YAML: metadata must be an object');
  if ((dig(metadata, 'managedFields') ?? null) !== null)
    throw badRequest('metadata.managedFields must be nil');
  if ((textAt(metadata, 'name') || name) !== name) throw otherName(textAt(metadata, 'name'), name);
  const unknown = resource.strategy.prune(copyJson(body) as JsonObject);
  if (unknown.length > 0) throw notDeclared({ resource, namespace, name }, unknown);
  return { ...body, metadata: { ...metadata, name } };
}

function notDeclared({ resource, namespace = '', name }: Omit<Target, 'status'>, unknown: string[]): Error {
  const { group, version, kind } = resource;
  const problems = unknown.map((path) => `.${path}: field not declared in schema`);
  const list = problems.length === 1 ? problems.join('') : `errors:\n  ${problems.join('\n  ')}`;
  const what = `${namespace}/${name}; ${group}/${version}, Kind=${kind}`;
  return new ApiError(500, '', `failed to create typed patch object (${what}): ${list}`);
}

/** The managers of the object. If it has none, all its fields belong to who wrote it before it was first applied. */
function managersOf(target: Target, old: KubeObject): Entry[] {
  const entries = entriesOf(old);
  if (entries.length > 0) return entries;
  const before = { ...writerOf(target, 'Update', 'before-first-apply', 0), time: '' };
  const live = ownedHalf(target, withoutManagers(target, old));
  return afterUpdate([], {}, live, before, target.resource.strategy.shape);
}

function withoutManagers({ resource }: Target, object: KubeObject): JsonObject {
  const { managedFields: _managers, ...metadata } = object.metadata;
  return { ...object, apiVersion: groupVersion(resource.group, resource.version), metadata };
}

function attempt(action: () => Applied): Applied {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    throw new ApiError(500, '', `failed to create typed patch object: ${error.message}`);
  }
}

/** @throws ApiError 409, in the words of a real server */
function checkConflicts(conflicts: readonly Conflict[], allowed: FieldSet): void {
  const named = conflicts
    .map(({ manager, fields }) => ({ name: nameOf(manager), paths: pathsOf(difference(fields, allowed)) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const causes = named.flatMap(({ name, paths }) =>
    paths.map((field) => ({ reason: 'FieldManagerConflict', message: `conflict with ${name}`, field })),
  );
  const [first] = causes;
  if (first === undefined) return;
  const all = named
    .filter(({ paths }) => paths.length > 0)
    .flatMap(({ name, paths }) => [`conflicts with ${name}:`, ...paths.map((path) => `- ${path}`)]);
  const message =
    causes.length === 1
      ? `Apply failed with 1 conflict: ${first.message}: ${first.field}`
      : `Apply failed with ${causes.length} conflicts: ${all.join('\n')}`;
  throw new ApiError(409, 'Conflict', message, { causes });
}
