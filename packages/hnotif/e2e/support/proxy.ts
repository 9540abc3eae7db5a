import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Stands between the controller and the control plane: notes what is asked for, and can be taken away. */
export interface ApiProxy {
  readonly url: string;
  /** Each right that a request needed: `get  secrets`, `patch hibernation.dev hibernatenotifications/status`. */
  readonly rights: ReadonlySet<string>;
  /** Ends all connections and refuses new ones, until `restore`. */
  cut(): void;
  restore(): void;
}

export async function startProxy(server: string): Promise<ApiProxy> {
  const rights = new Set<string>();
  let down = false;
  const proxy = createServer((incoming, outgoing) => {
    const url = new URL(incoming.url ?? '/', server);
    if (!DISCOVERY.test(url.pathname)) rights.add(rightOf(incoming.method ?? '', url));
    const onward = request(`${server}${incoming.url}`, {
      method: incoming.method,
      headers: incoming.headers,
    });
    onward.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  proxy.on('connection', (socket) => {
    if (down) socket.destroy();
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    proxy.close();
    proxy.closeAllConnections();
  });
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    rights,
    cut() {
      down = true;
      proxy.closeAllConnections();
    },
    restore() {
      down = false;
    },
  };
}

/** What is served at all: everybody may ask for it. */
const DISCOVERY = /^\/apis\/[^/]+\/[^/]+$/;

const PATH =
  /^(?:\/api|\/apis\/([^/]+))\/v[^/]+(?:\/namespaces\/[^/]+)?\/([^/]+)(?:\/([^/]+))?(?:\/([^/]+))?$/;

function rightOf(method: string, { pathname, searchParams }: URL): string {
  const [, group = '', resource = pathname, name, subresource] = PATH.exec(pathname) ?? [];
  const read = searchParams.get('watch') === 'true' ? 'watch' : name === undefined ? 'list' : 'get';
  const verbs: Record<string, string> = {
    GET: read,
    POST: 'create',
    PATCH: 'patch',
    PUT: 'update',
    DELETE: 'delete',
  };
  return `${verbs[method] ?? method} ${group} ${resource}${subresource === undefined ? '' : `/${subresource}`}`;
}
