import { reasonOf } from '../transport/failure.ts';
import { redact, type Secret } from '@hnotif/core/redaction';
import { proxyRefusal } from './agent.ts';
import { AccessError, type ClusterAccess } from './credentials.ts';
import { KubeError } from './error.ts';

/** The longest message of a server or plugin. */
const LONGEST_MESSAGE = 2000;
/** A renewed token and the one before it: requests in flight have either. */
const REMEMBERED = 2;

/** Makes a `KubeError` of what a request throws, without credentials: servers and plugins may repeat ours. */
export class RequestFailures {
  readonly #access: ClusterAccess;
  readonly #timeoutMs: number;
  /** The newest first. */
  #authorizations: readonly string[] = [];

  /** `timeoutMs`: how long a request may take. */
  constructor(access: ClusterAccess, timeoutMs: number) {
    this.#access = access;
    this.#timeoutMs = timeoutMs;
  }

  /** Adds the credential of a request. An answer may repeat it. */
  addCredential(authorization: string): void {
    if (this.#authorizations[0] === authorization) return;
    this.#authorizations = [
      authorization,
      ...this.#authorizations.filter((other) => other !== authorization),
    ].slice(0, REMEMBERED);
  }

  /** The error for what a request (`GET /api/v1/…`) has thrown. `stopping`: hnotif is stopping. */
  toKubeError(error: unknown, request: string, stopping: boolean): KubeError {
    if (error instanceof KubeError) return this.redacted(error);
    if (error instanceof AccessError)
      return this.redacted(new KubeError(0, 'Unauthenticated', error.message, undefined, error.summary));
    if (stopping) return new KubeError(0, 'Aborted', `${request}: aborted, because hnotif is stopping`);
    const { name, code, message } = error as NodeJS.ErrnoException;
    const refusal = proxyRefusal(error);
    if (name === 'AbortError' && refusal === undefined)
      return new KubeError(
        0,
        'Timeout',
        `${request}: no answer of the API server within ${this.#timeoutMs} ms`,
      );
    const cause = (refusal ?? (this.#redact(message) || (code ?? name))) + this.#remedy(code ?? '');
    return new KubeError(0, 'Unreachable', `${request}: no connection to ${this.#access.server}: ${cause}`);
  }

  redacted({ status, reason, message, retryAfterMs, summary }: KubeError): KubeError {
    return new KubeError(
      status,
      this.#redact(reason),
      this.#redact(message),
      retryAfterMs,
      this.#redact(summary),
    );
  }

  #redact(text: string): string {
    const secrets = [...this.#authorizations.flatMap(secretsOf), ...proxySecrets(this.#access.proxyUrl)];
    return redact(text, secrets).slice(0, LONGEST_MESSAGE).trimEnd();
  }

  /** What to check in the kubeconfig, by the code of an error. */
  #remedy(code: string): string {
    if (reasonOf(code) === 'CertificateRefused')
      return '; see certificate-authority and server of the kubeconfig';
    const isPlain = this.#access.server.startsWith('http:');
    return isPlain && code === 'UND_ERR_SOCKET' ? '; should server begin with https://?' : '';
  }
}

/** The header and the token; for `Basic` also the decoded text and the password. */
function secretsOf(authorization: string): string[] {
  const token = authorization.replace(/^\w+ /, '');
  const decoded = authorization.startsWith('Basic ') ? Buffer.from(token, 'base64').toString() : '';
  return [authorization, token, decoded, decoded.slice(decoded.indexOf(':') + 1)];
}

/** A proxy for plain HTTP sees the request and may repeat it. */
function proxySecrets(proxyUrl: Secret | undefined): string[] {
  if (proxyUrl === undefined) return [];
  const { username, password } = new URL(proxyUrl.reveal());
  return password === '' ? [] : [password, `${username}:${password}`];
}
