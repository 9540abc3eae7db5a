import { jsonAs, jsonWithoutType } from './encode.ts';
import type { KubeObject } from './object.ts';
import type { Resource } from './resource.ts';
import { groupVersion } from './resource.ts';
import { badRequest, notAcceptable } from './status.ts';
import type { IncludeObject } from './table.ts';
import { partialJson, tableJson } from './table.ts';

export interface ListMeta {
  readonly resourceVersion: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/** The representation of objects for one client. Two forms with the same key produce the same text. */
export interface Representation {
  readonly key: string;
  one(object: KubeObject): string;
  list(objects: readonly KubeObject[], meta: ListMeta): string;
  /** The object of a BOOKMARK event. */
  bookmark(resourceVersion: string): string;
}

/**
 * Selects JSON, Table or PartialObjectMetadata by the Accept header: the first supported clause.
 *
 * @throws ApiError 406 if none is supported
 */
export function negotiate(
  accept: string,
  resource: Resource,
  query: URLSearchParams,
  now: () => number,
): Representation {
  for (const clause of accept === '' ? ['*/*'] : accept.split(',')) {
    const [type = '', ...parameters] = clause.split(';').map((part) => part.trim());
    if (!['application/json', 'application/*', '*/*'].includes(type)) continue;
    const wanted = new Map(parameters.map((part) => part.split('=') as [string, string]));
    const as = wanted.get('as');
    if (as === undefined) return asJson(resource);
    if (wanted.get('g') !== 'meta.k8s.io' || wanted.get('v') !== 'v1') continue;
    if (as === 'Table') return asTable(resource, includeObject(query), now);
    if (as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList') return asPartial;
  }
  throw notAcceptable(['application/json']);
}

function includeObject(query: URLSearchParams): IncludeObject {
  const include = query.get('includeObject') ?? 'Metadata';
  if (include === '') return 'Metadata';
  if (include !== 'None' && include !== 'Metadata' && include !== 'Object')
    throw badRequest(
      `unrecognized option for includeObject: ${include}: must be one of "None", "Metadata" or "Object"`,
    );
  return include;
}

export function asJson(resource: Resource): Representation {
  const apiVersion = groupVersion(resource.group, resource.version);
  const head = `{"kind":${JSON.stringify(resource.listKind)},"apiVersion":${JSON.stringify(apiVersion)}`;
  const item = resource.custom ? (object: KubeObject) => jsonAs(object, apiVersion) : jsonWithoutType;
  return {
    key: `json ${apiVersion}`,
    one: (object) => jsonAs(object, apiVersion),
    list: (objects, meta) =>
      `${head},"metadata":${JSON.stringify(meta)},"items":[${objects.map(item).join(',')}]}`,
    bookmark: (resourceVersion) => bookmark(apiVersion, resource.kind, resourceVersion),
  };
}

function asTable(resource: Resource, include: IncludeObject, now: () => number): Representation {
  const apiVersion = groupVersion(resource.group, resource.version);
  const table = (objects: readonly KubeObject[], metadata: object): string =>
    tableJson(resource.columns, objects, { now: now(), include, apiVersion, metadata });
  return {
    key: `table ${include} ${apiVersion}`,
    one: (object) => table([object], { resourceVersion: object.metadata.resourceVersion }),
    list: table,
    bookmark: (resourceVersion) => table([], { resourceVersion }),
  };
}

const asPartial: Representation = {
  key: 'partial',
  one: partialJson,
  list: (objects, meta) =>
    `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":${JSON.stringify(meta)},"items":[${objects.map(partialJson).join(',')}]}`,
  bookmark: (resourceVersion) => bookmark('meta.k8s.io/v1', 'PartialObjectMetadata', resourceVersion),
};

const bookmark = (apiVersion: string, kind: string, resourceVersion: string): string =>
  JSON.stringify({ kind, apiVersion, metadata: { resourceVersion, creationTimestamp: null } });
