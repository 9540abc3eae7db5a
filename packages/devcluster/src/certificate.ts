import type { KeyObject } from 'node:crypto';
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';

import { bits, boolean, implicit, integer, octets, oid, sequence, set, tagged, time, utf8 } from './der.ts';

/** The subject of a certificate. */
export interface Subject {
  /** CN */
  readonly name: string;
  /** O, one for each. */
  readonly groups?: readonly string[];
}

/** The purpose of a certificate. */
export type Purpose =
  | { readonly kind: 'authority' }
  | { readonly kind: 'server'; readonly hosts: readonly string[] }
  | { readonly kind: 'client' };

/** A subject with its key. */
export interface Holder {
  readonly subject: Subject;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const DAY = 24 * 3600 * 1000;
const YEARS = 10 * 365 * DAY;

const COMMON_NAME = oid('2.5.4.3');
const ORGANIZATION = oid('2.5.4.10');
const ECDSA_WITH_SHA256 = sequence(oid('1.2.840.10045.4.3.2'));

export const newHolder = (subject: Subject): Holder => ({
  subject,
  ...generateKeyPairSync('ec', { namedCurve: 'prime256v1' }),
});

export const privatePem = ({ privateKey }: Holder): string =>
  privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/**
 * An X.509 certificate (RFC 5280) as PEM. It is valid from yesterday for ten years by the system's clock, because TLS uses that clock,
 * not an injected one.
 */
export function certify(holder: Holder, issuer: Holder, purpose: Purpose): string {
  const now = Date.now();
  const content = sequence(
    tagged(0, integer(Buffer.from([2]))),
    integer(serial()),
    ECDSA_WITH_SHA256,
    nameOf(issuer.subject),
    sequence(time(now - DAY), time(now + YEARS)),
    nameOf(holder.subject),
    infoOf(holder),
    tagged(3, sequence(...extensions(holder, issuer, purpose))),
  );
  const signature = sign('sha256', content, issuer.privateKey);
  const der = sequence(content, ECDSA_WITH_SHA256, bits(signature));
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

/** Positive, without leading zeros. */
function serial(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes;
}

const nameOf = ({ name, groups = [] }: Subject): Buffer =>
  sequence(
    ...groups.map((group) => set(sequence(ORGANIZATION, utf8(group)))),
    set(sequence(COMMON_NAME, utf8(name))),
  );

/** SubjectPublicKeyInfo */
const infoOf = ({ publicKey }: Holder): Buffer => publicKey.export({ type: 'spki', format: 'der' });

const keyId = (holder: Holder): Buffer => createHash('sha1').update(infoOf(holder)).digest();

function extensions(holder: Holder, issuer: Holder, purpose: Purpose): Buffer[] {
  const ca = purpose.kind === 'authority';
  const common = [
    extension('2.5.29.14', octets(keyId(holder))),
    extension('2.5.29.35', sequence(implicit(0, keyId(issuer)))),
    extension('2.5.29.19', ca ? sequence(boolean(true)) : sequence(), true),
    // digitalSignature; for an authority keyCertSign and cRLSign.
    extension('2.5.29.15', ca ? bits(Buffer.from([0x06]), 1) : bits(Buffer.from([0x80]), 7), true),
  ];
  switch (purpose.kind) {
    case 'authority':
      return common;
    case 'server':
      return [
        ...common,
        extension('2.5.29.37', sequence(oid('1.3.6.1.5.5.7.3.1'))),
        extension('2.5.29.17', sequence(...purpose.hosts.map(hostName))),
      ];
    case 'client':
      return [...common, extension('2.5.29.37', sequence(oid('1.3.6.1.5.5.7.3.2')))];
  }
}

const extension = (id: string, value: Buffer, critical = false): Buffer =>
  sequence(oid(id), ...(critical ? [boolean(true)] : []), octets(value));

/** A name of the server: an address or a DNS name. */
const hostName = (host: string): Buffer =>
  isIP(host) === 0 ? implicit(2, Buffer.from(host)) : implicit(7, addressBytes(host));

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  // The URL parser writes IPv4 parts in hexadecimal.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = (text = ''): string[] => text.split(':').filter((group) => group !== '');
  const [before, after] = [groups(head), groups(tail)];
  const noughts = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return Buffer.from(
    [...before, ...noughts, ...after].map((group) => group.padStart(4, '0')).join(''),
    'hex',
  );
}
