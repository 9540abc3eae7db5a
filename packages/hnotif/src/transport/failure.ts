import { errors } from 'undici';
import { FAILURES } from './reply.ts';
import type { Failure, FailureReason } from './reply.ts';

/** An error of the transport's own making, which knows its reason. */
export class TransportError extends Error {
  readonly reason: FailureReason;

  constructor(reason: FailureReason, detail: string = FAILURES[reason]) {
    super(detail);
    this.reason = reason;
  }
}

const BY_CODE: Readonly<Record<string, FailureReason>> = {
  EADDRNOTAVAIL: 'Unreachable',
  EAI_AGAIN: 'NameLookupFailed',
  EAI_FAIL: 'NameLookupFailed',
  ECONNREFUSED: 'ConnectionRefused',
  ECONNRESET: 'ConnectionLost',
  EHOSTUNREACH: 'Unreachable',
  EMFILE: 'TooManyOpenFiles',
  ENETDOWN: 'Unreachable',
  ENETUNREACH: 'Unreachable',
  ENFILE: 'TooManyOpenFiles',
  ENOTFOUND: 'NameNotFound',
  EPIPE: 'ConnectionLost',
  EPROTO: 'TlsFailed',
  // undici's answer to a status that cannot be.
  ERR_ASSERTION: 'BadAnswer',
  ERR_TLS_CERT_ALTNAME_INVALID: 'CertificateRefused',
  ETIMEDOUT: 'ConnectTimeout',
  UND_ERR_CLOSED: 'Closed',
  UND_ERR_CONNECT_TIMEOUT: 'ConnectTimeout',
  UND_ERR_DESTROYED: 'Closed',
  UND_ERR_HEADERS_OVERFLOW: 'BadAnswer',
  UND_ERR_INVALID_ARG: 'InvalidRequest',
  UND_ERR_NOT_SUPPORTED: 'InvalidRequest',
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: 'InvalidRequest',
  // Without a status: lengths that contradict each other.
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'BadAnswer',
  UND_ERR_SOCKET: 'ConnectionLost',
};

/** Where a code tells more than its reason. */
const DETAILS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "the receiver's certificate has expired; renew it",
  CERT_NOT_YET_VALID: "the receiver's certificate is not valid yet; is the time of both machines right?",
  ERR_TLS_CERT_ALTNAME_INVALID: "the receiver's certificate is for another host; check the host's name",
  UND_ERR_HEADERS_OVERFLOW: "the head of the receiver's answer is longer than 16 KiB",
};
const UNASKED = 'the receiver answered 100 or 101, which nobody asked it for';

/** OpenSSL's verification results, as Node names them (X509_V_ERR_… without the prefix). */
const CERTIFICATE =
  /^CERT_|^CRL_|_CERT_|CERTIFICATE|_CERT$|_ISSUER|SIGNATURE|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH/;

/**
 * Turns whatever a connection threw into a failure. The text is ours, by reason: an error's own message may
 * hold what must not be shown. `origin` (scheme, host, port) is named in it.
 */
export function failureOf(error: unknown, sent: boolean, origin: string): Failure {
  if (error instanceof TransportError)
    return { kind: 'failed', sent, reason: error.reason, message: `${origin}: ${error.message}` };
  const code = codeOf(error);
  const unasked = isUnasked(error);
  const reason = unasked || error instanceof errors.HTTPParserError ? 'BadAnswer' : reasonOf(code);
  // An assertion of undici's says nothing to anybody else.
  const known = code === '' || code === 'ERR_ASSERTION' || unasked ? '' : ` (${code})`;
  const detail = unasked ? UNASKED : (DETAILS[code] ?? FAILURES[reason]);
  return { kind: 'failed', sent, reason, message: `${origin}: ${detail}${known}` };
}

/** On 100 and 101 it is undici that ends the connection, with the code of a lost one. */
const isUnasked = (error: unknown): boolean =>
  error instanceof errors.SocketError && /^bad (response|upgrade)$/.test(error.message);

/** The reason that goes with an error's code. */
export function reasonOf(code: string): FailureReason {
  if (Object.hasOwn(BY_CODE, code)) return BY_CODE[code] ?? 'NetworkError';
  if (code.startsWith('ERR_SSL_')) return 'TlsFailed';
  return CERTIFICATE.test(code) ? 'CertificateRefused' : 'NetworkError';
}

/** Words in capitals; OpenSSL 3.5 (Node 24) writes `ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE`. */
const CODE = /^(?:[A-Z][A-Z0-9_]{1,60}|ERR_SSL_[A-Z0-9_/]{1,60})$/;

/** Error codes are words of libraries; anything else is not repeated. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && CODE.test(code) ? code : '';
}
