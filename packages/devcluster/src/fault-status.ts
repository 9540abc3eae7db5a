import { resourceId } from './resource.ts';
import { ApiError } from './status.ts';
import type { Request } from './where.ts';

/** Answers with a Status, and does not carry out the request. */
export interface StatusEffect {
  readonly kind: 'status';
  readonly code: number;
  readonly reason?: string;
  readonly message?: string;
  /** Seconds, in the header and in the Status. */
  readonly retryAfter?: number;
}

/** Reason and message of a real server, by code. Any other code is an internal error. */
const KNOWN: Readonly<Record<number, readonly [reason: string, message: (what: string) => string]>> = {
  400: ['BadRequest', () => 'the server rejected our request for an unknown reason'],
  401: ['Unauthorized', () => 'Unauthorized'],
  403: ['Forbidden', (what) => `${what} is forbidden: a fault that was asked for`],
  404: ['NotFound', (what) => `${what} not found`],
  409: [
    'Conflict',
    (what) =>
      `Operation cannot be fulfilled on ${what}: the object has been modified; please apply your changes to the latest version and try again`,
  ],
  410: ['Expired', () => 'The resourceVersion for the provided list is too old.'],
  422: ['Invalid', (what) => `${what} is invalid: a fault that was asked for`],
  429: [
    'TooManyRequests',
    () => 'the server has received too many requests and has asked us to try again later',
  ],
  500: ['InternalError', () => 'Internal error occurred: a fault that was asked for'],
  503: ['ServiceUnavailable', () => 'the server is currently unable to handle the request'],
  504: ['Timeout', () => 'the server was unable to return a response in the time allotted'],
  507: ['InternalError', () => 'etcdserver: mvcc: database space exceeded'],
};

/** The answer of a fault. Default message: that of a real server. */
export function faultStatus(effect: StatusEffect, request: Request): ApiError {
  const { code, retryAfter } = effect;
  const { group, resource = '', name = '' } = request;
  const [reason, message] = KNOWN[code] ?? ['InternalError', () => `a fault of code ${code}`];
  const what = `${resourceId(group, resource)} ${JSON.stringify(name)}`;
  return new ApiError(code, effect.reason ?? reason, effect.message ?? message(what), {
    ...(name !== '' && { name }),
    ...(group !== '' && { group }),
    ...(resource !== '' && { kind: resource }),
    ...(retryAfter !== undefined && { retryAfterSeconds: retryAfter }),
  });
}
