import type { Secret } from '@hnotif/core/redaction';

/** The credentials of a request. */
export interface Credentials {
  /** The value of the `Authorization` header. */
  readonly authorization?: Secret;
  /** Both PEM. */
  readonly clientCertificate?: ClientCertificate;
}

export interface ClientCertificate {
  readonly cert: string;
  readonly key: Secret;
}

/** A source of credentials. */
export interface Authenticator {
  /** The present credentials. Synchronous while they are valid. Rejects with an `AccessError`. */
  credentials(): Credentials | Promise<Credentials>;
  /** The server answered 401. True when there may be other credentials, so that another try makes sense. */
  rejected(used: Credentials): boolean;
  /** Aborts a fetch. Nothing is asked for after this. */
  close?(): void;
}

/** How to reach an API server, and with which credentials. */
export interface ClusterAccess {
  /** Where this was found, for the log. */
  readonly source: string;
  /** Scheme, host, port and optional path, without a slash at the end. */
  readonly server: string;
  /** The namespace of the context or the pod. Default: `default`. */
  readonly namespace: string;
  readonly tls: TlsSettings;
  /** `http://` or `https://`: a proxy for the API server alone. */
  readonly proxyUrl: Secret | undefined;
  readonly authenticator: Authenticator;
}

export interface TlsSettings {
  /** PEM; undefined: Node's root certificates. */
  readonly ca: string | undefined;
  /** The name in the certificate, if it is not the server's host. */
  readonly serverName: string | undefined;
  /** Accepts any certificate. For development. */
  readonly insecure: boolean;
}

/**
 * Why the cluster cannot be accessed, in one line that names the file and the field, without credentials. `summary`: without the output of
 * a plugin.
 */
export class AccessError extends Error {
  override readonly name = 'AccessError';
  readonly summary: string;

  constructor(message: string, summary = message) {
    super(message);
    this.summary = summary;
  }
}
