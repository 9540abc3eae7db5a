import type { IncomingHttpHeaders } from 'node:http';

import { ApiError, unsupportedMediaType } from './status.ts';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

const WITH_BODY = ['POST', 'PUT', 'PATCH'];

/**
 * Refuses requests that a web page in a browser of this machine can send, and that a client of the API does not send: with another host name
 * for this address (DNS rebinding), with an `Origin`, or with a body that has no type (browsers send it without a preflight request).
 *
 * @throws ApiError 403 or 415
 */
export function refuseWebPages(method: string, headers: IncomingHttpHeaders): void {
  const { host = '', origin, 'content-type': type = '' } = headers;
  if (!LOOPBACK.test(host))
    throw refused('the header Host names no loopback address; use localhost, 127.0.0.1 or [::1]');
  if (origin !== undefined) throw refused('requests of web pages (with a header Origin) are refused');
  if (WITH_BODY.includes(method) && type.trim() === '') throw unsupportedMediaType(['application/json']);
}

const refused = (why: string): ApiError => new ApiError(403, 'Forbidden', `forbidden: ${why}`);
