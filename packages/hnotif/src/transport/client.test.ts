import { getEventListeners, once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { ManualClock, settle } from '../testing/clock.ts';
import { Transport } from './client.ts';
import type { TransportOptions } from './client.ts';
import type { Reply } from './reply.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function transport(options: TransportOptions = {}): Transport {
  const made = new Transport({ allowInsecureHttp: true, ...options });
  closers.push(() => made.close());
  return made;
}

async function serve(listener: RequestListener): Promise<{ url: URL; server: Server }> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.closeAllConnections();
    return new Promise((done) => server.close(done));
  });
  return { url: new URL(`http://127.0.0.1:${portOf(server)}/hook?a=b`), server };
}

/** A receiver that is not even HTTP: gets the socket once the first bytes have come. */
async function serveRaw(onBytes: (socket: Socket, bytes: Buffer) => void): Promise<URL> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      onBytes(socket, bytes);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((done) => server.close(done));
  });
  return new URL(`http://127.0.0.1:${portOf(server)}/`);
}

const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;

async function unusedPort(): Promise<number> {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  await new Promise((done) => server.close(done));
  return port;
}

const post = (
  by: Transport,
  url: URL,
  more: { signal?: AbortSignal; timeoutMs?: number; body?: string } = {},
): Promise<Reply> => by.post({ url, headers: { 'content-type': 'text/plain' }, body: 'hello', ...more });

test('an answer comes with status, lower-cased headers and body', async () => {
  const seen: string[] = [];
  const { url } = await serve((request, response) => {
    request.setEncoding('utf8');
    request.on('data', (text: string) => seen.push(text));
    request.on('end', () => {
      seen.push(request.method ?? '', request.url ?? '', String(request.headers['content-type']));
      response.writeHead(201, { 'X-Thing': 'one', 'Set-Cookie': ['a', 'b'] }).end('grüße');
    });
  });
  const reply = await post(transport(), url);
  expect(reply).toMatchObject({ kind: 'answer', status: 201, body: 'grüße', truncated: false });
  expect(reply).toMatchObject({ headers: { 'x-thing': 'one', 'set-cookie': 'a, b' } });
  expect(seen).toEqual(['hello', 'POST', '/hook?a=b', 'text/plain']);
});

test('a body of bytes is sent as it is', async () => {
  const { url } = await serve((request, response) => {
    request.on('data', (bytes: Buffer) => response.end(bytes.toString('hex')));
  });
  const bytes = new Uint8Array([0, 1, 0xff]);
  expect(await transport().post({ url, headers: {}, body: bytes })).toMatchObject({ body: '0001ff' });
});

test('connections are kept and used again', async () => {
  const ports = new Set<number | undefined>();
  const { url } = await serve((request, response) => {
    ports.add(request.socket.remotePort);
    request.resume().on('end', () => response.end());
  });
  const client = transport();
  for (let index = 0; index < 20; index++) await post(client, url);
  // A connection rests for one turn of the loop after its answer, so that two take turns.
  expect(ports.size).toBeLessThanOrEqual(2);
});

test('at most 64 connections are opened to one origin, and what waits is sent later', async () => {
  let open = 0;
  let most = 0;
  const waiting: (() => void)[] = [];
  const { url } = await serve((request, response) => {
    most = Math.max(most, ++open);
    const answer = (): void => {
      open--;
      response.end();
    };
    request.resume().on('end', () => {
      if (most < 64) waiting.push(answer);
      else {
        for (const held of waiting.splice(0)) held();
        answer();
      }
    });
  });
  const client = transport();
  const replies = await Promise.all(Array.from({ length: 100 }, () => post(client, url)));
  expect(replies.every((reply) => reply.kind === 'answer')).toBe(true);
  expect(most).toBe(64);
});

test('a redirect is an answer and is not followed', async () => {
  let requests = 0;
  const { url } = await serve((_request, response) => {
    requests++;
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  const reply = await post(transport(), url);
  expect(reply).toMatchObject({ kind: 'answer', status: 307, headers: { location: '/elsewhere' } });
  expect(requests).toBe(1);
});

test('informational answers are not the answer', async () => {
  const url = await serveRaw((socket) => {
    socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n');
  });
  const reply = await post(transport(), url);
  expect(reply).toMatchObject({ kind: 'answer', status: 204, headers: {} });
  expect(reply.kind === 'answer' && reply.headers).not.toHaveProperty('link');
});

test('a connection that is lost after an informational answer had no answer', async () => {
  const url = await serveRaw((socket) => socket.end('HTTP/1.1 102 Processing\r\n\r\n'));
  expect(await post(transport(), url)).toMatchObject({
    kind: 'failed',
    reason: 'ConnectionLost',
    sent: true,
  });
});

test('a body is read up to 64 KiB, and one without end does not hold the request', async () => {
  const { url } = await serve((_request, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write('x'.repeat(10_000)));
    };
    response.on('drain', more);
    more();
  });
  const reply = await post(transport(), url);
  expect(reply).toMatchObject({ kind: 'answer', status: 200, truncated: true });
  expect(reply.kind === 'answer' && reply.body.length).toBe(64 * 1024);
});

test('a body of exactly 64 KiB is whole', async () => {
  const { url } = await serve((_request, response) => response.end('x'.repeat(64 * 1024)));
  const reply = await post(transport(), url);
  expect(reply).toMatchObject({ truncated: false });
  expect(reply.kind === 'answer' && reply.body.length).toBe(64 * 1024);
});

test('an answer whose body breaks off is an answer: the receiver has decided', async () => {
  const url = await serveRaw((socket) => {
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf');
  });
  expect(await post(transport(), url)).toMatchObject({
    kind: 'answer',
    status: 200,
    body: 'half',
    truncated: true,
  });
});

test('a receiver that says nothing is given up at the time limit, and may have the request', async () => {
  const clock = new ManualClock();
  const { url, server } = await serve(() => {});
  const reply = post(transport({ clock }), url);
  await once(server, 'request');
  expect(clock.nextIn).toBe(10_000);
  await clock.advance(10_000);
  expect(await reply).toMatchObject({ kind: 'failed', reason: 'TimedOut', sent: true });
  expect(clock.timers).toBe(1); // The sweep of idle origins alone.
});

test('a body that drips is cut at the time limit of the whole exchange', async () => {
  const clock = new ManualClock();
  const dripping = new EventTarget();
  const dripped = once(dripping, 'drip');
  const { url } = await serve((_request, response) => {
    response.writeHead(500);
    response.write('so f', () => dripping.dispatchEvent(new Event('drip')));
  });
  const reply = post(transport({ clock }), url, { timeoutMs: 700 });
  await dripped;
  // The bytes are written; turn the loop until they have been read here.
  while (clock.timers > 1) {
    await settle();
    await clock.advance(100);
  }
  expect(await reply).toMatchObject({ kind: 'answer', status: 500, body: 'so f', truncated: true });
});

test('a request that waits for a free connection is given up in time, and is never sent', async () => {
  const clock = new ManualClock();
  const bodies: string[] = [];
  const held: (() => void)[] = [];
  const { url, server } = await serve((request, response) => {
    request.setEncoding('utf8');
    request.on('data', (body: string) => bodies.push(body));
    request.on('end', () => held.push(() => response.end()));
  });
  const client = transport({ clock });
  const first = Array.from({ length: 64 }, () => post(client, url, { timeoutMs: 60_000 }));
  while (bodies.length < 64) await settle();
  const late = post(client, url, { timeoutMs: 50, body: 'late' });
  await clock.advance(50);
  expect(await late).toMatchObject({ kind: 'failed', reason: 'ConnectTimeout', sent: false });
  while (held.length < 64) await settle();
  for (const answer of held.splice(0)) answer();
  for (const reply of await Promise.all(first)) expect(reply).toMatchObject({ kind: 'answer' });
  server.once('request', (_request, response) => response.end());
  expect(await post(client, url)).toMatchObject({ kind: 'answer' });
  expect(bodies).not.toContain('late');
});

test('close() ends what is under way', async () => {
  const { url, server } = await serve(() => {});
  const client = transport();
  const reply = post(client, url);
  await once(server, 'request');
  await client.close();
  expect(await reply).toMatchObject({ kind: 'failed', reason: 'Closed', sent: true });
});

test('the caller may call a request off, before and while it is under way', async () => {
  const { url, server } = await serve(() => {});
  const client = transport();
  expect(await post(client, url, { signal: AbortSignal.abort() })).toMatchObject({
    reason: 'Aborted',
    sent: false,
  });
  const controller = new AbortController();
  const reply = post(client, url, { signal: controller.signal });
  const [request] = (await once(server, 'request')) as [IncomingMessage];
  const closed = once(request.socket, 'close');
  controller.abort();
  await closed;
  expect(await reply).toMatchObject({ kind: 'failed', reason: 'Aborted', sent: true });
});

test('a refused connection was not sent', async () => {
  const reply = await post(transport(), new URL(`http://127.0.0.1:${await unusedPort()}/secret-path`));
  expect(reply).toMatchObject({ kind: 'failed', reason: 'ConnectionRefused', sent: false });
  expect(JSON.stringify(reply)).not.toContain('secret-path');
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

test('a receiver that resets after the request may have it', async () => {
  const url = await serveRaw((socket) => socket.resetAndDestroy());
  expect(await post(transport(), url)).toMatchObject({
    kind: 'failed',
    reason: 'ConnectionLost',
    sent: true,
  });
});

test('a keep-alive connection that closes just as it is used again may have the request', async () => {
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

test('https to a port that speaks plain http fails before anything is sent', async () => {
  const { url } = await serve(() => {});
  url.protocol = 'https:';
  const reply = await post(transport(), url);
  expect(reply).toMatchObject({ kind: 'failed', sent: false });
  expect(reply.kind === 'failed' && reply.reason).toMatch(/TlsFailed|ConnectionLost/);
});

test('a head without end is a bad answer, whatever it says first', async () => {
  const url = await serveRaw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    for (let index = 0; index < 100; index++) socket.write(`x-${index}: ${'x'.repeat(1000)}\r\n`);
  });
  expect(await post(transport(), url)).toMatchObject({ kind: 'failed', reason: 'BadAnswer', sent: true });
});

test('one signal may serve many requests, and nothing of them stays with it', async () => {
  const { url } = await serve((_request, response) => response.end());
  const { signal } = new AbortController();
  const warnings: string[] = [];
  const onWarning = ({ name }: Error): void => void warnings.push(name);
  process.on('warning', onWarning);
  const client = transport();
  await Promise.all(Array.from({ length: 20 }, () => post(client, url, { signal })));
  await settle();
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

test('a header that cannot be written fails as data', async () => {
  const { url } = await serve(() => {});
  const reply = await transport().post({ url, headers: { 'x-a': 'b\r\nc: d' }, body: '' });
  expect(reply).toMatchObject({ kind: 'failed', reason: 'InvalidRequest', sent: false });
});

test('plain http is refused unless it is allowed, and then goes to loopback alone', async () => {
  const { url } = await serve((_request, response) => response.end());
  expect(await post(transport({ allowInsecureHttp: false }), url)).toMatchObject({
    reason: 'InsecureUrl',
    sent: false,
  });
  expect(await post(transport(), new URL('http://192.0.2.1/'))).toMatchObject({
    reason: 'InsecureUrl',
    sent: false,
  });
  const inside = transport({
    resolve: (_name, done) => {
      done(null, [{ address: '192.0.2.1', family: 4 }]);
    },
  });
  expect(await post(inside, new URL('http://localhost.example/'))).toMatchObject({ reason: 'EgressRefused' });
  expect(await post(transport(), new URL('ftp://127.0.0.1/'))).toMatchObject({ reason: 'InsecureUrl' });
});

test('an address is judged when the connection is opened, and only permitted ones are connected to', async () => {
  const hosts: (string | undefined)[] = [];
  const { url } = await serve((request, response) => {
    hosts.push(request.headers.host);
    response.end();
  });
  const asked: string[] = [];
  const addresses = [
    { address: '169.254.169.254', family: 4 },
    { address: '::ffff:169.254.169.254', family: 6 },
    { address: '127.0.0.1', family: 4 },
  ];
  const client = transport({
    resolve: (name, done) => {
      asked.push(name);
      done(null, addresses);
    },
  });
  url.hostname = 'hooks.example';
  expect(await post(client, url)).toMatchObject({ kind: 'answer', status: 200 });
  expect(asked).toEqual(['hooks.example']);
  expect(hosts).toEqual([`hooks.example:${url.port}`]);
  addresses.pop();
  const other = transport({
    resolve: (_name, done) => {
      done(null, addresses);
    },
  });
  expect(await post(other, url)).toMatchObject({ kind: 'failed', reason: 'EgressRefused', sent: false });
});

test.each([
  'https://169.254.169.254/',
  'https://[fe80::1]/',
  'https://[::ffff:a9fe:a9fe]/',
  'https://2852039166/',
])('the literal address in %s is refused without a connection, and known beforehand', async (text) => {
  const client = transport();
  expect(client.problem(new URL(text))).toContain('metadata');
  expect(await post(client, new URL(text))).toMatchObject({ reason: 'EgressRefused', sent: false });
});

test('a URL without a fault has no problem', () => {
  expect(transport().problem(new URL('https://hooks.example/'))).toBeUndefined();
  expect(transport().problem(new URL('http://[::1]:8080/'))).toBeUndefined();
  expect(transport({ allowInsecureHttp: false }).problem(new URL('http://[::1]:8080/'))).toContain('https');
});

test('the connections of an origin that nobody uses are closed', async () => {
  const clock = new ManualClock();
  const { url, server } = await serve((_request, response) => response.end());
  server.keepAliveTimeout = 600_000;
  const client = transport({ clock });
  const connection = once(server, 'connection') as Promise<[Socket]>;
  await post(client, url);
  // The request's own timer is gone with it; the sweep waits.
  expect(clock.timers).toBe(1);
  const closed = once((await connection)[0], 'close');
  await clock.advance(120_000);
  await closed;
  expect(clock.timers).toBe(0);
  expect(await post(client, url)).toMatchObject({ status: 200 });
});

test('the connections of a request under way are not swept away', async () => {
  const clock = new ManualClock();
  const { url, server } = await serve(() => {});
  const reply = post(transport({ clock }), url, { timeoutMs: 600_000 });
  const [, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  await clock.advance(120_000);
  response.end();
  expect(await reply).toMatchObject({ kind: 'answer', status: 200 });
});

test('after close() a post fails as closed', async () => {
  const { url } = await serve((_request, response) => response.end());
  const client = transport();
  await post(client, url);
  await client.close();
  expect(await post(client, url)).toMatchObject({ kind: 'failed', reason: 'Closed', sent: false });
});

test.each([
  [{ ca: 'no certificate' }, 'holds no PEM certificate'],
  [{ ca: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' }, 'certificate 1 of the CA file'],
  [{ proxy: { url: 'socks://user:canary@host' } }, 'must be a URL'],
  [{ egress: { deny: ['nonsense'] } }, '"nonsense" is no address range'],
])('options that cannot be read are refused with a text that says which (%#)', (options, text) => {
  expect(() => new Transport(options)).toThrow(text);
  expect(() => new Transport(options)).not.toThrow('canary');
});

test('https goes through the proxy by CONNECT with its credentials, and its refusal was not sent', async () => {
  const heads: string[] = [];
  const proxy = await serveRaw((socket, bytes) => {
    heads.push(bytes.toString());
    socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n');
  });
  const resolve: TransportOptions['resolve'] = (name, done) => {
    if (name === 'metadata.example') done(null, [{ address: '169.254.169.254', family: 4 }]);
    else done(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), []);
  };
  const client = transport({ proxy: { url: `http://me:pw@127.0.0.1:${proxy.port}` }, resolve });
  const reply = await post(client, new URL('https://hooks.example/path'));
  expect(reply).toMatchObject({ kind: 'failed', reason: 'ProxyFailed', sent: false });
  expect(heads.join()).toContain('CONNECT hooks.example:443 HTTP/1.1\r\n');
  expect(heads.join()).toContain(`proxy-authorization: Basic ${Buffer.from('me:pw').toString('base64')}`);
  // A name that resolves to a refused address never reaches the proxy.
  expect(await post(client, new URL('https://metadata.example/'))).toMatchObject({ reason: 'EgressRefused' });
  expect(heads).toHaveLength(1);
});
