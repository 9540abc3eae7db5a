import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { ManualClock } from '../../../core/src/testing/clock.ts';
import { certificateOf, testCertificate } from './testing/certificate.ts';
import { end, listen, post, serve, serveRaw, serveTls, toLoopback, transport } from './testing/server.ts';

const names = ['hooks.example'];
const ours = testCertificate(...names);

test.each([
  ['has expired', { until: '200101000000Z' }, /certificate has expired; renew it/],
  ['is not valid yet', { from: '480101000000Z' }, /certificate is not valid yet; is the time/],
  ['is for clients', { forClients: true }, /is not trusted/],
])(
  'a certificate that %s is refused before anything is sent, and the error says so',
  async (_what, more, words) => {
    const certificate = certificateOf({ names, ...more });
    const { port, asked } = await serveTls(certificate);
    const client = transport({ ca: certificate.cert, resolve: toLoopback });
    expect(await post(client, new URL(`https://hooks.example:${port}/`))).toMatchObject({
      kind: 'failed',
      reason: 'CertificateRefused',
      sent: false,
      message: expect.stringMatching(words) as string,
    });
    expect(asked()).toBe(0);
  },
);

test.each(['TLSv1.2', 'TLSv1.3'] as const)(
  'by %s a certificate for another host is refused again, although a session could be resumed',
  async (version) => {
    const { port, asked } = await serveTls({ ...ours, minVersion: version, maxVersion: version });
    const client = transport({ ca: ours.cert, resolve: toLoopback });
    const right = new URL(`https://hooks.example:${port}/`);
    const wrong = new URL(`https://other.example:${port}/`);
    for (const [url, reply] of [
      [wrong, { reason: 'CertificateRefused', sent: false }],
      [wrong, { reason: 'CertificateRefused', sent: false }],
      [right, { kind: 'answer', status: 200 }],
      [wrong, { reason: 'CertificateRefused', sent: false }],
    ] as const)
      expect(await post(client, url)).toMatchObject(reply);
    expect(asked()).toBe(1);
  },
);

test('a certificate for an address is valid for that address only', async () => {
  const { port } = await serveTls(ours);
  const client = transport({ ca: ours.cert });
  expect(await post(client, new URL(`https://127.0.0.1:${port}/`))).toMatchObject({ status: 200 });
  expect(await post(client, new URL(`https://127.0.0.2:${port}/`))).toMatchObject({
    kind: 'failed',
    sent: false,
  });
});

test('TLS 1.1 is refused', async () => {
  const { port } = await serveTls({
    ...ours,
    minVersion: 'TLSv1',
    maxVersion: 'TLSv1.1',
    ciphers: 'DEFAULT:@SECLEVEL=0',
  });
  const client = transport({ ca: ours.cert, resolve: toLoopback });
  expect(await post(client, new URL(`https://hooks.example:${port}/`))).toMatchObject({
    kind: 'failed',
    reason: 'TlsFailed',
    sent: false,
    message: expect.stringContaining('TLS 1.2') as string,
  });
});

test('the error of a receiver that requires a client certificate is clear', async () => {
  const { port, asked } = await serveTls({ ...ours, requestCert: true, rejectUnauthorized: true });
  const client = transport({ ca: ours.cert, resolve: toLoopback });
  const reply = await post(client, new URL(`https://hooks.example:${port}/`));
  expect(reply).toMatchObject({ kind: 'failed' });
  expect(reply.kind === 'failed' && reply.reason).toMatch(/TlsFailed|ConnectionLost/);
  expect(asked()).toBe(0);
});

test.each<[string, (socket: Socket) => void, RegExp]>([
  ['with plain HTTP', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'), /^TlsFailed$/],
  ['with noise', (socket) => socket.end('\0'.repeat(100_000)), /^TlsFailed$/],
  ['with an alert', (socket) => socket.end(Buffer.from([21, 3, 3, 0, 2, 2, 40])), /^TlsFailed$/],
  ['by hanging up', (socket) => socket.end(), /^ConnectionLost$/],
  ['by a reset', (socket) => socket.resetAndDestroy(), /^ConnectionLost$/],
])('a handshake that is answered %s fails before anything is sent', async (_what, answer, reason) => {
  const { port } = await serveRaw(answer);
  const reply = await post(transport(), new URL(`https://127.0.0.1:${port}/`));
  expect(reply).toMatchObject({ kind: 'failed', sent: false });
  expect(reply.kind === 'failed' && reply.reason).toMatch(reason);
});

test('a handshake that stalls ends at the time limit', async () => {
  const clock = new ManualClock();
  let begun: () => void = () => {};
  const begins = new Promise<void>((resolve) => (begun = resolve));
  const { port } = await serveRaw(() => {
    begun();
  });
  const reply = post(transport({ clock }), new URL(`https://127.0.0.1:${port}/`));
  await begins;
  await clock.advance(10_000);
  expect(await reply).toMatchObject({ kind: 'failed', reason: 'ConnectTimeout', sent: false });
});

test('close() ends connections that are still being opened', async () => {
  const server = createServer();
  const connection = once(server, 'connection') as Promise<[Socket]>;
  const port = await listen(server);
  const client = transport();
  const reply = post(client, new URL(`https://127.0.0.1:${port}/`));
  const [socket] = await connection;
  const closed = end(socket);
  socket.resume();
  await client.close();
  expect(await reply).toMatchObject({ kind: 'failed', reason: 'Closed' });
  await closed;
});

test('a receiver that speaks TLS where http was configured is a bad answer', async () => {
  const { port } = await serveTls(ours);
  const reply = await post(transport(), new URL(`http://127.0.0.1:${port}/`));
  expect(reply).toMatchObject({ kind: 'failed' });
});

test('https to a port that speaks plain http fails before anything is sent', async () => {
  const { url } = await serve(() => {});
  url.protocol = 'https:';
  expect(await post(transport(), url)).toMatchObject({ kind: 'failed', reason: 'TlsFailed', sent: false });
});
