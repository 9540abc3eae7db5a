import { Option, type Command } from 'commander';
import {
  CONTROLLER_DEFAULTS as DEFAULTS,
  type Address,
  type ControllerOptions,
} from '../controller/options.ts';
import { LOG_LEVELS } from '../observe/log.ts';
import type { ResourceType } from '@hnotif/core/resources';
import { duration, formatDuration, nightsKept, positiveDuration, seconds } from './durations.ts';
import { apiGroupFlag, clusterNameFlag, contextFlag, flag, planResourceFlag } from './shared-flags.ts';
import {
  address,
  baseUrl,
  cidrs,
  connectorPolicy,
  count,
  formatAddress,
  namespace,
  namespaces,
  objectName,
  positive,
  yesOrNo,
} from './values.ts';

/**
 * The parsed flags of `hnotif run`: options of the controller, under their names there. Without a flag `planResource` depends on the API
 * group, and `allowInsecureHttp` on the environment.
 */
export interface RunFlags extends Omit<
  ControllerOptions,
  'planResource' | 'allowInsecureHttp' | 'secretTtlMs' | 'recheckUnreadyMs' | 'recheckReadyMs' | 'env'
> {
  readonly planResource?: ResourceType;
  readonly allowInsecureHttp?: boolean;
  readonly caFile?: string;
  readonly logFormat: 'json' | 'text';
  readonly logLevel: string;
}

/** A duration, as an option in milliseconds: `--max-age` is `maxAgeMs`. */
function durationFlag(flags: string, ms: number, description: string, parse = duration): Option {
  const option = flag(`${flags} <duration>`, description);
  const name = `${option.attributeName()}Ms`;
  option.attributeName = () => name;
  return option.argParser(parse).default(ms, formatDuration(ms));
}

const addressFlag = (flags: string, value: Address, description: string): Option =>
  flag(`${flags} <address>`, description).argParser(address).default(value, formatAddress(value));

const cidrsFlag = (flags: string, description: string): Option =>
  flag(`${flags} <cidrs>`, description).argParser(cidrs).default([], 'none');

export const INSECURE_HTTP = 'HNOTIF_ALLOW_INSECURE_HTTP';

const CLUSTER = [
  flag(
    '--kubeconfig <file>',
    'kubeconfig to use (default: KUBECONFIG, else the pod’s service account, else ~/.kube/config)',
  ),
  contextFlag(),
  apiGroupFlag('API group of hnotif’s own resources, not of the plans; the CRDs must use the same one'),
  planResourceFlag(),
  clusterNameFlag(),
  flag(
    '--watch-namespaces <namespaces>',
    'watch only these namespaces, separated by commas, each with requests of its own, so that rights in these namespaces are enough; at most 100',
  )
    .argParser(namespaces)
    .default([], 'all'),
  flag(
    '--cross-namespace-connectors <namespaces>',
    'connectors of other namespaces that plans may use: all, none, or a list of namespaces, separated by commas; messages show only kind and name of other connectors',
  )
    .argParser(connectorPolicy)
    .default(DEFAULTS.crossNamespaceConnectors),
  flag(
    '--kube-api-qps <n>',
    'requests per second to the API server, without lists and watches; at most half of them are reads of secrets for Ready conditions; raise it for thousands of notifications',
  )
    .argParser(positive)
    .default(DEFAULTS.kubeApiQps),
  flag('--kube-api-burst <n>', 'requests that may be sent at once above this rate')
    .argParser(count)
    .default(DEFAULTS.kubeApiBurst),
];

const REPLICAS = [
  flag(
    '--instance <name>',
    'name of this installation; two installations with different names send every message twice',
  )
    .argParser(objectName)
    .default(DEFAULTS.instance),
  flag(
    '--leader-elect <bool>',
    'work only while this process holds the Lease, so that other replicas can stand by; with false, make sure that only one process runs',
  )
    .argParser(yesOrNo)
    .default(DEFAULTS.leaderElect),
  flag(
    '--lease-namespace <name>',
    'namespace of the Lease (default: the pod’s namespace; outside a cluster: default)',
  ).argParser(namespace),
  flag('--lease-name <name>', 'name of the Lease (default: the instance)').argParser(objectName),
  durationFlag(
    '--lease-duration',
    DEFAULTS.leaseDurationMs,
    'a standby takes over when the Lease was not renewed for this time; whole seconds',
  ),
  durationFlag(
    '--renew-deadline',
    DEFAULTS.renewDeadlineMs,
    'a leader exits when it could not renew the Lease for this time; shorter than the lease duration',
  ),
  durationFlag(
    '--retry-period',
    DEFAULTS.retryPeriodMs,
    'time between two renewals, and between two reads of a standby; a shorter time costs the API server more',
  ),
];

const EVENTS = [
  durationFlag(
    '--failure-after',
    DEFAULTS.failureAfterMs,
    'a plan in Error that is not retried for this time has failed; must be longer than the operator’s longest back-off, or failures are reported too early',
    positiveDuration,
  ),
  durationFlag(
    '--status-interval',
    DEFAULTS.statusIntervalMs,
    'least time between two writes of one notification’s status, on average; after a quiet time two may follow each other',
  ),
  durationFlag(
    '--unsubscribe-after',
    DEFAULTS.unsubscribeAfterMs,
    'deliveries of a deleted notification or sink are dropped after this time, unless it is created again',
  ),
  durationFlag(
    '--max-age',
    DEFAULTS.maxAgeMs,
    'a Start, Recovery, Success or Failure is dropped when it could not be delivered for this time',
    seconds,
  ),
  durationFlag(
    '--max-age-of-progress',
    DEFAULTS.maxAgeOfProgressMs,
    'the same for an ExecutionProgress or PhaseChange',
    seconds,
  ),
  durationFlag(
    '--nights-kept',
    DEFAULTS.nightsKeptMs,
    'journals keep for this time how the deliveries of Start, Recovery, Success and Failure ended, for hnotif night, trace and replay; at most 336h; of each plan at most 64 deliveries and 8 KiB, and the last 20 whatever their age',
    nightsKept,
  ),
  durationFlag(
    '--drain-timeout',
    DEFAULTS.drainTimeoutMs,
    'after SIGTERM, waiting deliveries are sent for this time; the last writes take up to 5s more when the API server does not answer, so keep it 10s below the pod’s grace period',
  ),
];

/** Where messages may be sent. Whoever checks a configuration needs the same flags as `hnotif run`. */
export const addressFlags = (): readonly Option[] => [
  cidrsFlag(
    '--egress-deny',
    'networks that receivers must not be in, besides all that are not public; separated by commas',
  ),
  cidrsFlag(
    '--egress-allow',
    'networks that receivers may be in, though they are not public (private, loopback, shared) or in --egress-deny; link-local and metadata addresses are always refused',
  ),
  flag('--chat-api-url <url>', 'base address of teamchat’s Web API (sinks with delivery_mode thread)')
    .argParser(baseUrl)
    .default(DEFAULTS.chatApiUrl),
  flag('--bot-api-url <url>', 'base address of botchat’s Bot API, for example your own Bot API server')
    .argParser(baseUrl)
    .default(DEFAULTS.botApiUrl),
  new Option(
    '--allow-insecure-http',
    `permit plain HTTP to loopback addresses, also without --egress-allow; for development (env: ${INSECURE_HTTP}=true)`,
  ),
];

/** For whatever opens connections to receivers. */
export const caFileFlag = (): Option =>
  flag('--ca-file <file>', 'PEM file with more certificate authorities to trust for receivers');

const RECEIVERS = [
  caFileFlag(),
  flag(
    '--show-private-answers [bool]',
    'show answers of receivers at addresses that are not public in statuses, Events and the log; without it, only their status code is shown',
  )
    .preset('true')
    .argParser(yesOrNo)
    .default(false),
  ...addressFlags(),
];

const OBSERVE = [
  addressFlag('--metrics-address', DEFAULTS.metricsAddress, 'address of the server with /metrics'),
  flag(
    '--metrics-auth [bool]',
    'answer /metrics only to a bearer token whose user may get the nonResourceURL /metrics; the API server decides; deploy/kustomize/components/metrics-auth has the rights',
  )
    .preset('true')
    .argParser(yesOrNo)
    .default(DEFAULTS.metricsAuth),
  addressFlag('--health-address', DEFAULTS.healthAddress, 'address of the server with /healthz and /readyz'),
  flag('--log-format <format>', 'json for machines, text for people')
    .choices(['json', 'text'])
    .default('json'),
  flag('--log-level <level>', 'the lowest level that is logged').choices(LOG_LEVELS).default('info'),
];

/** Adds the flags of `hnotif run`. */
export const addRunFlags = (command: Command): Command =>
  addGroups(command, {
    'The cluster:': CLUSTER,
    'Replicas:': REPLICAS,
    'Events and statuses:': EVENTS,
    'Receivers:': RECEIVERS,
    'Metrics, health and log:': OBSERVE,
  });

export function addGroups(command: Command, groups: Readonly<Record<string, readonly Option[]>>): Command {
  for (const [group, options] of Object.entries(groups))
    for (const option of options) command.addOption(option.helpGroup(group));
  return command;
}
