import type { IncomingHttpHeaders } from 'node:http';

import { apply } from './apply.ts';
import { authorize } from './authorize.ts';
import type { Body } from './body.ts';
import { mediaType, parseBody } from './body.ts';
import { BUILTINS } from './builtins.ts';
import type { Cluster } from './cluster.ts';
import type { Written } from './create.ts';
import { create } from './create.ts';
import { readDeleteOptions, remove } from './delete.ts';
import { groupPage, page, versionPage } from './discovery.ts';
import type { Representation } from './representation.ts';
import { asJson, negotiate } from './representation.ts';
import { healthPage } from './health.ts';
import type { Json } from './json.ts';
import { list, readFlag, readVersion } from './list.ts';
import type { KubeObject } from './object.ts';
import { openApiPage } from './openapi.ts';
import { APPLY_PATCH, patched, readPatch } from './patch-body.ts';
import { PROTOBUF } from './protobuf.ts';
import type { Resource } from './resource.ts';
import { keyOf } from './resource.ts';
import type { Reviewer } from './review.ts';
import { review } from './review.ts';
import type { ResourceRoute } from './route.ts';
import { readRoute } from './route.ts';
import { SERVICE_ACCOUNTS } from './service-account.ts';
import { ApiError, methodNotAllowed, notFound, success, tooLargeResourceVersion } from './status.ts';
import type { Issue } from './token-request.ts';
import { requestToken } from './token-request.ts';
import type { Target } from './update.ts';
import { patch, update } from './update.ts';
import type { WatchRequest } from './watch.ts';
import { readWatch } from './watch.ts';
import { writeOptions } from './write-options.ts';

/** A request, its body read. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly reviewer: Reviewer;
  readonly issue: Issue;
}

export type Reply =
  | {
      readonly kind: 'text';
      readonly code: number;
      readonly type: string;
      readonly text: string;
      readonly warnings: readonly string[];
    }
  | { readonly kind: 'watch'; readonly watch: WatchRequest };

const JSON_TYPE = 'application/json';

const json = (code: number, text: string, warnings: readonly string[] = []): Reply => ({
  kind: 'text',
  code,
  type: JSON_TYPE,
  text,
  warnings,
});

const plain = (code: number, text: string): Reply => ({
  kind: 'text',
  code,
  type: 'text/plain; charset=utf-8',
  text,
  warnings: [],
});

/** @throws ApiError 404 within the groups of built-in kinds, as on a real server */
function noSuchPage({ path }: Call): Reply {
  if (BUILTINS.some(({ group }) => path.startsWith(group === '' ? '/api/' : `/apis/${group}/`)))
    throw new ApiError(404, 'NotFound', 'the server could not find the requested resource', {});
  return plain(404, '404 page not found\n');
}

/**
 * Answers an authorized request.
 *
 * @throws ApiError
 */
export function answer(cluster: Cluster, call: Call): Reply {
  const route = readRoute(call.path);
  switch (route?.kind) {
    case undefined:
      return noSuchPage(call);
    case 'page':
      return answerPage(cluster, call, route.path);
    case 'group':
      return found(call, groupPage(cluster.registry, route.group));
    case 'version':
      return found(call, versionPage(cluster.registry, route.group, route.version));
    case 'resource':
      return dispatch(cluster, call, route);
  }
}

const found = (call: Call, value: object | undefined): Reply =>
  value === undefined ? noSuchPage(call) : json(200, JSON.stringify(value));

function answerPage({ registry }: Cluster, call: Call, path: string): Reply {
  if (call.method !== 'GET') throw methodNotAllowed();
  const health = healthPage(path, call.query);
  if (health !== undefined) return plain(200, health);
  const schemas = openApiPage(registry, path, call.headers.accept ?? '');
  if (schemas !== undefined) return json(200, schemas);
  if (path === '/openapi/v2')
    // An empty document: kubectl then leaves validation to the server.
    return {
      kind: 'text',
      code: 200,
      type: 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
      text: '',
      warnings: [],
    };
  return found(call, page(registry, path, call.headers.host ?? ''));
}

function dispatch(cluster: Cluster, call: Call, route: ResourceRoute): Reply {
  const resource = cluster.registry.find(route.group, route.version, route.plural);
  if (!resource || (!resource.namespaced && route.namespace !== undefined)) return noSuchPage(call);
  if (resource === SERVICE_ACCOUNTS && route.subresource === 'token')
    return answerToken(cluster, call, { resource, ...route });
  if (route.subresource !== '' && (route.subresource !== 'status' || !resource.statusSubresource))
    return noSuchPage(call);
  const representation = negotiate(call.headers.accept ?? '', resource, call.query, () => cluster.now());
  if (resource.review && (route.name !== undefined || call.method !== 'POST')) throw methodNotAllowed();
  if (route.name === undefined || readFlag(call.query, 'watch'))
    return onCollection(cluster, call, route, resource, representation);
  if (resource.namespaced && route.namespace === undefined) return noSuchPage(call);
  const { name, namespace } = route;
  const target: Target = { resource, namespace, name, status: route.subresource === 'status' };
  return onObject(cluster, call, target, representation);
}

function answerToken(
  cluster: Cluster,
  call: Call,
  { resource, namespace, name = '' }: Pick<ResourceRoute, 'namespace' | 'name'> & Pick<Target, 'resource'>,
): Reply {
  if (call.method !== 'POST') throw methodNotAllowed();
  const account = existing(cluster, { resource, namespace, name, status: false });
  const body = objectBody(call, resource);
  return json(201, JSON.stringify(requestToken(account, body.json, call.issue, cluster.now())));
}

function onCollection(
  cluster: Cluster,
  call: Call,
  route: ResourceRoute,
  resource: Resource,
  representation: Representation,
): Reply {
  const { method, query } = call;
  const { namespace } = route;
  if (route.name !== undefined) {
    if (method !== 'GET') throw methodNotAllowed();
    query.set('fieldSelector', `metadata.name=${route.name}`);
  }
  switch (method) {
    case 'GET': {
      if (readFlag(query, 'watch'))
        return { kind: 'watch', watch: readWatch(resource, namespace, representation, query) };
      const { objects, meta } = list(cluster, resource, namespace, query);
      return json(200, representation.list(objects, meta));
    }
    case 'POST': {
      if (resource.review) return json(201, review(resource, objectBody(call, resource).json, call.reviewer));
      if (resource.namespaced && namespace === undefined) throw methodNotAllowed();
      const body = objectBody(call, resource);
      return wrote(
        representation,
        create(
          cluster,
          resource,
          namespace,
          body.json,
          writeOptions('CreateOptions', query, call.headers, body),
        ),
      );
    }
    case 'DELETE': {
      if (!resource.deletesCollections) throw methodNotAllowed();
      const options = readDeleteOptions(optionalBody(call), query);
      const { objects, meta } = list(cluster, resource, namespace, query);
      const deleted = objects.map((object) => remove(cluster, resource, object, options).object);
      return json(200, asJson(resource).list(deleted, meta));
    }
    default:
      throw methodNotAllowed();
  }
}

function onObject(cluster: Cluster, call: Call, target: Target, representation: Representation): Reply {
  const { resource, namespace, name } = target;
  switch (call.method) {
    case 'GET':
      return json(200, representation.one(existing(cluster, target, readVersion(call.query))));
    case 'PUT': {
      const body = objectBody(call, resource);
      return wrote(
        representation,
        update(cluster, target, body.json, writeOptions('UpdateOptions', call.query, call.headers, body)),
      );
    }
    case 'PATCH':
      return wrote(representation, onPatch(cluster, call, target));
    case 'DELETE': {
      if (target.status) throw methodNotAllowed();
      const options = readDeleteOptions(optionalBody(call), call.query);
      const { object, gone } = remove(cluster, resource, existing(cluster, target), options);
      const text = gone
        ? JSON.stringify(success(resource, name, object.metadata.uid))
        : representation.one(object);
      return json(200, text);
    }
    case 'POST':
    default:
      if (namespace !== undefined || !resource.namespaced) throw methodNotAllowed();
      return noSuchPage(call);
  }
}

function onPatch(cluster: Cluster, call: Call, target: Target): Written {
  const { resource, namespace, name } = target;
  const body = readPatch(call.body, call.headers['content-type'], resource);
  const applies = body.type === APPLY_PATCH;
  const options = writeOptions('PatchOptions', call.query, call.headers, body, applies);
  if (!applies) return patch(cluster, target, (old) => patched(body, resource, old), options);
  const { user, may } = call.reviewer;
  const subresource = target.status ? 'status' : '';
  const question = { ...resource, verb: 'create', resource: resource.plural, subresource, namespace, name };
  // An apply that creates needs the right to create, besides the right to patch.
  if (!cluster.store.get(resource.id, keyOf(namespace, name)))
    authorize(user, may, { ...question, path: '' });
  return apply(cluster, target, body.json, options, readFlag(call.query, 'force'));
}

function existing(cluster: Cluster, { resource, namespace, name }: Target, version = 0): KubeObject {
  if (version > cluster.store.version) throw tooLargeResourceVersion(version, cluster.store.version);
  const object = cluster.store.get(resource.id, keyOf(namespace, name));
  if (!object) throw notFound(resource, name);
  return object;
}

const wrote = (representation: Representation, { object, created, warnings }: Written): Reply =>
  json(created ? 201 : 200, representation.one(object), warnings);

/** An object to store: JSON, or protobuf for built-in kinds, as on a real server. */
function objectBody(call: Call, { custom }: Resource): Body {
  const accepted = custom ? [JSON_TYPE] : [JSON_TYPE, PROTOBUF];
  return parseBody(call.body, mediaType(call.headers['content-type'], accepted));
}

function optionalBody(call: Call): Json | undefined {
  if (call.body.length === 0) return undefined;
  return parseBody(call.body, mediaType(call.headers['content-type'], [JSON_TYPE, PROTOBUF])).json;
}
