/** The keys of a secret, as Kubernetes (type `kubernetes.io/tls`) and cert-manager name them. */
export const TLS_KEYS = ['tls.crt', 'tls.key', 'ca.crt'] as const;

/** The texts of these keys. */
export type TlsFiles = Readonly<Partial<Record<(typeof TLS_KEYS)[number], string>>>;
