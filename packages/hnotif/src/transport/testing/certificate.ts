import { generateKeyPairSync, sign } from 'node:crypto';

export interface TestCertificate {
  readonly key: string;
  readonly cert: string;
}

/** A self-signed certificate for the given names and 127.0.0.1, valid from 2000 to 2049. */
export const testCertificate = (...names: string[]): TestCertificate => certificateOf({ names });

interface WantedCertificate {
  readonly names: readonly string[];
  /** As RFC 5280 writes times: `YYMMDDHHMMSSZ`, to 2049. */
  readonly from?: string;
  readonly until?: string;
  /** A client certificate: it cannot authenticate a server. */
  readonly forClients?: boolean;
}

/**
 * For tests only: a self-signed certificate. Node cannot issue certificates and a test machine may lack openssl, so
 * this writes the few fields of RFC 5280 by hand.
 */
export function certificateOf(wanted: WantedCertificate): TestCertificate {
  const { names, from = '000101000000Z', until = '491231235959Z', forClients = false } = wanted;
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
  const name = sequence(der(0x31, sequence(oid(0x55, 0x04, 0x03), der(0x0c, Buffer.from(names.join())))));
  const alternatives = sequence(
    ...names.map((text) => der(0x82, Buffer.from(text))),
    der(0x87, Buffer.from([127, 0, 0, 1])),
  );
  const yes = der(0x01, Buffer.from([0xff]));
  const extensions = sequence(
    sequence(oid(0x55, 0x1d, 0x11), der(0x04, alternatives)),
    sequence(oid(0x55, 0x1d, 0x13), yes, der(0x04, sequence(yes))),
    ...(forClients ? [sequence(oid(0x55, 0x1d, 0x25), der(0x04, sequence(CLIENT_AUTHENTICATION)))] : []),
  );
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(time(from), time(until)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]));
  const base64 = sequence(body, ecdsaWithSha256, signature)
    .toString('base64')
    .replace(/.{64}(?=.)/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
  };
}

/** One DER value; lengths up to 65535. */
function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}

const sequence = (...parts: Buffer[]): Buffer => der(0x30, Buffer.concat(parts));
const oid = (...bytes: number[]): Buffer => der(0x06, Buffer.from(bytes));
const time = (text: string): Buffer => der(0x17, Buffer.from(text));
const CLIENT_AUTHENTICATION = oid(0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x02);
