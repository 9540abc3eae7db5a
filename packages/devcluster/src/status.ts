import type { ResourceName } from './resource.ts';
import { groupVersion, resourceId } from './resource.ts';
import type { Cause } from './schema/cause.ts';

/** `metav1.Status`, as every refusal is answered. */
export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: { readonly continue?: string };
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code: number;
}

interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly { readonly reason: string; readonly message: string; readonly field?: string }[];
  readonly retryAfterSeconds?: number;
}

/** A refusal for the client. The messages are those of k8s.io/apimachinery, which clients match. */
export class ApiError extends Error {
  readonly status: Status;

  constructor(
    code: number,
    reason: string,
    message: string,
    details?: StatusDetails,
    metadata: Status['metadata'] = {},
  ) {
    super(message);
    this.status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata,
      status: 'Failure',
      message,
      ...(reason !== '' && { reason }),
      ...(details && { details }),
      code,
    };
  }
}

function named(resource: ResourceName, name: string): StatusDetails {
  return {
    ...(name !== '' && { name }),
    ...(resource.group !== '' && { group: resource.group }),
    kind: resource.plural,
  };
}

const label = (resource: ResourceName, name: string): string =>
  `${resourceId(resource.group, resource.plural)} ${JSON.stringify(name)}`;

export const success = (resource: ResourceName, name: string, uid: string): Status => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  details: { ...named(resource, name), uid },
  code: 200,
});

export const badRequest = (message: string): ApiError => new ApiError(400, 'BadRequest', message);

export const unauthorized = (): ApiError => new ApiError(401, 'Unauthorized', 'Unauthorized');

export const notFound = (resource: ResourceName, name: string): ApiError =>
  new ApiError(404, 'NotFound', `${label(resource, name)} not found`, named(resource, name));

export const alreadyExists = (resource: ResourceName, name: string): ApiError =>
  new ApiError(409, 'AlreadyExists', `${label(resource, name)} already exists`, named(resource, name));

export const conflict = (resource: ResourceName, name: string, why: string): ApiError =>
  new ApiError(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${label(resource, name)}: ${why}`,
    named(resource, name),
  );

export const staleObject = (resource: ResourceName, name: string): ApiError =>
  conflict(
    resource,
    name,
    'the object has been modified; please apply your changes to the latest version and try again',
  );

export const forbidden = (
  resource: ResourceName,
  name: string,
  why: string,
  causes?: StatusDetails['causes'],
): ApiError =>
  new ApiError(403, 'Forbidden', `${label(resource, name)} is forbidden: ${why}`, {
    ...named(resource, name),
    ...(causes && { causes }),
  });

/** 422 with one cause for each field. */
export function invalid(
  kind: { readonly group: string; readonly kind: string },
  name: string,
  causes: readonly Cause[],
): ApiError {
  const errors = causes.map((cause) => `${cause.field}: ${cause.message}`);
  const list = errors.length === 1 ? errors.join('') : `[${errors.join(', ')}]`;
  return new ApiError(
    422,
    'Invalid',
    `${resourceId(kind.group, kind.kind)} ${JSON.stringify(name)} is invalid: ${list}`,
    {
      ...(name !== '' && { name }),
      ...(kind.group !== '' && { group: kind.group }),
      kind: kind.kind,
      causes,
    },
  );
}

/** The body is JSON, but not an object of the expected kind. */
export const cannotBeHandled = (
  resource: ResourceName & { readonly version: string },
  as: string,
  why: string,
): ApiError =>
  badRequest(
    `${as} in version ${JSON.stringify(resource.version)} cannot be handled as a ${resource.kind}: ${why}`,
  );

export const expired = (message: string, continueToken?: string): ApiError =>
  new ApiError(
    410,
    'Expired',
    message,
    undefined,
    continueToken === undefined ? {} : { continue: continueToken },
  );

export const tooOldResourceVersion = (asked: number, oldest: number): ApiError =>
  expired(`too old resource version: ${asked} (${oldest})`);

/** Clients try again after this answer. */
export const tooLargeResourceVersion = (asked: number, current: number): ApiError =>
  new ApiError(504, 'Timeout', `Timeout: Too large resource version: ${asked}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });

export const methodNotAllowed = (
  message = 'the server does not allow this method on the requested resource',
): ApiError => new ApiError(405, 'MethodNotAllowed', message, {});

export const unsupportedMediaType = (accepted: readonly string[]): ApiError =>
  new ApiError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  );

export const notAcceptable = (accepted: readonly string[]): ApiError =>
  new ApiError(406, 'NotAcceptable', `only the following media types are accepted: ${accepted.join(', ')}`);

export const bodyTooLarge = (limit: number): ApiError =>
  new ApiError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${limit}`);

export const wrongApiVersion = (found: string, group: string, version: string): ApiError =>
  badRequest(
    `the API version in the data (${found}) does not match the expected API version (${groupVersion(group, version)})`,
  );
