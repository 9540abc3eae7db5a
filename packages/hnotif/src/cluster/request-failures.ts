import { reasonOf } from '../transport/failure.ts';
import { redact, type Secret } from '../transport/secret.ts';
import { proxyRefusal } from './agent.ts';
import { AccessError, type ClusterAccess } from './credentials.ts';
import { KubeError } from './error.ts';

/** Of what servers and plugins say, redacted: an admission webhook may write pages. */
const LONGEST_MESSAGE = 2000;
/** A renewed token and the one before it: what is under way bears either. */
const REMEMBERED = 2;

/** Why a request to the API server came to nothing, in words that hold no credential: servers and plugins may echo ours. */
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

  /** What a request bears, which an answer to it may repeat. */
  addCredential(authorization: string): void {
    if (this.#authorizations[0] === authorization) return;
    this.#authorizations = [
      authorization,
      ...this.#authorizations.filter((other) => other !== authorization),
    ].slice(0, REMEMBERED);
  }

  /** What was thrown by a request (`GET /api/v1/…`). `stopping`: nobody waits for it any more. */
  toKubeError(error: unknown, request: string, stopping: boolean): KubeError {
    if (error instanceof KubeError) return this.redacted(error);
    if (error instanceof AccessError)
      return this.redacted(new KubeError(0, 'Unauthenticated', error.message, undefined, error.summary));
    if (stopping) return new KubeError(0, 'Aborted', `${request}: given up, since we are stopping`);
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
    return redact(text, secrets).slice(0, LONGEST_MESSAGE);
  }

  /** What to look at in the kubeconfig, where the code of an error says so. */
  #remedy(code: string): string {
    if (reasonOf(code) === 'CertificateRefused')
      return '; see certificate-authority and server of the kubeconfig';
    const isPlain = this.#access.server.startsWith('http:');
    return isPlain && code === 'UND_ERR_SOCKET' ? '; should server begin with https://?' : '';
  }
}

/** The header, the token, and of `Basic` what it decodes to, with the password alone. */
function secretsOf(authorization: string): string[] {
  const token = authorization.replace(/^\w+ /, '');
  const decoded = authorization.startsWith('Basic ') ? Buffer.from(token, 'base64').toString() : '';
  return [authorization, token, decoded, decoded.slice(decoded.indexOf(':') + 1)];
}

/** A proxy for plain http sees the request, and may echo what it was shown. */
function proxySecrets(proxyUrl: Secret | undefined): string[] {
  if (proxyUrl === undefined) return [];
  const { username, password } = new URL(proxyUrl.reveal());
  return password === '' ? [] : [password, `${username}:${password}`];
}
