import { expect, test } from 'vitest';
import { createServer } from 'node:http';
import { ManualClock } from '../../../core/src/testing/clock.ts';
import { listen, post, serve, serveRaw, transport, unusedPort } from './testing/server.ts';

test('a refused connection was not sent', async () => {
  const reply = await post(transport(), new URL(`http://127.0.0.1:${await unusedPort()}/secret-path`));
  expect(reply).toMatchObject({ kind: 'failed', reason: 'ConnectionRefused', sent: false });
  expect(JSON.stringify(reply)).not.toContain('secret-path');
});

test('for a second after a refused connection, requests to the same port fail without a connection', async () => {
  const clock = new ManualClock();
  const client = transport({ clock });
  const port = await unusedPort();
  const url = new URL(`http://127.0.0.1:${port}/`);
  expect(await post(client, url)).toMatchObject({ reason: 'ConnectionRefused' });
  await listen(
    createServer((_request, response) => response.end('here')),
    port,
  );
  const { url: other } = await serve((_request, response) => response.end('there'));
  await clock.advance(999);
  expect(await post(client, url)).toMatchObject({ reason: 'ConnectionRefused', sent: false });
  expect(await post(client, other)).toMatchObject({ body: 'there' });
  await clock.advance(1);
  expect(await post(client, url)).toMatchObject({ body: 'here' });
});

test('a namespace with many refused connections does not push out those of others', async () => {
  const client = transport({ clock: new ManualClock() });
  const port = await unusedPort();
  const url = new URL(`http://127.0.0.1:${port}/`);
  expect(await post(client, url)).toMatchObject({ reason: 'ConnectionRefused' });
  for (let address = 0; address < 1_100; address++)
    await post(client, new URL(`http://127.1.${address >> 8}.${address & 255}:${port}/`), {
      owner: 'careless',
    });
  await listen(createServer(), port);
  // Still known: there is no connection, which would find the server.
  expect(await post(client, url)).toMatchObject({ reason: 'ConnectionRefused', sent: false });
});

test('a name that does not exist was not sent', async () => {
  const client = transport({
    resolve: (_name, done) => {
      done(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), []);
    },
  });
  expect(await post(client, new URL('https://hooks.invalid/'))).toMatchObject({
    kind: 'failed',
    reason: 'NameNotFound',
    sent: false,
    message: expect.stringContaining('https://hooks.invalid') as unknown,
  });
});

test.each([
  ['', 'NetworkError'],
  ['canary', 'NetworkError'],
  ['CANARY canary', 'NetworkError'],
  ['EAI_AGAIN', 'NameLookupFailed'],
  ['CANARY/CANARY', 'NetworkError'],
  // Of Node 24. Node 20 has ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE.
  ['ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', 'TlsFailed'],
])('the text of an error with the code "%s" is not shown', async (code, reason) => {
  const client = transport({
    resolve: (_name, done) => {
      done(Object.assign(new Error('canary'), { code }), []);
    },
  });
  const reply = await post(client, new URL('https://hooks.example/'));
  expect(reply).toMatchObject({ kind: 'failed', reason, sent: false });
  expect(JSON.stringify(reply)).not.toMatch(/canary/i);
});

test('a receiver that resets after the request may have received it', async () => {
  const url = await serveRaw((socket) => socket.resetAndDestroy());
  expect(await post(transport(), url)).toMatchObject({
    kind: 'failed',
    reason: 'ConnectionLost',
    sent: true,
  });
});

test('a keep-alive connection that closes when it is reused may have delivered the request', async () => {
  let requests = 0;
  const url = await serveRaw((socket) => {
    if (requests++ === 0) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    else socket.destroy();
  });
  const client = transport();
  expect(await post(client, url)).toMatchObject({ status: 200 });
  expect(await post(client, url)).toMatchObject({ kind: 'failed', reason: 'ConnectionLost', sent: true });
});

test('an answer that is not HTTP is a bad answer', async () => {
  const url = await serveRaw((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
  expect(await post(transport(), url)).toMatchObject({ kind: 'failed', reason: 'BadAnswer', sent: true });
});

test('a head without end is a bad answer, whatever its first line', async () => {
  const url = await serveRaw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    for (let index = 0; index < 100; index++) socket.write(`x-${index}: ${'x'.repeat(1000)}\r\n`);
  });
  expect(await post(transport(), url)).toMatchObject({ kind: 'failed', reason: 'BadAnswer', sent: true });
});

test('a header that cannot be written is a fault of the data', async () => {
  const { url } = await serve(() => {});
  const reply = await transport().post({ url, owner: 'team-a', headers: { 'x-a': 'b\r\nc: d' }, body: '' });
  expect(reply).toMatchObject({ kind: 'failed', reason: 'InvalidRequest', sent: false });
});
