import { expect, test } from 'vitest';
import { Transport } from './client.ts';
import type { TransportOptions } from './client.ts';
import { post, serve, serveRaw, transport } from './testing/server.ts';

test('plain http is refused unless it is allowed, and then goes to loopback only', async () => {
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

test('addresses are checked when the connection is opened, and only permitted ones are used', async () => {
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
])('the literal address in %s is refused without a connection, also by the first check', async (text) => {
  const client = transport();
  expect(client.problem(new URL(text))).toContain('metadata');
  expect(await post(client, new URL(text))).toMatchObject({ reason: 'EgressRefused', sent: false });
});

test('a valid URL passes the first check', () => {
  expect(transport().problem(new URL('https://hooks.example/'))).toBeUndefined();
  expect(transport().problem(new URL('http://[::1]:8080/'))).toBeUndefined();
  expect(transport({ allowInsecureHttp: false }).problem(new URL('http://[::1]:8080/'))).toContain('https');
});

test.each([
  [{ ca: 'no certificate' }, 'holds no PEM certificate'],
  [{ ca: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' }, 'certificate 1 of the CA file'],
  [{ proxy: { url: 'socks://user:canary@host' } }, 'must be a URL'],
  [{ egress: { deny: ['nonsense'] } }, '"nonsense" is not an address range'],
])('invalid options are refused with a text that names them (%#)', (options, text) => {
  expect(() => new Transport(options)).toThrow(text);
  expect(() => new Transport(options)).not.toThrow('canary');
});

test('https goes through the proxy by CONNECT with its credentials; a refusal of the proxy means that nothing was sent', async () => {
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
