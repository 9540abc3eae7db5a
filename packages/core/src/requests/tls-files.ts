import type { Secret } from '../redaction/secret.ts';

/** The keys of a secret, as Kubernetes (type `kubernetes.io/tls`) and cert-manager name them. */
export const TLS_KEYS = ['tls.crt', 'tls.key', 'ca.crt'] as const;

/** The texts of these keys. */
export type TlsFiles = Readonly<Partial<Record<(typeof TLS_KEYS)[number], string>>>;

/** What the connections of one sink have of their own. */
export interface TlsConfig {
  /** A digest of all of it: a connection of another one is not used. */
  readonly id: string;
  /** The client certificate (PEM, the chain after it) and its private key, for receivers that ask for one. Both or none. */
  readonly cert: string | undefined;
  readonly key: Secret | undefined;
  /** Authorities to trust besides all others (PEM). */
  readonly ca: string | undefined;
  /** When the client certificate, and any of the authorities, is valid (milliseconds since the epoch). */
  readonly validity: Readonly<
    Partial<Record<(typeof TLS_KEYS)[number], { readonly from: number; readonly until: number }>>
  >;
}

export type TlsReading =
  /** Undefined: there is nothing of its own. */
  | { readonly ok: true; readonly tls: TlsConfig | undefined }
  /** The key, what is wrong, what to do; never a value. */
  | { readonly ok: false; readonly problem: string };

/** A text for each that is not valid at a time. A receiver may take it nevertheless. */
export const invalidIn = ({ validity }: TlsConfig, now: number): string[] =>
  Object.entries(validity).flatMap(([key, { from, until }]) => {
    if (until < now) return [`${key}: expired at ${secondOf(until)}; renew it`];
    return from > now
      ? [`${key}: is not valid before ${secondOf(from)}; issue it anew, or wait until then`]
      : [];
  });

const secondOf = (at: number): string => new Date(at).toISOString().replace('.000', '');
