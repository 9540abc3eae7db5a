import { createHash } from 'node:crypto';

import type { Texts } from './descriptions.ts';
import { DESCRIPTIONS } from './descriptions.ts';
import type { Json, JsonObject } from './json.ts';
import { entriesAt, isObject, listAt, textAt } from './json.ts';
import { patchTypes } from './patch-body.ts';
import type { Registry } from './registry.ts';
import type { Resource } from './resource.ts';
import { groupVersion } from './resource.ts';
import { objectMetaSchema } from './schema/object-meta.ts';
import { notAcceptable } from './status.ts';

const ROOT = '/openapi/v3';
const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

/**
 * A page below `/openapi/v3` as JSON: the index, or the document of a group and version. Undefined for others.
 *
 * @throws ApiError 406 if JSON is not accepted
 */
export function openApiPage(registry: Registry, path: string, accept: string): string | undefined {
  if (path !== ROOT && !path.startsWith(`${ROOT}/`)) return undefined;
  // kubectl asks for JSON.
  if (accept !== '' && !/\*\/\*|application\/(\*|json)/.test(accept))
    throw notAcceptable(['application/json']);
  const places = new Map([...registry.all()].map((each) => [placeOf(each), each]));
  if (path !== ROOT) {
    const first = places.get(path.slice(ROOT.length + 1));
    return first && JSON.stringify(documentOf(registry, first));
  }
  const paths = [...places].map(([place, first]) => {
    // Clients keep a document as long as its address is the same.
    const hash = createHash('sha512')
      .update(JSON.stringify(documentOf(registry, first)))
      .digest('hex');
    return [place, { serverRelativeURL: `${ROOT}/${place}?hash=${hash.toUpperCase()}` }] as const;
  });
  return JSON.stringify({ paths: Object.fromEntries(paths) });
}

/** `api/v1`, `apis/GROUP/VERSION`. */
const placeOf = ({ group, version }: Resource): string =>
  `${group === '' ? 'api' : 'apis'}/${groupVersion(group, version)}`;

/** All resources in the group and version of one. */
function documentOf(registry: Registry, { group, version }: Resource): JsonObject {
  const resources = [...registry.all()].filter((each) => each.group === group && each.version === version);
  const schemas = resources.map((resource) => [nameOf(resource), schemaOf(resource)] as const);
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'devcluster' },
    paths: Object.fromEntries(resources.flatMap(pathsOf)),
    components: { schemas: { ...Object.fromEntries(schemas), [META]: withMergeKeys(objectMetaSchema) } },
  };
}

function nameOf({ group, version, kind, custom }: Resource): string {
  const [first = ''] = group.split('.');
  const prefix = custom ? group.split('.').toReversed().join('.') : `io.k8s.api.${first || 'core'}`;
  return `${prefix}.${version}.${kind}`;
}

const gvkOf = ({ group, version, kind }: Resource): JsonObject => ({ group, version, kind });

function schemaOf(resource: Resource): JsonObject {
  const { custom, kind, strategy } = resource;
  const texts: Texts = DESCRIPTIONS.get(kind) ?? new Map();
  const description = texts.get('');
  const schema = custom ? strategy.schema : withMergeKeys(described(strategy.schema, texts, ''));
  const fields: JsonObject = {
    apiVersion: { type: 'string', description: 'Group and version of the object.' },
    kind: { type: 'string', description: 'Kind of the object.' },
    metadata: {
      allOf: [{ $ref: `#/components/schemas/${META}` }],
      description: 'Name, labels and other metadata.',
    },
  };
  return {
    ...{ ...schema, ...(description && { description }) },
    properties: { ...(isObject(schema.properties) && schema.properties), ...fields },
    'x-kubernetes-group-version-kind': [gvkOf(resource)],
  };
}

/** The schema with the texts of its fields: `spec.holderIdentity`. The fields of a list's items have the path of the list. */
function described(schema: JsonObject, texts: Texts, at: string): JsonObject {
  const properties = entriesAt(schema, 'properties').map(([name, property]): [string, Json] => {
    const path = at === '' ? name : `${at}.${name}`;
    const description = texts.get(path);
    return [name, { ...described(property as JsonObject, texts, path), ...(description && { description }) }];
  });
  const { items } = schema;
  return {
    ...schema,
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(isObject(items) && { items: described(items, texts, at) }),
  };
}

/** The schema of a built-in kind with the keywords by which kubectl computes strategic merge patches. */
function withMergeKeys(schema: JsonObject): JsonObject {
  const properties = entriesAt(schema, 'properties').map(([name, property]): [string, Json] => [
    name,
    withMergeKeys(property as JsonObject),
  ]);
  const merges = ['map', 'set'].includes(textAt(schema, 'x-kubernetes-list-type'));
  const [key] = listAt(schema, 'x-kubernetes-list-map-keys');
  return {
    ...schema,
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(merges && { 'x-kubernetes-patch-strategy': 'merge' }),
    ...(key !== undefined && { 'x-kubernetes-patch-merge-key': key }),
  };
}

const WRITE_PARAMETERS = ['dryRun', 'fieldManager', 'fieldValidation'];

/** The operations of a resource. kubectl reads in them which parameters and patches the server takes. */
function pathsOf(resource: Resource): [string, JsonObject][] {
  const { namespaced, plural } = resource;
  const collection = `/${placeOf(resource)}${namespaced ? '/namespaces/{namespace}' : ''}/${plural}`;
  const create = operation(resource, 'post', WRITE_PARAMETERS, ['application/json']);
  if (resource.review) return [[collection, { post: create }]];
  const one = {
    get: operation(resource, 'get', ['resourceVersion']),
    put: operation(resource, 'put', WRITE_PARAMETERS, ['application/json']),
    patch: operation(resource, 'patch', [...WRITE_PARAMETERS, 'force'], patchTypes(resource)),
    delete: operation(resource, 'delete', ['dryRun', 'gracePeriodSeconds', 'propagationPolicy']),
  };
  return [
    [
      collection,
      { get: operation(resource, 'list', ['labelSelector', 'fieldSelector', 'limit']), post: create },
    ],
    [`${collection}/{name}`, one],
  ];
}

function operation(
  resource: Resource,
  action: string,
  parameters: readonly string[],
  bodies: readonly string[] = [],
): JsonObject {
  const content = Object.fromEntries(bodies.map((type) => [type, { schema: { type: 'object' } }]));
  return {
    ...{ 'x-kubernetes-action': action, 'x-kubernetes-group-version-kind': gvkOf(resource) },
    parameters: parameters.map((name) => ({ name, in: 'query', schema: { type: 'string' } })),
    ...(bodies.length > 0 && { requestBody: { required: true, content } }),
    responses: { 200: { description: 'OK' } },
  };
}
