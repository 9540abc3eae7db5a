import type { Reply } from './reply.ts';
import type { TlsConfig, TlsFiles, TlsReading } from './tls-files.ts';

export interface PostRequest {
  readonly url: URL;
  /** The namespace of the request: namespaces share the look-ups fairly. */
  readonly owner: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Default: no client certificate. */
  readonly tls?: TlsConfig | undefined;
  /** A string is sent as UTF-8. */
  readonly body: string | Uint8Array;
  /** For connecting, sending, headers and body; not for the look-up of the host. Default 10 s. */
  readonly timeoutMs?: number;
  /** Aborts the request: it settles at once as `Aborted`. One signal may serve any number of requests. */
  readonly signal?: AbortSignal;
}

/** What a sink needs of the transport: it builds requests and reads answers, and opens no connection. */
export interface Poster {
  /** Never throws: what went wrong is in the reply. */
  post(request: PostRequest): Promise<Reply>;
  /** Why nothing will be sent to this URL; undefined: it is permitted. */
  problem(url: URL): string | undefined;
  /** Reads and checks the TLS files of a sink. */
  readTls(files: TlsFiles): TlsReading;
}
