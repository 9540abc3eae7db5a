import type { Secret } from '../transport/secret.ts';

/** What a request shows of us. */
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

/** Where credentials come from. */
export interface Authenticator {
  /** The credentials of now; synchronous while they are good. Rejects with an `AccessError`. */
  credentials(): Credentials | Promise<Credentials>;
  /** The server answered 401 to these: true when other ones may be had, so that one more try makes sense. */
  rejected(used: Credentials): boolean;
  /** Ends what is still being fetched; nobody will ask again. */
  close?(): void;
}

/** How to reach an API server, and as whom. */
export interface ClusterAccess {
  /** Where this was found, in words for the log. */
  readonly source: string;
  /** Scheme, host, port and perhaps a path; no slash at the end. */
  readonly server: string;
  /** The context's namespace, or the pod's; `default` where nobody says. */
  readonly namespace: string;
  readonly tls: TlsSettings;
  /** `http://` or `https://`: a proxy for the API server alone. */
  readonly proxyUrl: Secret | undefined;
  readonly authenticator: Authenticator;
}

export interface TlsSettings {
  /** PEM; undefined: the roots of Node. */
  readonly ca: string | undefined;
  /** The name that the certificate must bear, where it is not the server's host. */
  readonly serverName: string | undefined;
  /** Takes any certificate. For development. */
  readonly insecure: boolean;
}

/**
 * What is wrong with the way to the cluster, in one line that names the file and the field; never a credential.
 * `summary` leaves out what a plugin has said.
 */
export class AccessError extends Error {
  override readonly name = 'AccessError';
  readonly summary: string;

  constructor(message: string, summary = message) {
    super(message);
    this.summary = summary;
  }
}
