import type { ListMeta } from './representation.ts';
import { dig, textAt } from './json.ts';
import type { Json } from './json.ts';
import type { KubeObject } from './object.ts';
import type { Resource } from './resource.ts';
import { keyOfObject } from './resource.ts';
import type { Cause } from './schema/cause.ts';
import { forbidden, notSupported } from './schema/cause.ts';
import { matcherOf } from './selectors.ts';
import type { Store } from './store.ts';
import { ApiError, badRequest, expired, invalid, tooLargeResourceVersion } from './status.ts';

export interface Listed {
  readonly objects: readonly KubeObject[];
  readonly meta: ListMeta;
}

/**
 * GET of a collection: selectors, pages, and the rules of `resourceVersion` (Kubernetes, "API Concepts"). The pages
 * of one list show the collection as it was at the first one.
 *
 * @throws ApiError 400, 410, 422 or 504
 */
export function list(
  { store }: { readonly store: Store },
  resource: Resource,
  namespace: string | undefined,
  query: URLSearchParams,
): Listed {
  checkListOptions(query);
  const labels = query.get('labelSelector') ?? '';
  const fields = query.get('fieldSelector') ?? '';
  const matches = matcherOf(resource, labels, fields);
  const page = pageOf(store, query);
  const all = snapshot(store, resource, namespace, page);
  const wanted = matches ? all.filter(matches) : all;
  const { after } = page;
  const rest = after === '' ? wanted : wanted.filter((object) => keyOfObject(object) > after);
  const objects = page.limit > 0 ? rest.slice(0, page.limit) : rest;
  const last = objects.at(-1);
  const remaining = rest.length - objects.length;
  return {
    objects,
    meta: {
      resourceVersion: String(page.version),
      ...(remaining > 0 && last && { continue: writeToken(page.version, keyOfObject(last)) }),
      ...(remaining > 0 && !matches && { remainingItemCount: remaining }),
    },
  };
}

interface Page {
  /** The version at which the collection is shown. */
  readonly version: number;
  /** Begin after this key. */
  readonly after: string;
  /** 0: all. */
  readonly limit: number;
}

function pageOf(store: Store, query: URLSearchParams): Page {
  const limit = readNumber(query, 'limit');
  const token = query.get('continue') ?? '';
  const asked = readListVersion(query);
  if (token !== '') {
    if (asked > 0) throw badRequest('specifying resource version is not allowed when using continue');
    const { version, start } = readToken(token);
    return { version: version === -1 ? store.version : version, after: start, limit };
  }
  if (asked > store.version) throw tooLargeResourceVersion(asked, store.version);
  // Without a match rule, a page of a given version is a page of exactly that version.
  const match = query.get('resourceVersionMatch') ?? '';
  const exact = match === 'Exact' || (match === '' && limit > 0 && asked > 0);
  // With 0, "any version", a real server answers from its watch cache, which does not support pages.
  const whole = query.get('resourceVersion') === '0';
  return { version: exact ? asked : store.version, after: '', limit: whole ? 0 : limit };
}

/** The objects at the page's version: the present ones without the later changes. */
function snapshot(
  store: Store,
  resource: Resource,
  namespace: string | undefined,
  { version, after }: Page,
): KubeObject[] {
  const present = [...store.each(resource.id, namespace)];
  if (version === store.version) return present;
  const later = store.history.since(version);
  if (!later) throw tooOld(after);
  const objects = new Map(present.map((object) => [keyOfObject(object), object]));
  for (const change of later.toReversed()) {
    if (change.resource !== resource.id) continue;
    if (namespace !== undefined && change.object.metadata.namespace !== namespace) continue;
    if (change.previous) objects.set(change.key, change.previous);
    else objects.delete(change.key);
  }
  return [...objects].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
}

function tooOld(after: string): Error {
  if (after === '') return expired('The resourceVersion for the provided list is too old.');
  return expired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
    writeToken(-1, after),
  );
}

const writeToken = (version: number, start: string): string =>
  Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: version, start })).toString('base64url');

function readToken(token: string): { version: number; start: string } {
  let parsed: Json;
  try {
    parsed = JSON.parse(Buffer.from(token, 'base64url').toString()) as Json;
  } catch {
    throw badRequest('continue key is not valid: illegal base64 data or JSON');
  }
  const version = dig(parsed, 'rv');
  const start = textAt(parsed, 'start');
  if (textAt(parsed, 'v') !== 'meta.k8s.io/v1' || typeof version !== 'number' || start === '')
    throw badRequest(`continue key is not valid: incorrect encoded start key or version`);
  return { version, start };
}

/**
 * The resourceVersion of a get or a watch; 0 where there is none.
 *
 * @throws ApiError 500, as a real server, if it is not a number
 */
export const readVersion = (query: URLSearchParams): number =>
  versionOf(query, (why) => new ApiError(500, '', why));

/** That of a list. */
const readListVersion = (query: URLSearchParams): number =>
  versionOf(query, (why) => badRequest(`invalid resource version: ${why}`));

function versionOf(query: URLSearchParams, refusal: (why: string) => ApiError): number {
  const text = query.get('resourceVersion') ?? '';
  if (text !== '' && !/^\d{1,15}$/.test(text)) {
    const quoted = JSON.stringify(text);
    throw refusal(
      `resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: invalid syntax`,
    );
  }
  return Number(text);
}

/** A whole number of the query; 0 where there is none. */
export function readNumber(query: URLSearchParams, name: string): number {
  const text = query.get(name) ?? '';
  if (text !== '' && !/^-?\d{1,15}$/.test(text))
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Math.max(0, Number(text));
}

/** A flag of the query, by the rules of a real server: present, and neither `false` nor `0`. */
export function readFlag(query: URLSearchParams, name: string): boolean {
  const value = query.get(name);
  return value !== null && !['false', '0', 'f', 'F', 'FALSE', 'False'].includes(value);
}

const LIST_OPTIONS = { group: 'meta.k8s.io', kind: 'ListOptions' };

function checkListOptions(query: URLSearchParams): void {
  const causes: Cause[] = [];
  const match = query.get('resourceVersionMatch') ?? '';
  const field = 'resourceVersionMatch';
  if (match !== '') {
    const version = query.get('resourceVersion') ?? '';
    if (version === '')
      causes.push(forbidden(field, `${field} is forbidden unless resourceVersion is provided`));
    if (query.get('continue'))
      causes.push(forbidden(field, `${field} is forbidden when continue is provided`));
    if (match !== 'Exact' && match !== 'NotOlderThan')
      causes.push(notSupported(field, match, ['Exact', 'NotOlderThan', '']));
    if (match === 'Exact' && version === '0')
      causes.push(forbidden(field, `${field} "exact" is forbidden for resourceVersion "0"`));
  }
  if (query.has('sendInitialEvents'))
    causes.push(forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  if (causes.length > 0) throw invalid(LIST_OPTIONS, '', causes);
}

/** Refused like by a server without the WatchList feature. Clients then list and watch. */
export function checkWatchOptions(query: URLSearchParams): void {
  const causes: Cause[] = [];
  if (query.has('sendInitialEvents'))
    causes.push(
      forbidden(
        'sendInitialEvents',
        'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
      ),
    );
  else if (query.get('resourceVersionMatch'))
    causes.push(
      forbidden(
        'resourceVersionMatch',
        'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
      ),
    );
  if (causes.length > 0) throw invalid(LIST_OPTIONS, '', causes);
}
