import { createHash, createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { certificatesIn, contextWith } from './ca.ts';
import { codeOf } from './failure.ts';
import { Secret } from '@hnotif/core/redaction';
import { TLS_KEYS, type TlsConfig, type TlsFiles, type TlsReading } from '@hnotif/core/requests';

/** Certificates of a text are read for each connection: ten take about a millisecond. */
const LONGEST = 16 << 10;
/** An RSA signature costs the event loop of all teams 5 ms with 4096 bits, and eight times as much with each doubling. */
const LARGEST_RSA = 4_096;
const KEY_TYPES: ReadonlySet<string> = new Set(['rsa', 'rsa-pss', 'ec', 'ed25519']);

/** Reads and checks the TLS files of a sink. A blank text counts as absent, as charts write what is not set. */
export function readTls(files: TlsFiles): TlsReading {
  const [cert, key, ca] = TLS_KEYS.map((name) => (files[name]?.trim() === '' ? undefined : files[name]));
  if (cert === undefined && key === undefined && ca === undefined) return { ok: true, tls: undefined };
  const tls = { id: idOf([cert, key, ca]), cert, key: key === undefined ? undefined : new Secret(key), ca };
  const problem =
    TLS_KEYS.filter((name) => (files[name]?.length ?? 0) > LONGEST)
      .map((name) => `${name}: is longer than ${LONGEST} characters; remove what the receiver does not need`)
      .at(0) ??
    pairProblem(files, cert, key) ??
    (ca === undefined ? undefined : certificateProblem(ca, 'ca.crt')) ??
    contextProblem(tls);
  return problem === undefined
    ? { ok: true, tls: { ...tls, validity: validityOf(tls) } }
    : { ok: false, problem };
}

/** Of a bundle of authorities one that is valid is enough. */
function validityOf({ cert, ca }: Pick<TlsConfig, 'cert' | 'ca'>): TlsConfig['validity'] {
  const spanOf = (pem: string, most: number) => {
    const all = certificatesIn(pem, 'it')
      .slice(0, most)
      .map((each) => new X509Certificate(each));
    return {
      from: Math.min(...all.map(({ validFrom }) => Date.parse(validFrom))),
      until: Math.max(...all.map(({ validTo }) => Date.parse(validTo))),
    };
  };
  return {
    ...(cert !== undefined && { 'tls.crt': spanOf(cert, 1) }),
    ...(ca !== undefined && { 'ca.crt': spanOf(ca, Infinity) }),
  };
}

/** What is wrong with a certificate and its key. */
function pairProblem(files: TlsFiles, cert: string | undefined, key: string | undefined): string | undefined {
  if (cert === undefined && key === undefined) return undefined;
  const lacks = (name: keyof TlsFiles, other: string): string =>
    `${name}: is ${files[name] === undefined ? 'missing' : 'empty'}; a client certificate needs it beside ${other}`;
  if (cert === undefined) return lacks('tls.crt', 'tls.key');
  if (key === undefined) return lacks('tls.key', 'tls.crt');
  const unreadable = certificateProblem(cert, 'tls.crt');
  if (unreadable !== undefined) return unreadable;
  const privateKey = privateKeyIn(key);
  if (typeof privateKey === 'string') return `tls.key: ${privateKey}`;
  const { asymmetricKeyType: type = '', asymmetricKeyDetails: details } = privateKey;
  if (!KEY_TYPES.has(type) || (details?.modulusLength ?? 0) > LARGEST_RSA)
    return `tls.key: must be ECDSA, Ed25519, or RSA with at most ${LARGEST_RSA} bits; issue another one`;
  // The first certificate is that of the key; the others are its chain.
  return new X509Certificate(certificatesIn(cert, 'tls.crt')[0] ?? '').checkPrivateKey(privateKey)
    ? undefined
    : 'tls.key: is not the key of the first certificate in tls.crt; write both as they were issued together';
}

function certificateProblem(pem: string, name: string): string | undefined {
  try {
    certificatesIn(pem, 'it');
    return undefined;
  } catch (error) {
    return `${name}: ${(error as TypeError).message}; write the text that begins with -----BEGIN CERTIFICATE-----`;
  }
}

function privateKeyIn(pem: string): KeyObject | string {
  if (/-----BEGIN ENCRYPTED|Proc-Type: 4,ENCRYPTED/.test(pem))
    return 'is encrypted; write it without a passphrase';
  try {
    return createPrivateKey(pem);
  } catch {
    return 'holds no private key in PEM; write the text that begins with -----BEGIN PRIVATE KEY-----';
  }
}

/** What only OpenSSL knows, such as a key or a digest that is too weak. */
function contextProblem(tls: Parameters<typeof contextWith>[0]): string | undefined {
  try {
    contextWith(tls, undefined);
    return undefined;
  } catch (error) {
    const code = codeOf(error);
    return `tls.crt: cannot be used${code === '' ? '' : ` (${code})`}; issue another certificate with a stronger key`;
  }
}

function idOf(parts: readonly (string | undefined)[]): string {
  const digest = createHash('sha256');
  for (const part of parts) digest.update(`${part?.length ?? -1}:${part ?? ''}`);
  return digest.digest('base64url');
}
