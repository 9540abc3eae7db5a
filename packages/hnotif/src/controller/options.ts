import type { Clock } from '@hnotif/core/clock';
import { LEASE_TIMING, type LeaseTiming } from '../cluster/lease.ts';
import { LIMITS, type Limits } from '../dispatch/limits.ts';
import { NIGHTS_KEPT_MS } from '../journal/outcomes.ts';
import { DEFAULT_FAILURE_AFTER_MS } from '@hnotif/core/lifecycle';
import type { ConnectorPolicy, ResourceType } from '@hnotif/core/resources';

/** The options of a controller. Most have a flag of `hnotif run` with the same default. */
export interface ControllerOptions extends LeaseTiming {
  /** Path of a kubeconfig; undefined: `KUBECONFIG`, else the pod's service account, else `~/.kube/config`. */
  readonly kubeconfig?: string | undefined;
  /** Context of the kubeconfig; undefined: its current one. */
  readonly context?: string | undefined;
  /** API group of hnotif's own resources. */
  readonly apiGroup: string;
  /** The plan resource. Connectors are read from its group and version. */
  readonly planResource: ResourceType;
  /** The namespaces to watch; empty: all. */
  readonly watchNamespaces: readonly string[];
  /** Which connectors of other namespaces plans may use. */
  readonly crossNamespaceConnectors: ConnectorPolicy;
  /** The name of the cluster, for messages; default: none. */
  readonly clusterName?: string | undefined;
  /** The name of this installation. Its objects in the cluster carry it. Processes with the same name share the work. */
  readonly instance: string;
  /** Work only while this process holds the Lease; false: without a Lease. */
  readonly leaderElect: boolean;
  /** Undefined: the pod's namespace; outside a cluster `default`. */
  readonly leaseNamespace?: string | undefined;
  /** Undefined: the name of the instance. */
  readonly leaseName?: string | undefined;
  /** How the holder of the Lease is named; undefined: by the host, in a cluster the pod. */
  readonly hostName?: string | undefined;
  /** A plan in Error that is not retried for this time has failed (milliseconds). Longer than the operator's longest back-off. */
  readonly failureAfterMs: number;
  readonly metricsAddress: Address;
  readonly healthAddress: Address;
  /** `/metrics` answers only users whom the API server allows to `get` it; default false. */
  readonly metricsAuth?: boolean;
  /** A rendering of the metrics is reused for this time (milliseconds); default 1,000. */
  readonly metricsKeptMs?: number;
  /** Permits plain HTTP to loopback addresses, also without `egressAllow`. For development. */
  readonly allowInsecureHttp: boolean;
  /** CIDRs that receivers must not be in, besides all that are not public. */
  readonly egressDeny: readonly string[];
  /** CIDRs in which receivers are allowed, though they are private. Link-local and metadata addresses are always refused. */
  readonly egressAllow: readonly string[];
  /** Shows tenants the answers of receivers at addresses that are not public. */
  readonly showPrivateAnswers: boolean;
  /** Base address of teamchat's Web API, without a slash at the end. */
  readonly chatApiUrl: string;
  /** Base address of botchat's Bot API, without a slash at the end. */
  readonly botApiUrl: string;
  /** PEM text of further certificate authorities for receivers. */
  readonly ca?: string | undefined;
  /** A stop sends waiting deliveries for this time (milliseconds). Shorter than the pod's grace period. */
  readonly drainTimeoutMs: number;
  /** Deliveries of a deleted sink are dropped after this time, unless it is created again (milliseconds). */
  readonly unsubscribeAfterMs: number;
  /** A Start, Recovery, Success or Failure is dropped when it could not be delivered for this time (milliseconds). */
  readonly maxAgeMs: number;
  /** The same for an ExecutionProgress or PhaseChange. */
  readonly maxAgeOfProgressMs: number;
  /** Journals keep how the deliveries of this last time ended, apart from progress (milliseconds). */
  readonly nightsKeptMs: number;
  /** The least time between two writes of one notification's status (milliseconds). */
  readonly statusIntervalMs: number;
  /** A secret is read again by a delivery after this time (milliseconds). */
  readonly secretTtlMs: number;
  /** The time between two checks of a notification with a problem (milliseconds). */
  readonly recheckUnreadyMs: number;
  /** The same without a problem. */
  readonly recheckReadyMs: number;
  /** Requests per second to the API server, without lists and watches. At most half of them are readiness checks. */
  readonly kubeApiQps: number;
  /** Requests that may be sent at once above this rate. */
  readonly kubeApiBurst: number;
  readonly limits?: Partial<Limits>;
  /** Requests of the former leader have ended after this time (milliseconds); default: the time limit of a request. */
  readonly lateMs?: number;
  readonly clock?: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Where a server listens. An empty host means every interface, port 0 any free port. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** The defaults of options. The flags show them. */
export const CONTROLLER_DEFAULTS = {
  watchNamespaces: [],
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
  nightsKeptMs: NIGHTS_KEPT_MS,
  statusIntervalMs: 10_000,
  secretTtlMs: 10_000,
  recheckUnreadyMs: 30_000,
  recheckReadyMs: 600_000,
  kubeApiQps: 50,
  kubeApiBurst: 100,
} as const;
