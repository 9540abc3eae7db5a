import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import type { OutputFile } from '../../../scripts/bundle.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

export interface StaticServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves files as any web server does, on the loopback. */
export async function serve(files: readonly OutputFile[]): Promise<StaticServer> {
  const byPath = new Map(files.map(({ name, contents }) => [`/${name}`, contents]));
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    const path = pathname === '/' ? '/index.html' : pathname;
    const contents = byPath.get(path);
    const type = TYPES[extname(path)] ?? 'application/octet-stream';
    response.writeHead(contents === undefined ? 404 : 200, { 'content-type': type });
    response.end(contents);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
