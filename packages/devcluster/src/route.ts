import { badRequest } from './status.ts';

/** The parts of a path. */
export type Route =
  | { readonly kind: 'page'; readonly path: string }
  | { readonly kind: 'group'; readonly group: string }
  | { readonly kind: 'version'; readonly group: string; readonly version: string }
  | ResourceRoute;

export interface ResourceRoute {
  readonly kind: 'resource';
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  /** Undefined for cluster-wide resources and for lists over all namespaces. */
  readonly namespace: string | undefined;
  /** Undefined for collections. */
  readonly name: string | undefined;
  /** `''`: the object itself. */
  readonly subresource: string;
}

/**
 * Parses a path: `/api/v1/namespaces/a/secrets/b`, `/apis/{group}/{version}/…`. All others are pages.
 *
 * @throws ApiError 400 if the escapes are invalid
 */
export function readRoute(path: string): Route | undefined {
  let parts: string[];
  try {
    parts = path
      .split('/')
      .filter((part) => part !== '')
      .map(decodeURIComponent);
  } catch {
    throw badRequest(`invalid URL escape in ${JSON.stringify(path)}`);
  }
  const [root, ...rest] = parts;
  if (root === 'api' && rest.length > 0) return inVersion('', rest);
  if (root !== 'apis' || rest.length === 0) return { kind: 'page', path };
  const [group = '', ...inGroup] = rest;
  return inGroup.length === 0 ? { kind: 'group', group } : inVersion(group, inGroup);
}

function inVersion(group: string, [version = '', ...parts]: readonly string[]): Route | undefined {
  if (parts.length === 0) return { kind: 'version', group, version };
  // Namespaces are a resource, and also contain others.
  const within = parts[0] === 'namespaces' && parts.length > 2 && !isSubresourceOfNamespace(group, parts);
  const namespace = within ? parts[1] : undefined;
  const [plural = '', name, subresource = '', ...more] = within ? parts.slice(2) : parts;
  return more.length > 0
    ? undefined
    : { kind: 'resource', group, version, plural, namespace, name, subresource };
}

const isSubresourceOfNamespace = (group: string, parts: readonly string[]): boolean =>
  group === '' && parts.length === 3 && (parts[2] === 'status' || parts[2] === 'finalize');
