/** The result of a request: the transport never throws. */
export type Reply = Answer | Failure;

export interface Answer {
  readonly kind: 'answer';
  /** 200 to 999, as the receiver sent it. */
  readonly status: number;
  /** Names in lower case; a repeated header's values are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded as UTF-8; at most 64 KiB are read. */
  readonly body: string;
  /** The body is incomplete: longer than 64 KiB, cut by the receiver, or not finished in time. */
  readonly truncated: boolean;
  /** Do not show the body: it may come from a private address, and tenants may not read from those. */
  readonly hidden: boolean;
}

export interface Failure {
  readonly kind: 'failed';
  /** Whether the receiver may have got a part of the request. False: it certainly has not. */
  readonly sent: boolean;
  readonly reason: FailureReason;
  /** What happened and what to check. Names the receiver's host, never its path or a header. */
  readonly message: string;
}

/** Why there is no answer. Metrics, conditions and docs use this table. */
export const FAILURES = {
  Aborted: 'hnotif aborted the request',
  BadAnswer: 'the receiver answered with something that is not HTTP; is this the right port?',
  CertificateRefused:
    "the receiver's certificate is not trusted or not for this host; renew it, or give its authority with --ca-file",
  Closed: 'hnotif is stopping',
  ConnectTimeout:
    'no connection was made in time; the receiver may be overloaded, or a firewall or network policy drops the packets',
  ConnectionLost: 'the receiver closed the connection before it answered',
  ConnectionRefused: 'nothing accepts connections there; is the receiver running, and the port right?',
  EgressRefused: 'the egress rules forbid the address',
  InsecureUrl:
    'only https is allowed; give an https address (for development, --allow-insecure-http permits plain http to loopback)',
  InvalidRequest: 'the request cannot be written as HTTP',
  LookupWaited:
    "the look-up of the host's name waits for others that get no answer; remove sinks with a host name that is never answered, or repair its DNS",
  NameLookupFailed: "the look-up of the host's name failed; is the cluster's DNS working?",
  NameNotFound: "the host's name does not exist; check the spelling",
  NetworkError: 'the network failed',
  ProxyFailed: 'the proxy gave no connection; check HTTPS_PROXY and the rules of the proxy',
  TimedOut: 'the receiver did not answer in time',
  TlsFailed: 'the TLS handshake failed; is this an https port, and does it speak TLS 1.2 or later?',
  TooManyOpenFiles: 'hnotif has reached its limit of open files and connections; raise it (ulimit -n)',
  Unreachable: 'there is no route to the address',
} as const;

export type FailureReason = keyof typeof FAILURES;

/** These are not the receiver's faults: the request was not made, and is repeated. */
export const OWN_FAULTS: ReadonlySet<FailureReason> = new Set(['LookupWaited', 'TooManyOpenFiles']);
