import { onTestFinished } from 'vitest';
import { startProxy as startPlainProxy, type Proxy } from '../../../lab/src/proxy.ts';

/** A proxy between the controller and the control plane. It records the rights that requests need. It ends with the test. */
export interface ApiProxy extends Proxy {
  /** Each once. */
  readonly rights: readonly Right[];
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
  const onRequest = (method: string, url: URL): void => {
    if (DISCOVERY.test(url.pathname)) return;
    const right = rightOf(method, url);
    rights.set(JSON.stringify(right), right);
  };
  const proxy = await startPlainProxy(server, { onRequest });
  onTestFinished(() => {
    proxy.close();
  });
  return Object.defineProperty({ ...proxy, rights: [] }, 'rights', { get: () => [...rights.values()] });
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
