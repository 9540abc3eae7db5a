import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A proxy between the controller and the control plane. It records the requests, and can interrupt the connection. */
export interface ApiProxy {
  readonly url: string;
  /** The rights that the requests needed, each once. */
  readonly rights: readonly Right[];
  /** Ends all connections and refuses new ones, until `restore`. */
  cut(): void;
  restore(): void;
}

/** The right that a request needs. */
export interface Right {
  readonly verb: string;
  readonly group: string;
  /** With its subresource: `hibernatenotifications/status`. */
  readonly resource: string;
  /** `''`: in all namespaces, or of the cluster. */
  readonly namespace: string;
  /** `''`: no single object, such as a list. */
  readonly name: string;
}

export async function startProxy(server: string): Promise<ApiProxy> {
  const rights = new Map<string, Right>();
  let down = false;
  const proxy = createServer((incoming, outgoing) => {
    const url = new URL(incoming.url ?? '/', server);
    if (!DISCOVERY.test(url.pathname)) {
      const right = rightOf(incoming.method ?? '', url);
      rights.set(JSON.stringify(right), right);
    }
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
    get rights() {
      return [...rights.values()];
    },
    cut() {
      down = true;
      proxy.closeAllConnections();
    },
    restore() {
      down = false;
    },
  };
}

/** Pages for which no right is needed. */
const DISCOVERY = /^\/apis\/[^/]+\/[^/]+$/;

const PATH =
  /^(?:\/api|\/apis\/([^/]+))\/v[^/]+(?:\/namespaces\/([^/]+))?\/([^/]+)(?:\/([^/]+))?(?:\/([^/]+))?$/;

function rightOf(method: string, { pathname, searchParams }: URL): Right {
  const [, group = '', namespace = '', plural = pathname, name = '', part] = PATH.exec(pathname) ?? [];
  const read = searchParams.get('watch') === 'true' ? 'watch' : name === '' ? 'list' : 'get';
  const verbs: Record<string, string> = {
    GET: read,
    POST: 'create',
    PATCH: 'patch',
    PUT: 'update',
    DELETE: 'delete',
  };
  const resource = part === undefined ? plural : `${plural}/${part}`;
  return { verb: verbs[method] ?? method, group, resource, namespace, name };
}
