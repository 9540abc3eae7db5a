import type { RequestInfo, Verb } from './request-info.ts';

/** Selects requests. A missing field matches all. */
export interface Where {
  readonly verb?: Verb | readonly Verb[];
  /** The plural; with a subresource as `hibernateplans/status`, without one it fits those too. */
  readonly resource?: string;
  /** A list or watch over all namespaces has no namespace. */
  readonly namespace?: string;
  readonly name?: string;
  /** The user of the request; undefined without `auth`. */
  readonly user?: string;
}

/** A request and its user. */
export interface Request extends RequestInfo {
  readonly user: string | undefined;
}

export function fits({ verb, resource, namespace, name, user }: Where, request: Request): boolean {
  return (
    (verb === undefined || [verb].flat().some((each) => each === request.verb)) &&
    (resource === undefined || resource === request.resource || resource === withSubresource(request)) &&
    (namespace === undefined || namespace === request.namespace) &&
    (name === undefined || name === request.name) &&
    (user === undefined || user === request.user)
  );
}

const withSubresource = ({ resource, subresource }: RequestInfo): string =>
  `${resource ?? ''}/${subresource}`;
