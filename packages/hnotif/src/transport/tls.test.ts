import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import { connect } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { rootCertificates } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { rootsWith } from './ca.ts';
import { Transport } from './client.ts';
import type { TransportOptions } from './client.ts';
import type { Reply } from './reply.ts';
import { testCertificate } from './test-certificate.ts';

const ours = testCertificate('hooks.example');
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function listen(server: Server & { closeAllConnections(): void }): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.closeAllConnections();
    return new Promise((done) => server.close(done));
  });
  return (server.address() as AddressInfo).port;
}

/** An https receiver that answers with the SNI name and the Host header. */
async function receiver(certificate = ours): Promise<{ port: number; asked: () => number }> {
  let requests = 0;
  const server = createServer(certificate, (request, response) => {
    requests++;
    const { servername } = request.socket as unknown as { servername: string | false };
    response.end(`${String(servername)} ${request.headers.host ?? ''}`);
  });
  return { port: await listen(server), asked: () => requests };
}

const toLoopback: TransportOptions['resolve'] = (_name, done) => {
  done(null, [{ address: '127.0.0.1', family: 4 }]);
};

async function post(url: string, options: TransportOptions): Promise<Reply> {
  const transport = new Transport({ resolve: toLoopback, ...options });
  try {
    return await transport.post({ url: new URL(url), headers: {}, body: 'x' });
  } finally {
    await transport.close();
  }
}

test('a receiver whose authority is given is trusted; SNI and Host keep the name', async () => {
  const { port } = await receiver();
  expect(await post(`https://hooks.example:${port}/`, { ca: ours.cert })).toMatchObject({
    kind: 'answer',
    body: `hooks.example hooks.example:${port}`,
  });
});

test('one of several given certificates is enough, whatever stands between them', async () => {
  const { port } = await receiver();
  const ca = `# first\n${testCertificate('other.example').cert}\n# second\n${ours.cert}`;
  expect(await post(`https://hooks.example:${port}/`, { ca })).toMatchObject({ kind: 'answer' });
});

test('given certificates come on top of the public authorities', () => {
  const roots = rootsWith(ours.cert);
  expect(roots).toContain(ours.cert.trim());
  expect(roots).toEqual(expect.arrayContaining(rootCertificates.slice(0, 3)));
});

test.each<[string, string, TransportOptions]>([
  ['of an unknown authority', 'hooks.example', {}],
  ['of another authority of the same name', 'hooks.example', { ca: testCertificate('hooks.example').cert }],
  ['for another host', 'other.example', { ca: ours.cert }],
])('a certificate %s is refused before anything is sent', async (_what, host, options) => {
  const { port, asked } = await receiver();
  expect(await post(`https://${host}:${port}/`, options)).toMatchObject({
    kind: 'failed',
    reason: 'CertificateRefused',
    sent: false,
  });
  expect(asked()).toBe(0);
});

/** A proxy that knows where every name leads: to the local port. */
async function proxyTo(port: number, scheme = 'http'): Promise<{ port: number; asked: string[] }> {
  const asked: string[] = [];
  const made = scheme === 'http' ? createHttpServer() : createServer(ours);
  const server = made.on('connect', (request: IncomingMessage, client: Socket) => {
    asked.push(request.url ?? '');
    const upstream = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on('error', () => client.destroy());
    client.on('error', () => upstream.destroy());
    closers.push(() => {
      upstream.destroy();
      client.destroy();
      return Promise.resolve();
    });
  });
  return { port: await listen(server), asked };
}

test('through a proxy the tunnel is TLS to the receiver itself, for names that only the proxy resolves too', async () => {
  const { port } = await receiver();
  const proxy = await proxyTo(port);
  const options: TransportOptions = {
    ca: ours.cert,
    proxy: { url: `http://127.0.0.1:${proxy.port}` },
    resolve: (_name, done) => {
      done(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), []);
    },
  };
  expect(await post('https://hooks.example/', options)).toMatchObject({
    kind: 'answer',
    body: 'hooks.example hooks.example',
  });
  expect(proxy.asked).toEqual(['hooks.example:443']);
  expect(await post('https://other.example/', options)).toMatchObject({
    reason: 'CertificateRefused',
    sent: false,
  });
});

test('the proxy itself may be reached by https', async () => {
  const { port } = await receiver();
  const proxy = await proxyTo(port, 'https');
  const url = `https://127.0.0.1:${proxy.port}`;
  expect(await post('https://hooks.example/', { ca: ours.cert, proxy: { url } })).toMatchObject({
    kind: 'answer',
    body: 'hooks.example hooks.example',
  });
  // Without the authority the proxy is not trusted, and gets nothing.
  expect(await post('https://hooks.example/', { proxy: { url } })).toMatchObject({
    reason: 'ProxyFailed',
    sent: false,
  });
  expect(proxy.asked).toEqual(['hooks.example:443']);
});

test('what NO_PROXY names goes past the proxy', async () => {
  const { port } = await receiver();
  const proxy = await proxyTo(port);
  const options = { ca: ours.cert, proxy: { url: `http://127.0.0.1:${proxy.port}`, noProxy: '.example' } };
  expect(await post(`https://hooks.example:${port}/`, options)).toMatchObject({ kind: 'answer' });
  expect(proxy.asked).toEqual([]);
});
