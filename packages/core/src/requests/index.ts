export type { PostRequest, Poster } from './poster.ts';
export { FAILURES, type Failure, type FailureReason, OWN_FAULTS, type Reply } from './reply.ts';
export { TLS_KEYS, type TlsConfig, type TlsFiles, type TlsReading } from './tls-files.ts';
