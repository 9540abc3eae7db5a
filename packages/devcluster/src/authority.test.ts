import { X509Certificate } from 'node:crypto';

import { expect, it } from 'vitest';

import { Authority } from './authority.ts';
import { time } from './der.ts';

const authority = new Authority();
const ca = new X509Certificate(authority.certificate);

it('signs itself, as an authority', () => {
  expect(ca.verify(ca.publicKey)).toBe(true);
  expect([ca.ca, ca.subject, ca.checkIssued(ca)]).toEqual([true, 'CN=devcluster', true]);
});

it('certifies a server by its names and addresses, of both families', () => {
  const server = new X509Certificate(authority.server('fd00:1::a:2').cert);
  expect(server.verify(ca.publicKey)).toBe(true);
  expect(server.checkIssued(ca)).toBe(true);
  for (const host of ['127.0.0.1', '::1', 'fd00:1:0::a:2']) expect(server.checkIP(host)).toBeDefined();
  expect(server.checkHost('localhost')).toBe('localhost');
  expect([server.checkHost('elsewhere'), server.checkIP('127.0.0.2'), server.ca]).toEqual([
    undefined,
    undefined,
    false,
  ]);
  expect(new X509Certificate(authority.server('::ffff:10.1.2.3').cert).subjectAltName).toContain(
    '0:0:0:0:0:FFFF:A01:203',
  );
});

it('certifies a client by name and groups, whatever letters they have', () => {
  const { cert, key } = authority.client({ name: 'Zoë, CN=x', groups: ['a', 'b'] });
  const client = new X509Certificate(cert);
  expect(client.verify(ca.publicKey)).toBe(true);
  expect(client.toLegacyObject().subject).toMatchObject({ CN: 'Zoë, CN=x', O: ['a', 'b'] });
  expect(key).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
});

it('is good now and not for ever; and no other authority’s', () => {
  const now = Date.now();
  expect(Date.parse(ca.validFrom)).toBeLessThan(now);
  expect(Date.parse(ca.validTo)).toBeGreaterThan(now);
  expect(ca.verify(new X509Certificate(new Authority().certificate).publicKey)).toBe(false);
  expect(time(Date.UTC(2049, 11, 31, 23, 59, 59)).toString('latin1')).toBe('\x17\r491231235959Z');
  expect(time(Date.UTC(2050, 0)).toString('latin1')).toBe('\x18\x0f20500101000000Z');
});
