import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { ManualClock } from '../../../core/src/testing/clock.ts';
import type { TransportOptions } from './client.ts';
import { testCertificate } from './testing/certificate.ts';
import { end, listen, post, serveRaw, serveTls, toLoopback, toNowhere, transport } from './testing/server.ts';

const ours = testCertificate('hooks.example');
const HOOK = new URL('https://hooks.example/secret-path');

/** A proxy with this answer, a client that must use it, and the requests that the proxy got. */
async function behind(
  answer: (socket: Socket, bytes: Buffer) => void,
  more: TransportOptions & { userInfo?: string; noProxy?: string } = {},
): Promise<{ client: ReturnType<typeof transport>; heads: string[] }> {
  const heads: string[] = [];
  const { port } = await serveRaw((socket, bytes) => {
    heads.push(bytes.toString('latin1'));
    answer(socket, bytes);
  });
  const { userInfo = '', noProxy, ...options } = more;
  const proxy = { url: `http://${userInfo}127.0.0.1:${port}`, ...(noProxy !== undefined && { noProxy }) };
  return { client: transport({ resolve: toNowhere, proxy, ...options }), heads };
}

const refuse = (socket: Socket): void => void socket.end('HTTP/1.1 403 canary\r\n\r\n');
const SENT_NOTHING = { kind: 'failed', sent: false };

test.each<[string, string, RegExp]>([
  [
    'another status',
    'HTTP/1.1 502 canary\r\ncontent-length: 6\r\n\r\ncanary',
    /it answered 502; see what it says in its log$/,
  ],
  [
    'a redirect',
    'HTTP/1.1 302 Found\r\nlocation: http://169.254.169.254/\r\n\r\n',
    /it answered 302; see what/,
  ],
  [
    'a 407',
    'HTTP/1.1 407 canary\r\nproxy-authenticate: Basic\r\n\r\n',
    /HTTPS_PROXY gave no connection: it answered 407; give its user and password in HTTPS_PROXY$/,
  ],
  ['a body', 'HTTP/1.1 200 OK\r\n\r\ncanary', /it answered 200; see what/],
  ['an announcement', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n', /it answered 100; see what/],
  [
    'an upgrade',
    'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
    /it answered 101; see what/,
  ],
  [
    'noise',
    'SSH-2.0-canary\r\n',
    /it answered with something that is not HTTP \(HPE_INVALID_CONSTANT\); is it a proxy/,
  ],
  [
    'a huge head',
    `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`,
    /the head of its answer is too long/,
  ],
  ['nothing', '', /it closed the connection \(ECONNRESET\); does it take CONNECT/],
])(
  'a proxy that answers with %s gives no connection, and our error text has no words of the proxy',
  async (_what, text, words) => {
    const { client, heads } = await behind((socket) => socket.end(text));
    const reply = await post(client, HOOK);
    expect(reply).toMatchObject({ ...SENT_NOTHING, reason: 'ProxyFailed' });
    expect(reply).toHaveProperty('message', expect.stringMatching(words));
    expect(JSON.stringify(reply)).not.toMatch(/canary|secret-path/);
    expect(heads).toHaveLength(1);
  },
);

test.each<[string, (port: string) => string, RegExp]>([
  ['speaks no TLS', (port) => `https://127.0.0.1:${port}`, /it speaks no TLS \(\w+\); begin HTTPS_PROXY/],
  ['is not there', () => 'http://127.0.0.1:1', /it cannot be reached \(ECONNREFUSED\); check HTTPS_PROXY$/],
])('the error of a proxy that %s says what to check', async (_what, urlOf, words) => {
  const { port } = await serveRaw((socket) => void socket.end('HTTP/1.1 400 No\r\n\r\n'));
  const client = transport({ resolve: toNowhere, proxy: { url: urlOf(port) } });
  expect(await post(client, HOOK)).toMatchObject({
    ...SENT_NOTHING,
    message: expect.stringMatching(words) as string,
  });
});

test('the error of a server that is not a proxy names HTTPS_PROXY', () => {
  expect(() => transport({ proxy: { url: 'canary' } })).toThrow(
    /^HTTPS_PROXY .*must be a URL that begins with http/,
  );
  expect(() => transport({ proxy: { url: 'canary' } })).not.toThrow(/canary/);
});

test.each<[string, (socket: Socket) => void, string]>([
  ['is not TLS', (socket) => void socket.end('\0'.repeat(10_000)), 'TlsFailed'],
  ['hangs up', (socket) => void socket.end(), 'ConnectionLost'],
  ['resets', (socket) => void socket.resetAndDestroy(), 'ConnectionLost'],
])('a tunnel whose other end %s fails before anything is sent', async (_what, answer, reason) => {
  const { client, heads } = await behind((socket) => {
    // Any 2xx opens a tunnel.
    if (heads.length === 1) socket.write('HTTP/1.1 204 No Content\r\n\r\n');
    else answer(socket);
  });
  expect(await post(client, HOOK)).toMatchObject({ ...SENT_NOTHING, reason });
  expect(heads).toHaveLength(2);
});

test('the process survives a tunnel that is reset when it opens', async () => {
  const { client } = await behind((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n', () => socket.resetAndDestroy());
  });
  for (let times = 0; times < 10; times++) expect(await post(client, HOOK)).toMatchObject(SENT_NOTHING);
});

test.each<[string, string]>([
  ['says nothing', ''],
  ['never ends its head', 'HTTP/1.1 200 OK\r\nx: '],
  ['opens a tunnel to nowhere', 'HTTP/1.1 200 OK\r\n\r\n'],
])('a proxy that %s ends at the time limit, and close() ends its connection', async (_what, text) => {
  const clock = new ManualClock();
  const server = createServer();
  const connection = once(server, 'connection') as Promise<[Socket]>;
  const port = await listen(server);
  const client = transport({ clock, resolve: toNowhere, proxy: { url: `http://127.0.0.1:${port}` } });
  const reply = post(client, HOOK);
  const [socket] = await connection;
  const closed = end(socket);
  await once(socket, 'data');
  socket.write(text);
  await clock.advance(10_000);
  expect(await reply).toMatchObject({ ...SENT_NOTHING, reason: 'ConnectTimeout' });
  await client.close();
  await closed;
});

test.each([
  'https://169.254.169.254/',
  'https://2852039166/',
  'https://[::ffff:169.254.169.254]/',
  'https://[fe80::1]/',
  'https://10.1.2.3/',
])('the literal address of %s is never sent to the proxy', async (text) => {
  const { client, heads } = await behind(refuse, { egress: { deny: ['10.0.0.0/8'] } });
  expect(await post(client, new URL(text))).toMatchObject({ ...SENT_NOTHING, reason: 'EgressRefused' });
  expect(heads).toEqual([]);
});

test.each([
  'metadata.google.internal',
  'METADATA.google.internal.',
  'metadata.google.internal..',
  'metadata。google。internal',
  'metadata',
  'Metadata.',
  'metadata.azure.internal',
  'metadata.goog',
  'metadata.tencentyun.com',
  'api.metadata.cloud.ibm.com',
  'instance-data',
  'instance-data.ec2.internal',
  'instance-data.eu-west-1.compute.internal',
  '169.254.169.254..',
  '0xa9fea9fe..',
  'hooks..example',
])('%s is never sent to the proxy, which might resolve it when we cannot', async (host) => {
  const { client, heads } = await behind(refuse);
  const reply = await post(client, new URL(`https://${host}/`));
  expect(reply).toMatchObject({ ...SENT_NOTHING, reason: 'EgressRefused' });
  expect(heads).toEqual([]);
});

test.each([
  'metadata.example',
  'hooks.metadata.example',
  'internal',
  'hooks.internal',
  'my-metadata.internal',
  'a.example.',
])('%s is a name like any other', async (host) => {
  const { client, heads } = await behind(refuse);
  expect(await post(client, new URL(`https://${host}/`))).toMatchObject({ reason: 'ProxyFailed' });
  expect(heads[0]).toContain(`CONNECT ${host}:443 `);
});

test('a name with one refused address is never sent to the proxy', async () => {
  const { client, heads } = await behind(refuse, {
    resolve: (_name, done) => {
      done(null, [
        { address: '192.0.2.1', family: 4 },
        { address: '169.254.169.254', family: 4 },
      ]);
    },
  });
  expect(await post(client, HOOK)).toMatchObject({ ...SENT_NOTHING, reason: 'EgressRefused' });
  expect(heads).toEqual([]);
});

test('a CONNECT to a permitted IPv6 address has brackets', async () => {
  const { client, heads } = await behind(refuse, { egress: { allow: ['2001:db8::/32'] } });
  expect(await post(client, new URL('https://[2001:db8::1]:8443/'))).toMatchObject({ reason: 'ProxyFailed' });
  expect(heads[0]).toMatch(/^CONNECT \[2001:db8::1\]:8443 HTTP\/1\.1\r\n/);
});

test('the proxy learns only the host of a request', async () => {
  const { client, heads } = await behind(refuse);
  await client.post({
    owner: 'team-a',
    url: new URL(`${HOOK.href}?canary`),
    headers: { authorization: 'canary' },
    body: 'canary',
  });
  expect(heads.join()).toMatch(/^CONNECT hooks\.example:443 HTTP\/1\.1\r\n/);
  expect(heads.join()).not.toMatch(/canary|secret-path|authorization/);
});

test.each([
  ['me:pass@', 'me:pass'],
  ['me@', 'me:'],
  [':pass@', ':pass'],
  ['m%40e:p%3Ass%0D%0Ax@', 'm@e:p:ss\r\nx'],
  ['me:100%@', 'me:100%'],
  ['gr%C3%BC%C3%9Fe:x@', 'grüße:x'],
])('the credentials %s are sent to the proxy in base64, and are not shown', async (userInfo, credentials) => {
  const { client, heads } = await behind(refuse, { userInfo });
  const reply = await post(client, HOOK);
  expect(reply).toMatchObject({ reason: 'ProxyFailed' });
  expect(heads.join()).toContain(
    `proxy-authorization: Basic ${Buffer.from(credentials).toString('base64')}\r\n`,
  );
  expect(JSON.stringify(reply)).not.toMatch(/pass|100%/);
});

test.each(['localhost', 'localhost.', '127.0.0.1', '[::ffff:127.0.0.1]', 'a.localhost'])(
  '%s bypasses the proxy, because the proxy’s loopback is another machine',
  async (host) => {
    const { port } = await serveTls(ours);
    const { client, heads } = await behind(refuse, { resolve: toLoopback });
    expect(await post(client, new URL(`https://${host}:${port}/`))).toMatchObject({
      ...SENT_NOTHING,
      reason: 'CertificateRefused',
    });
    expect(heads).toEqual([]);
  },
);
