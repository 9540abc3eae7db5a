import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { rootCertificates } from 'node:tls';
import { expect, test } from 'vitest';
import { rootsWith } from './ca.ts';
import type { TransportOptions } from './client.ts';
import type { Reply } from '@hnotif/core/requests';
import { testCertificate } from './testing/certificate.ts';
import { listen, post as send, serveTls, toLoopback, toNowhere, transport } from './testing/server.ts';

const ours = testCertificate('hooks.example');
/** An https receiver with our certificate. */
const receiver = (): ReturnType<typeof serveTls> => serveTls(ours);

const post = (url: string, options: TransportOptions): Promise<Reply> =>
  send(transport({ resolve: toLoopback, ...options }), new URL(url));

test('a receiver with a given authority is trusted; SNI and Host keep the name', async () => {
  const { port } = await receiver();
  expect(await post(`https://hooks.example:${port}/`, { ca: ours.cert })).toMatchObject({
    kind: 'answer',
    body: `hooks.example hooks.example:${port}`,
  });
});

test('one of several given certificates is enough, whatever text is between them', async () => {
  const { port } = await receiver();
  const ca = `# first\n${testCertificate('other.example').cert}\n# second\n${ours.cert}`;
  expect(await post(`https://hooks.example:${port}/`, { ca })).toMatchObject({ kind: 'answer' });
});

test('given certificates are added to the public authorities', () => {
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

/** A proxy that connects every name to the local port. */
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
    client.on('close', () => upstream.destroy());
  });
  return { port: await listen(server), asked };
}

test('through a proxy the tunnel is TLS to the receiver itself, also for names that only the proxy resolves', async () => {
  const { port } = await receiver();
  const proxy = await proxyTo(port);
  const options: TransportOptions = {
    ca: ours.cert,
    proxy: { url: `http://127.0.0.1:${proxy.port}` },
    resolve: toNowhere,
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

test('the proxy itself may use https', async () => {
  const { port } = await receiver();
  const proxy = await proxyTo(port, 'https');
  const url = `https://127.0.0.1:${proxy.port}`;
  expect(await post('https://hooks.example/', { ca: ours.cert, proxy: { url } })).toMatchObject({
    kind: 'answer',
    body: 'hooks.example hooks.example',
  });
  // Without the CA the proxy is not trusted, and gets nothing.
  expect(await post('https://hooks.example/', { proxy: { url } })).toMatchObject({
    reason: 'ProxyFailed',
    message: expect.stringMatching(/its certificate is not trusted \(\w+\); .*--ca-file$/) as string,
    sent: false,
  });
  expect(proxy.asked).toEqual(['hooks.example:443']);
});

test('hosts in NO_PROXY bypass the proxy', async () => {
  const { port } = await receiver();
  const proxy = await proxyTo(port);
  const options = { ca: ours.cert, proxy: { url: `http://127.0.0.1:${proxy.port}`, noProxy: '.example' } };
  expect(await post(`https://hooks.example:${port}/`, options)).toMatchObject({ kind: 'answer' });
  expect(proxy.asked).toEqual([]);
});
