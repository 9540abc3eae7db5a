import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { certificateOf, testCertificate } from './testing/certificate.ts';
import { post as send, serveTls, toLoopback, transport } from './testing/server.ts';
import { readTls } from './tls-config.ts';
import type { TlsFiles } from '@hnotif/core/requests';

const server = testCertificate('hooks.example');
const client = certificateOf({ names: ['client'], forClients: true });
const other = certificateOf({ names: ['other'], forClients: true });
const pem = { type: 'pkcs8', format: 'pem' } as const;
const pairOf = (more: Partial<TlsFiles> = {}): TlsFiles => ({
  'tls.crt': client.cert,
  'tls.key': client.key,
  ...more,
});

/** A key of so many bits. OpenSSL does not check that its numbers fit. */
function rsaKey(bits: number): string {
  const number = (length: number): string =>
    Buffer.concat([Buffer.from([0xc1]), Buffer.alloc(length / 8 - 1, 0x5b)]).toString('base64url');
  const half = Object.fromEntries(['p', 'q', 'dp', 'dq', 'qi'].map((name) => [name, number(bits / 2)]));
  const jwk = { kty: 'RSA', n: number(bits), e: 'AQAB', d: number(bits), ...half };
  return createPrivateKey({ key: jwk, format: 'jwk' }).export(pem).toString();
}

test('no file, or only blank ones, is nothing of its own; authorities alone are enough', () => {
  expect(readTls({})).toEqual({ ok: true, tls: undefined });
  expect(readTls({ 'tls.crt': '', 'tls.key': ' \n', 'ca.crt': '' })).toEqual({ ok: true, tls: undefined });
  expect(readTls({ 'ca.crt': server.cert })).toMatchObject({ ok: true, tls: { ca: server.cert } });
});

test.each<[string, TlsFiles, RegExp]>([
  ['a certificate alone', { 'tls.crt': client.cert }, /^tls\.key: is missing; /],
  ['a key alone', { 'tls.key': client.key }, /^tls\.crt: is missing; /],
  ['an empty certificate', pairOf({ 'tls.crt': '\n' }), /^tls\.crt: is empty; a client certificate needs it/],
  ['an empty key', pairOf({ 'tls.key': '' }), /^tls\.key: is empty; a client certificate needs it/],
  ['words', pairOf({ 'tls.crt': 'canary' }), /^tls\.crt: it holds no PEM certificate; write the text that/],
  ['a key twice', pairOf({ 'tls.crt': client.key }), /^tls\.crt: it holds no PEM certificate/],
  [
    'a cut chain',
    pairOf({ 'tls.crt': client.cert + other.cert.slice(0, 99) }),
    /^tls\.crt: certificate 2 of it/,
  ],
  ['no key', pairOf({ 'tls.key': 'canary' }), /^tls\.key: holds no private key in PEM; /],
  ['a certificate as key', pairOf({ 'tls.key': client.cert }), /^tls\.key: holds no private key in PEM; /],
  [
    'an encrypted key',
    pairOf({
      'tls.key': createPrivateKey(client.key)
        .export({ ...pem, cipher: 'aes-256-cbc', passphrase: 'canary' })
        .toString(),
    }),
    /^tls\.key: is encrypted; write it without a passphrase$/,
  ],
  ['another key', pairOf({ 'tls.key': other.key }), /^tls\.key: is not the key of the first certificate/],
  [
    'the chain in the wrong order',
    pairOf({ 'tls.crt': other.cert + client.cert }),
    /^tls\.key: is not the key of the first certificate/,
  ],
  [
    'an expensive key',
    pairOf({ 'tls.key': rsaKey(4_112) }),
    /^tls\.key: must be ECDSA, .* at most 4096 bits/,
  ],
  [
    'an unusual key',
    pairOf({ 'tls.key': generateKeyPairSync('ed448').privateKey.export(pem).toString() }),
    /^tls\.key: must be ECDSA/,
  ],
  ['a bad authority', pairOf({ 'ca.crt': 'canary' }), /^ca\.crt: it holds no PEM certificate/],
  ['a long authority', pairOf({ 'ca.crt': 'canary'.repeat(3_000) }), /^ca\.crt: is longer than 16384 /],
])('%s is refused with the key, the remedy and no value', (_, files, problem) => {
  const reading = readTls(files);
  expect(reading).toEqual({ ok: false, problem: expect.stringMatching(problem) as string });
  expect(JSON.stringify(reading)).not.toContain('canary');
});

test('of several authorities one that is valid is enough', () => {
  const old = certificateOf({ names: ['old'], until: '200101000000Z' });
  const validity = (ca: string) => {
    const reading = readTls({ 'ca.crt': ca });
    return reading.ok && reading.tls?.validity['ca.crt'];
  };
  const from = Date.parse('2000-01-01T00:00:00Z');
  expect(validity(old.cert)).toEqual({ from, until: Date.parse('2020-01-01T00:00:00Z') });
  expect(validity(old.cert + server.cert)).toEqual({ from, until: Date.parse('2049-12-31T23:59:59Z') });
});

test('a key of 4096 bits is not too expensive: it is only the key of another certificate', () => {
  expect(readTls(pairOf({ 'tls.key': rsaKey(4_096) }))).toMatchObject({
    problem: expect.stringContaining('is not the key of') as string,
  });
});

const withoutBlanks = (files: TlsFiles): TlsFiles =>
  Object.fromEntries(Object.entries(files).filter(([, text]) => text !== undefined && text.trim() !== ''));

test('any texts are read or refused, and the same texts alone have the same id', () => {
  const part = fc.oneof(
    fc.constantFrom(undefined, client.cert, client.key, other.cert, other.key, ''),
    fc.string({ maxLength: 50 }),
  );
  const files = fc.record({ 'tls.crt': part, 'tls.key': part, 'ca.crt': part });
  fc.assert(
    fc.property(files, files, (one, two) => {
      const ids = [one, one, two].map((each) => {
        const reading = readTls(each);
        return reading.ok ? reading.tls?.id : reading.problem;
      });
      expect(ids[0]).toBe(ids[1]);
      if (ids[0] === ids[2] && ids[0] !== undefined && !ids[0].includes(': '))
        expect(withoutBlanks(one)).toEqual(withoutBlanks(two));
    }),
  );
});

const tlsOf = (files: TlsFiles) => {
  const reading = readTls(files);
  if (!reading.ok) throw new Error(reading.problem);
  return reading.tls;
};

/** A receiver that insists on our client certificate. */
const insisting = (maxVersion: 'TLSv1.2' | 'TLSv1.3') =>
  serveTls({ ...server, ca: [client.cert], requestCert: true, rejectUnauthorized: true, maxVersion });

test.each(['TLSv1.2', 'TLSv1.3'] as const)(
  'a receiver of %s that asks for a certificate gets it, and answers no request with another one',
  async (maxVersion) => {
    const { port, asked } = await insisting(maxVersion);
    const url = new URL(`https://hooks.example:${port}/`);
    const made = transport({ resolve: toLoopback });
    const ca = { 'ca.crt': server.cert };
    expect(await send(made, url, { tls: tlsOf(pairOf(ca)) })).toMatchObject({ kind: 'answer', status: 200 });
    for (const files of [ca, { ...ca, 'tls.crt': other.cert, 'tls.key': other.key }])
      expect(await send(made, url, { tls: tlsOf(files) })).toMatchObject({ kind: 'failed' });
    expect(asked()).toBe(1);
  },
);

test('a receiver that ends the handshake may miss a client certificate, and the message says so', async () => {
  const { port } = await insisting('TLSv1.2');
  const made = transport({ resolve: toLoopback, ca: server.cert });
  expect(await send(made, new URL(`https://hooks.example:${port}/`))).toMatchObject({
    ...{ kind: 'failed', reason: 'TlsFailed', sent: false },
    message: expect.stringMatching(
      /ended the TLS handshake; .* are tls\.crt and tls\.key in the secret/,
    ) as string,
  });
});

test('the authorities of one sink are those of no other, and those of the operator stay', async () => {
  const { port } = await serveTls(server);
  const url = new URL(`https://hooks.example:${port}/`);
  const made = transport({ resolve: toLoopback });
  expect(await send(made, url, { tls: tlsOf({ 'ca.crt': server.cert }) })).toMatchObject({ kind: 'answer' });
  expect(await send(made, url)).toMatchObject({ reason: 'CertificateRefused' });
  expect(await send(made, url, { tls: tlsOf({ 'ca.crt': other.cert }) })).toMatchObject({
    reason: 'CertificateRefused',
  });
  const operator = transport({ resolve: toLoopback, ca: server.cert });
  expect(await send(operator, url, { tls: tlsOf({ 'ca.crt': other.cert }) })).toMatchObject({
    kind: 'answer',
  });
});
