import { readFlag } from './list.ts';
import type { Route } from './route.ts';
import { onlyValue } from './selectors.ts';

/** The attributes of a request, by which faults are selected and rights are granted. */
export interface RequestInfo {
  /** A `Verb`. For pages: the method in lower case. */
  readonly verb: string;
  /** `''` is the core group. */
  readonly group: string;
  readonly version: string;
  /** The plural, without a subresource; undefined for paths that are not resources. */
  readonly resource: string | undefined;
  /** `''`: the object itself. */
  readonly subresource: string;
  /** Undefined for cluster-wide resources and for all namespaces. A namespace belongs to itself. */
  readonly namespace: string | undefined;
  /** Undefined for collections, unless a field selector selects one name. */
  readonly name: string | undefined;
  readonly path: string;
}

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

const WRITES: Readonly<Record<string, Verb>> = { POST: 'create', PUT: 'update', PATCH: 'patch' };

/** Like `RequestInfoFactory` of k8s.io/apiserver. */
export function requestInfoOf(
  route: Route | undefined,
  method: string,
  path: string,
  query: URLSearchParams,
): RequestInfo {
  const page = { group: '', version: '', resource: undefined, subresource: '', path };
  if (route?.kind !== 'resource')
    return { ...page, verb: method.toLowerCase(), namespace: undefined, name: undefined };
  const { group, version, plural, subresource, namespace, name } = route;
  const whole = name === undefined;
  const watch = readFlag(query, 'watch');
  return {
    verb: verbOf(method, !whole, watch),
    group,
    version,
    resource: plural,
    subresource,
    namespace: group === '' && plural === 'namespaces' ? name : namespace,
    name: name ?? onlyValue(query.get('fieldSelector') ?? '', 'metadata.name'),
    path,
  };
}

function verbOf(method: string, one: boolean, watch: boolean): Verb {
  const write = WRITES[method];
  if (write) return write;
  if (method === 'DELETE') return one ? 'delete' : 'deletecollection';
  if (watch) return 'watch';
  return one ? 'get' : 'list';
}
