import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestInfoOf } from '../../../devcluster/src/request-info.ts';
import { readRoute } from '../../../devcluster/src/route.ts';

/** The requests of hnotif to the API server of this process. */
export interface Requests {
  /** By verb and resource: `update leases`. */
  readonly counts: Readonly<Record<string, number>>;
  /** Refused requests, for example conflicts. */
  readonly refused: number;
  /** When the last one came, without renewals of the Lease and watches (milliseconds since the epoch). */
  readonly lastAt: number;
}

/** A watch never ends, so nothing waits for it. */
const LEASES = 'leases';

/** Counts from now on. */
export function countRequests(): { readonly since: () => Requests; readonly clear: () => void } {
  let counts: Record<string, number> = {};
  let refused = 0;
  let lastAt = Date.now();
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { request: IncomingMessage };
    if (!isOurs(request)) return;
    const [path = '/', query] = (request.url ?? '/').split('?');
    const { verb, resource, subresource } = requestInfoOf(
      readRoute(path),
      request.method ?? 'GET',
      path,
      new URLSearchParams(query),
    );
    if (verb !== 'watch' && resource !== LEASES) lastAt = Date.now();
    const what = `${verb} ${[resource ?? path, subresource].filter((part) => part !== '').join('/')}`;
    counts[what] = (counts[what] ?? 0) + 1;
  });
  subscribe('http.server.response.finish', (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    if (isOurs(request) && response.statusCode >= 400) refused++;
  });
  return {
    since: () => ({ counts, refused, lastAt }),
    clear: () => {
      [counts, refused] = [{}, 0];
    },
  };
}

const isOurs = ({ headers }: IncomingMessage): boolean =>
  headers['user-agent']?.startsWith('hnotif') === true;
