import type { Json, JsonObject } from './json.ts';
import { entriesAt, isObject, textAt } from './json.ts';
import { readMetadata } from './metadata.ts';
import type { KubeObject } from './object.ts';
import type { Resource } from './resource.ts';
import { groupVersion } from './resource.ts';
import { base64Problem } from './secret.ts';
import { badRequest, cannotBeHandled, wrongApiVersion } from './status.ts';

/** The value of the query parameter `fieldValidation`. Default: `Warn`, as on a real server since 1.25. */
export type FieldValidation = 'Strict' | 'Warn' | 'Ignore';

/** A body as an object of its resource in the stored version, with the names of its unknown fields. */
export interface Decoded {
  /** A new object that may be changed. The name and the server's fields may be missing. */
  readonly object: KubeObject;
  readonly unknown: readonly string[];
}

/**
 * Reads a body as an object of `resource`.
 *
 * @param body changed in place
 * @throws ApiError 400 if it is not one
 */
export function decode(resource: Resource, body: Json): Decoded {
  if (!isObject(body))
    throw cannotBeHandled(resource, resource.kind, 'json: cannot unmarshal into an object');
  checkType(resource, body);
  const read = readMetadata(body.metadata);
  if (read.error !== undefined) throw cannotBeHandled(resource, resource.kind, read.error);
  const { apiVersion: _version, kind: _kind, metadata: _metadata, ...rest } = body;
  const object: JsonObject = {
    apiVersion: groupVersion(resource.group, resource.storageVersion),
    kind: resource.kind,
    metadata: read.metadata,
    ...rest,
  };
  const unknown = [...read.unknown, ...resource.strategy.prune(object)];
  const [cause] = resource.strategy.decode?.(object) ?? [];
  if (cause)
    throw cannotBeHandled(resource, resource.kind, `json: cannot unmarshal ${cause.field}: ${cause.message}`);
  const base64 = resource.kind === 'Secret' ? 'data' : resource.kind === 'ConfigMap' ? 'binaryData' : '';
  const problem = base64 === '' ? undefined : base64Problem(entriesAt(object, base64));
  if (problem !== undefined) throw cannotBeHandled(resource, resource.kind, problem);
  return { object: object as KubeObject, unknown };
}

/** Built-in kinds may omit their type, custom ones may not. */
function checkType(resource: Resource, body: JsonObject): void {
  const [apiVersion, kind] = [textAt(body, 'apiVersion'), textAt(body, 'kind')];
  if (kind === '' && resource.custom)
    throw badRequest(
      `the object provided is unrecognized (must be of type ${resource.kind}): Object 'Kind' is missing`,
    );
  if (kind !== '' && kind !== resource.kind)
    throw cannotBeHandled(
      resource,
      kind,
      `the kind in the data (${kind}) is not that of the resource (${resource.kind})`,
    );
  const expected = groupVersion(resource.group, resource.version);
  if (apiVersion !== expected && (apiVersion !== '' || resource.custom))
    throw wrongApiVersion(apiVersion, resource.group, resource.version);
}

/**
 * Applies `fieldValidation` to unknown and duplicate fields.
 *
 * @returns texts for `Warning` headers
 * @throws ApiError 400 if it is Strict
 */
export function judgeFields(
  resource: Resource,
  mode: FieldValidation,
  unknown: readonly string[],
  duplicate: readonly string[],
): string[] {
  if (mode === 'Ignore') return [];
  const problems = [
    ...duplicate.map((path) => `duplicate field ${JSON.stringify(path)}`),
    ...unknown.map((path) => `unknown field ${JSON.stringify(path)}`),
  ];
  if (mode === 'Warn' || problems.length === 0) return problems;
  throw cannotBeHandled(resource, resource.kind, `strict decoding error: ${problems.join(', ')}`);
}
