import type { Secret } from './secret.ts';

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
  /** When the client certificate, and the last of the authorities, expires (milliseconds since the epoch). */
  readonly expiries: Readonly<Partial<Record<(typeof TLS_KEYS)[number], number>>>;
}

/** A text for each that has expired. A receiver may take it nevertheless. */
export const expiredIn = ({ expiries }: TlsConfig, now: number): string[] =>
  Object.entries(expiries)
    .filter(([, at]) => at < now)
    .map(([key, at]) => `${key}: expired at ${new Date(at).toISOString().replace('.000', '')}; renew it`);
