import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy between hnotif and a control plane without TLS. */
export interface Proxy {
  readonly url: string;
  /** Ends all connections and refuses new ones, until `restore`. */
  cut(): void;
  restore(): void;
  close(): void;
}

export interface ProxyOptions {
  /** Called with each request. */
  readonly onRequest?: (method: string, url: URL) => void;
  /** The lines that replace a line of a watch of this path: none, itself, others. */
  readonly onLine?: (path: string, line: string) => readonly string[];
}

export async function startProxy(server: string, { onRequest, onLine }: ProxyOptions = {}): Promise<Proxy> {
  let down = false;
  const proxy = createServer((incoming, outgoing) => {
    const { method = '', headers } = incoming;
    const url = new URL(incoming.url ?? '/', server);
    onRequest?.(method, url);
    const onward = request(url, { method, headers });
    onward.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      if (onLine === undefined || url.searchParams.get('watch') !== 'true') {
        answer.pipe(outgoing);
        return;
      }
      let rest = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines.flatMap((each) => onLine(url.pathname, each))) outgoing.write(`${line}\n`);
      });
      answer.on('close', () => outgoing.destroy());
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
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    cut() {
      down = true;
      proxy.closeAllConnections();
    },
    restore() {
      down = false;
    },
    close() {
      proxy.close();
      proxy.closeAllConnections();
    },
  };
}
