import type { Clock } from '../clock.ts';
import { LEASE_TIMING, type LeaseTiming } from '../cluster/lease.ts';
import { LIMITS, type Limits } from '../dispatch/limits.ts';
import { DEFAULT_FAILURE_AFTER_MS } from '../lifecycle/derive.ts';
import type { ConnectorPolicy } from '../resources/connectors.ts';
import type { ResourceType } from '../resources/group.ts';

/** Everything a controller is told. Each has a flag of `hnotif run` with the same default. */
export interface ControllerOptions extends LeaseTiming {
  /** Path of a kubeconfig; undefined: `KUBECONFIG`, else the pod's service account, else `~/.kube/config`. */
  readonly kubeconfig?: string | undefined;
  /** Context of the kubeconfig; undefined: its current one. */
  readonly context?: string | undefined;
  /** API group of hnotif's own resources. */
  readonly apiGroup: string;
  /** The resource that is "the plan". Connectors are read from its group and version. */
  readonly planResource: ResourceType;
  /** Which connectors of other namespaces plans may use. */
  readonly crossNamespaceConnectors: ConnectorPolicy;
  /** The name of this installation. What it keeps in the cluster is told apart by it; two of one name share their work. */
  readonly instance: string;
  /** Serve only while leading by a Lease; else alone, without one. */
  readonly leaderElect: boolean;
  /** Undefined: the pod's, `default` outside a cluster. */
  readonly leaseNamespace?: string | undefined;
  /** Undefined: the instance's. */
  readonly leaseName?: string | undefined;
  /** A plan in Error that is not retried for so long has failed (milliseconds). Keep it above the operator's longest back-off. */
  readonly failureAfterMs: number;
  readonly metricsAddress: Address;
  readonly healthAddress: Address;
  /** `/metrics` answers only users whom the API server allows to `get` it; default false. */
  readonly metricsAuth?: boolean;
  /** A rendering of the metrics is given to all who ask for so long after it (milliseconds); default 1,000. */
  readonly metricsKeptMs?: number;
  /** Plain HTTP to loopback addresses, for development; they need no entry in `egressAllow` for it. */
  readonly allowInsecureHttp: boolean;
  /** CIDRs that receivers must not be in, besides all that is not public… */
  readonly egressDeny: readonly string[];
  /** …unless they are in one of these. Link-local and metadata addresses stay refused. */
  readonly egressAllow: readonly string[];
  /** Show tenants what receivers at addresses that are not public answer. */
  readonly showPrivateAnswers: boolean;
  /** Base address of teamchat's Web API, without a slash at the end. */
  readonly chatApiUrl: string;
  /** Base address of botchat's Bot API, without a slash at the end. */
  readonly botApiUrl: string;
  /** PEM text of further certificate authorities for receivers. */
  readonly ca?: string | undefined;
  /** How long a stop waits for what is still to be sent (milliseconds). Keep it below the pod's grace period. */
  readonly drainTimeoutMs: number;
  /** What waits for a notification or sink that is gone is dropped after so long (milliseconds): it may be re-created. */
  readonly unsubscribeAfterMs: number;
  /** So long after its acceptance a delivery that tells how a night went is given up (milliseconds). */
  readonly maxAgeMs: number;
  /** …and so long after it an ExecutionProgress or PhaseChange. */
  readonly maxAgeOfProgressMs: number;
  /** The status of one notification is written at most so often (milliseconds). */
  readonly statusIntervalMs: number;
  /** How long the content of a secret is believed before it is read again at a delivery (milliseconds). */
  readonly secretTtlMs: number;
  /** How often the sinks of a notification that is not ready are looked at again (milliseconds). */
  readonly recheckUnreadyMs: number;
  /** …and of one that is. */
  readonly recheckReadyMs: number;
  /**
   * Requests a second to the API server, and how many may come at once. Lists and watches are excepted. At most
   * half of them are looks at secrets, which the `Ready` conditions need.
   */
  readonly kubeQps: number;
  readonly kubeBurst: number;
  readonly limits?: Partial<Limits>;
  /** A receiver has done what a former process asked of it so long after this one began to lead (milliseconds); default: a request's time. */
  readonly lateMs?: number;
  readonly clock?: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Where a server listens: an empty host is every interface, port 0 any free one. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** The defaults of every option that has one, as the flags show them. */
export const CONTROLLER_DEFAULTS = {
  crossNamespaceConnectors: 'all',
  instance: 'hnotif',
  leaderElect: true,
  ...LEASE_TIMING,
  failureAfterMs: DEFAULT_FAILURE_AFTER_MS,
  metricsAddress: { host: '', port: 8080 },
  healthAddress: { host: '', port: 8081 },
  metricsAuth: false,
  metricsKeptMs: 1_000,
  allowInsecureHttp: false,
  chatApiUrl: 'https://slack.com/api',
  botApiUrl: 'https://api.telegram.org',
  egressDeny: [],
  egressAllow: [],
  showPrivateAnswers: false,
  drainTimeoutMs: 30_000,
  unsubscribeAfterMs: 30_000,
  maxAgeMs: LIMITS.maxAgeMs,
  maxAgeOfProgressMs: LIMITS.maxAgeOfProgressMs,
  statusIntervalMs: 10_000,
  secretTtlMs: 5_000,
  recheckUnreadyMs: 30_000,
  recheckReadyMs: 600_000,
  kubeQps: 50,
  kubeBurst: 100,
} as const;
