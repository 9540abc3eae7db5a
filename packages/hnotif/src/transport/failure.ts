import { errors } from 'undici';
import { FAILURES, type Failure, type FailureReason } from '@hnotif/core/requests';

/** An error with a reason. */
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
  // undici reports an invalid status with this code.
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
  // Contradictory lengths, before the status.
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'BadAnswer',
  UND_ERR_SOCKET: 'ConnectionLost',
};

/** Codes that say more than their reason. */
const DETAILS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "the receiver's certificate has expired; renew it",
  CERT_NOT_YET_VALID: "the receiver's certificate is not valid yet; is the time of both machines right?",
  ERR_TLS_CERT_ALTNAME_INVALID: "the receiver's certificate is for another host; check the host's name",
  UND_ERR_HEADERS_OVERFLOW: "the head of the receiver's answer is longer than 16 KiB",
};
/** The receiver ended the handshake with an alert (RFC 8446 section 6.2), by OpenSSL's names. */
const ALERT = /_ALERT_(?:HANDSHAKE_FAILURE|\w*CERTIFICATE\w*|UNKNOWN_CA|ACCESS_DENIED)$/;
const CLIENT_CERTIFICATE =
  'if it asks for a client certificate, are tls.crt and tls.key in the secret those that it knows?';
const ALERTED = `the receiver ended the TLS handshake; does it speak TLS 1.2 or later, and ${CLIENT_CERTIFICATE}`;
const UNEXPECTED_1XX = 'the receiver answered 100 or 101, which hnotif did not ask for';

/** OpenSSL's verification results, as Node names them (X509_V_ERR_… without the prefix). */
const CERTIFICATE =
  /^CERT_|^CRL_|_CERT_|CERTIFICATE|_CERT$|_ISSUER|SIGNATURE|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH/;

/**
 * Turns any error of a connection into a failure. The text is hnotif's own, by reason: the error's message may contain a credential.
 * `origin`: scheme, host, port.
 */
export function failureOf(error: unknown, sent: boolean, origin: string): Failure {
  if (error instanceof TransportError)
    return { kind: 'failed', sent, reason: error.reason, message: `${origin}: ${error.message}` };
  const code = codeOf(error);
  const unasked = isUnexpected1xx(error);
  const reason = unasked || error instanceof errors.HTTPParserError ? 'BadAnswer' : reasonOf(code);
  const known = HIDDEN.has(code) || unasked ? '' : ` (${code})`;
  // With TLS 1.3 a receiver refuses a client after the handshake, and its alert may get lost.
  const remedy = reason === 'ConnectionLost' && origin.startsWith('https:') ? `; ${CLIENT_CERTIFICATE}` : '';
  const detail = unasked
    ? UNEXPECTED_1XX
    : (DETAILS[code] ?? (ALERT.test(code) ? ALERTED : `${FAILURES[reason]}${remedy}`));
  return { kind: 'failed', sent, reason, message: `${origin}: ${detail}${known}` };
}

/** These codes of undici say no more than the reason. */
const HIDDEN: ReadonlySet<string> = new Set(['', 'ERR_ASSERTION', 'UND_ERR_SOCKET']);

/** After 100 and 101 undici closes the connection, with the code of a lost one. */
const isUnexpected1xx = (error: unknown): boolean =>
  error instanceof errors.SocketError && /^bad (response|upgrade)$/.test(error.message);

export function reasonOf(code: string): FailureReason {
  if (Object.hasOwn(BY_CODE, code)) return BY_CODE[code] ?? 'NetworkError';
  if (code.startsWith('ERR_SSL_')) return 'TlsFailed';
  return CERTIFICATE.test(code) ? 'CertificateRefused' : 'NetworkError';
}

/** Words in capitals; OpenSSL 3.5 (Node 24) writes `ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE`. */
const CODE = /^(?:[A-Z][A-Z0-9_]{1,60}|ERR_SSL_[A-Z0-9_/]{1,60})$/;

/** The code of an error, if it looks like a library's: other values are not shown. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && CODE.test(code) ? code : '';
}
