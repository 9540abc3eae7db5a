/** What became of one request, as data: the transport never throws at its callers. */
export type Reply = Answer | Failure;

export interface Answer {
  readonly kind: 'answer';
  /** 200 to 999: what the receiver makes of it, 600 and more too. */
  readonly status: number;
  /** Names in lower case; a repeated header's values are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded as UTF-8; at most 64 KiB are read. */
  readonly body: string;
  /** The body is not whole: longer than 64 KiB, broken off by the receiver, or unfinished at the time limit. */
  readonly truncated: boolean;
  /** What it says is not to be shown to tenants: it may come from a private address, which no tenant may read from. */
  readonly hidden: boolean;
}

export interface Failure {
  readonly kind: 'failed';
  /** Whether any byte of the request may have reached the receiver. False: it certainly has not seen it. */
  readonly sent: boolean;
  readonly reason: FailureReason;
  /** For a human: what happened and what to look at. Names the receiver's host, never its path or a header. */
  readonly message: string;
}

/** Every reason for which no answer came, with what it means. One table: metrics, conditions and docs use it. */
export const FAILURES = {
  Aborted: 'the request was called off by hnotif itself',
  BadAnswer: 'the receiver answered with something that is not HTTP; is this the right port?',
  CertificateRefused:
    "the receiver's certificate is not trusted or not for this host; renew it, or give its authority with --ca-file",
  Closed: 'hnotif is stopping',
  ConnectTimeout:
    'no connection came about in time; the receiver may be overloaded, or a firewall or network policy drops the packets',
  ConnectionLost: 'the receiver closed the connection before it answered',
  ConnectionRefused: 'nothing accepts connections there; is the receiver running, and the port right?',
  EgressRefused: 'the address may not be connected to by the egress rules',
  InsecureUrl:
    'only https is allowed; give an https address (for development, --allow-insecure-http permits plain http to loopback)',
  InvalidRequest: 'the request cannot be written as HTTP',
  LookupWaited:
    "the look-up of the host's name waits behind others that get no answer; remove sinks whose host's name is never answered, or mend the DNS that serves it",
  NameLookupFailed: "the host's name could not be looked up just now; is the cluster's DNS working?",
  NameNotFound: "the host's name does not exist; check the spelling",
  NetworkError: 'the network failed',
  ProxyFailed: 'the proxy gave no connection; check HTTPS_PROXY and what the proxy allows',
  TimedOut: 'the receiver did not answer in time',
  TlsFailed:
    'no TLS connection could be agreed on; is this an https port, and does it speak TLS 1.2 or later?',
  TooManyOpenFiles: 'hnotif has as many files and connections open as it may; raise its limit (ulimit -n)',
  Unreachable: 'there is no route to the address',
} as const;

export type FailureReason = keyof typeof FAILURES;

/** Those that say nothing of the receiver: the request was not made, and is to come again. */
export const OWN_FAULTS: ReadonlySet<FailureReason> = new Set(['LookupWaited', 'TooManyOpenFiles']);
