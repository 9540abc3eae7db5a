import { Option, type Command } from 'commander';
import { readFileSync } from 'node:fs';
import {
  CONTROLLER_DEFAULTS as DEFAULTS,
  type Address,
  type ControllerOptions,
} from '../controller/options.ts';
import { timingFault, type LeaseTiming } from '../cluster/lease.ts';
import { shownPath } from '../cluster/shown-path.ts';
import { EgressGuard } from '../transport/egress.ts';
import { refusalOf } from '../transport/refusal.ts';
import { NOT_PUBLIC } from '../transport/special-addresses.ts';
import { LOG_LEVELS } from '../observe/log.ts';
import { DEFAULT_API_GROUP, defaultPlanResource, type ResourceType } from '../resources/group.ts';
import type { ConnectorPolicy } from '../resources/connectors.ts';
import { networkOf, overlap } from './networks.ts';
import {
  address,
  apiGroup,
  baseUrl,
  cidrs,
  connectorPolicy,
  count,
  duration,
  formatAddress,
  formatDuration,
  namespace,
  objectName,
  planResource,
  positive,
  yesOrNo,
  positiveDuration,
  seconds,
} from './values.ts';

/** What the flags of `hnotif run` parse to. */
export interface RunFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly apiGroup: string;
  readonly planResource?: ResourceType;
  readonly crossNamespaceConnectors: ConnectorPolicy;
  readonly instance: string;
  readonly leaderElect: boolean;
  readonly leaseNamespace?: string;
  readonly leaseName?: string;
  readonly leaseDuration: number;
  readonly renewDeadline: number;
  readonly retryPeriod: number;
  readonly failureAfter: number;
  readonly statusInterval: number;
  readonly drainTimeout: number;
  readonly unsubscribeAfter: number;
  readonly maxAge: number;
  readonly maxAgeOfProgress: number;
  readonly chatApiUrl: string;
  readonly botApiUrl: string;
  readonly kubeApiQps: number;
  readonly kubeApiBurst: number;
  readonly allowInsecureHttp?: boolean;
  readonly egressDeny: readonly string[];
  readonly egressAllow: readonly string[];
  readonly showPrivateAnswers: boolean;
  readonly caFile?: string;
  readonly metricsAddress: Address;
  readonly healthAddress: Address;
  readonly metricsAuth: boolean;
  readonly logFormat: 'json' | 'text';
  readonly logLevel: string;
}

/** A flag with its twin in the environment: `--api-group` is `HNOTIF_API_GROUP`. */
function flag(flags: string, description: string): Option {
  const option = new Option(flags, description);
  return option.env(`HNOTIF_${option.name().replaceAll('-', '_').toUpperCase()}`);
}

/** The API group, which `run` and `crds` must agree on: both have it from the same place. */
export const apiGroupFlag = (description: string): Option =>
  flag('--api-group <group>', description).argParser(apiGroup).default(DEFAULT_API_GROUP);

const INSECURE_HTTP = 'HNOTIF_ALLOW_INSECURE_HTTP';

/** Adds the flags of `hnotif run`. */
export function addRunFlags(command: Command): Command {
  const add = (group: string, ...options: Option[]): void => {
    for (const option of options) command.addOption(option.helpGroup(group));
  };
  add(
    'The cluster:',
    flag(
      '--kubeconfig <file>',
      'kubeconfig to use (default: KUBECONFIG, else the pod’s service account, else ~/.kube/config)',
    ),
    flag('--context <name>', 'context of the kubeconfig (default: its current context)'),
    apiGroupFlag('API group of hnotif’s own resources; the CRDs must be made for the same one'),
    flag(
      '--plan-resource <resource>',
      'the resource that is the plan, as PLURAL.VERSION.GROUP (default: hibernateplans.v1alpha1 of the API group); connectors are read from its group',
    ).argParser(planResource),
    flag(
      '--cross-namespace-connectors <namespaces>',
      'connectors of other namespaces that plans may use: all, none, or those of a list of namespaces, separated by commas; of others messages show kind and name alone',
    )
      .argParser(connectorPolicy)
      .default(DEFAULTS.crossNamespaceConnectors),
    flag(
      '--kube-api-qps <n>',
      'requests a second to the API server, lists and watches excepted; at most half of them are looks at secrets that the Ready conditions need; raise it for thousands of notifications',
    )
      .argParser(positive)
      .default(DEFAULTS.kubeQps),
    flag('--kube-api-burst <n>', 'requests that may go out at once above that')
      .argParser(count)
      .default(DEFAULTS.kubeBurst),
  );
  add(
    'Replicas:',
    flag(
      '--instance <name>',
      'the name of this installation; two of different names serve the same plans twice',
    )
      .argParser(objectName)
      .default(DEFAULTS.instance),
    flag(
      '--leader-elect <bool>',
      'serve only while leading, by a Lease, so that replicas can stand by; with false, see that no other process serves the cluster',
    )
      .argParser(yesOrNo)
      .default(DEFAULTS.leaderElect),
    flag(
      '--lease-namespace <name>',
      'where the Lease is (default: the pod’s namespace; outside a cluster: default)',
    ).argParser(namespace),
    flag('--lease-name <name>', 'its name (default: that of the instance)').argParser(objectName),
    flag(
      '--lease-duration <duration>',
      'standbys wait so long for a leader that is silent, a killed one for example; whole seconds',
    )
      .argParser(duration)
      .default(DEFAULTS.leaseDurationMs, formatDuration(DEFAULTS.leaseDurationMs)),
    flag(
      '--renew-deadline <duration>',
      'a leader that could not renew the Lease for so long stops serving; shorter than the lease duration',
    )
      .argParser(duration)
      .default(DEFAULTS.renewDeadlineMs, formatDuration(DEFAULTS.renewDeadlineMs)),
    flag(
      '--retry-period <duration>',
      'between two renewals, and between two looks of a standby; shorter costs the API server',
    )
      .argParser(duration)
      .default(DEFAULTS.retryPeriodMs, formatDuration(DEFAULTS.retryPeriodMs)),
  );
  add(
    'What is told, and when:',
    flag(
      '--failure-after <duration>',
      'a plan in Error that is not retried for so long has failed; keep it above the operator’s longest back-off, or failures are told too early',
    )
      .argParser(positiveDuration)
      .default(DEFAULTS.failureAfterMs, formatDuration(DEFAULTS.failureAfterMs)),
    flag(
      '--status-interval <duration>',
      'the status of one notification is written at most so often, in the long run; after a quiet time twice in a row',
    )
      .argParser(duration)
      .default(DEFAULTS.statusIntervalMs, formatDuration(DEFAULTS.statusIntervalMs)),
    flag(
      '--unsubscribe-after <duration>',
      'what waits for a notification or sink that was deleted is dropped after so long; until then it may be created again',
    )
      .argParser(duration)
      .default(DEFAULTS.unsubscribeAfterMs, formatDuration(DEFAULTS.unsubscribeAfterMs)),
    flag(
      '--max-age <duration>',
      'a Start, Recovery, Success or Failure that could not be delivered for so long is given up',
    )
      .argParser(seconds)
      .default(DEFAULTS.maxAgeMs, formatDuration(DEFAULTS.maxAgeMs)),
    flag('--max-age-of-progress <duration>', '…and an ExecutionProgress or PhaseChange')
      .argParser(seconds)
      .default(DEFAULTS.maxAgeOfProgressMs, formatDuration(DEFAULTS.maxAgeOfProgressMs)),
    flag(
      '--drain-timeout <duration>',
      'on SIGTERM, how long to go on sending what waits; writing it down takes up to 5s more where the API server is silent, so keep it 10s below the pod’s grace period',
    )
      .argParser(duration)
      .default(DEFAULTS.drainTimeoutMs, formatDuration(DEFAULTS.drainTimeoutMs)),
  );
  add(
    'Receivers:',
    flag(
      '--ca-file <file>',
      'PEM file with certificate authorities to trust for receivers, besides the usual ones',
    ),
    flag(
      '--egress-deny <cidrs>',
      'networks that receivers must not be in besides all that are not public, separated by commas',
    )
      .argParser(cidrs)
      .default([], 'none'),
    flag(
      '--egress-allow <cidrs>',
      'networks that receivers may be in though they are not public (private, loopback, shared) or in --egress-deny; link-local and metadata addresses are always refused',
    )
      .argParser(cidrs)
      .default([], 'none'),
    flag(
      '--show-private-answers [bool]',
      'show in statuses, Events and the log what receivers answer at addresses that are not public; without it, their status code alone',
    )
      .preset('true')
      .argParser(yesOrNo)
      .default(false),
    flag('--chat-api-url <url>', 'base address of teamchat’s Web API (sinks with delivery_mode thread)')
      .argParser(baseUrl)
      .default(DEFAULTS.chatApiUrl),
    flag(
      '--bot-api-url <url>',
      'base address of botchat’s Bot API; a Bot API server of your own, for example',
    )
      .argParser(baseUrl)
      .default(DEFAULTS.botApiUrl),
    new Option(
      '--allow-insecure-http',
      `permit plain HTTP, to loopback addresses only, without --egress-allow; for development (env: ${INSECURE_HTTP}=true)`,
    ),
  );
  add(
    'Looking at it:',
    flag('--metrics-address <address>', 'where /metrics listens')
      .argParser(address)
      .default(DEFAULTS.metricsAddress, formatAddress(DEFAULTS.metricsAddress)),
    flag(
      '--metrics-auth [bool]',
      'answer /metrics only to bearer tokens whose user may get the nonResourceURL /metrics, as the API server says; see deploy/hnotif.yaml for the rights',
    )
      .preset('true')
      .argParser(yesOrNo)
      .default(DEFAULTS.metricsAuth),
    flag('--health-address <address>', 'where /healthz and /readyz listen')
      .argParser(address)
      .default(DEFAULTS.healthAddress, formatAddress(DEFAULTS.healthAddress)),
    flag('--log-format <format>', 'json for machines, text for people')
      .choices(['json', 'text'])
      .default('json'),
    flag('--log-level <level>', 'the least severe level that is logged').choices(LOG_LEVELS).default('info'),
  );
  return command;
}

/** A flag or its twin that cannot be used as it is, which only shows when it is looked at: told in one line. */
export class FlagError extends Error {}

const NEVER_PERMITTED = new EgressGuard({});

/** The controller's options that the flags ask for. Throws a `FlagError` for what is not as it should be. */
export function controllerOptions(flags: RunFlags, env: ControllerOptions['env']): ControllerOptions {
  for (const allowed of flags.egressAllow) {
    if (networkOf(allowed)?.bounds.every((address) => NEVER_PERMITTED.denial(address) !== undefined))
      throw new FlagError(
        `--egress-allow ${allowed} names link-local or metadata addresses, which are never permitted: leave it out`,
      );
    if (![...NOT_PUBLIC, ...flags.egressDeny].some((denied) => overlap(allowed, denied)))
      throw new FlagError(
        `--egress-allow ${allowed} is public and in no network of --egress-deny, so it is permitted anyway: leave it out; to permit some networks alone, add --egress-deny=0.0.0.0/0,::/0`,
      );
  }
  const allowInsecureHttp = flags.allowInsecureHttp ?? isTrue(env, INSECURE_HTTP);
  const guard = new EgressGuard({ deny: flags.egressDeny, allow: flags.egressAllow });
  for (const [name, url] of [
    ['--chat-api-url', flags.chatApiUrl],
    ['--bot-api-url', flags.botApiUrl],
  ] as const) {
    const refusal = refusalOf(new URL(url), guard, allowInsecureHttp);
    if (refusal !== undefined) throw new FlagError(`${name}: ${refusal.message}`);
  }
  const { secretTtlMs, recheckUnreadyMs, recheckReadyMs } = DEFAULTS;
  const timing: LeaseTiming = {
    leaseDurationMs: flags.leaseDuration,
    renewDeadlineMs: flags.renewDeadline,
    retryPeriodMs: flags.retryPeriod,
  };
  const fault = timingFault(timing);
  if (fault !== undefined) throw new FlagError(fault);
  return {
    kubeconfig: flags.kubeconfig,
    context: flags.context,
    apiGroup: flags.apiGroup,
    crossNamespaceConnectors: flags.crossNamespaceConnectors,
    planResource: flags.planResource ?? defaultPlanResource(flags.apiGroup),
    instance: flags.instance,
    leaderElect: flags.leaderElect,
    leaseNamespace: flags.leaseNamespace,
    leaseName: flags.leaseName,
    ...timing,
    failureAfterMs: flags.failureAfter,
    statusIntervalMs: flags.statusInterval,
    drainTimeoutMs: flags.drainTimeout,
    unsubscribeAfterMs: flags.unsubscribeAfter,
    maxAgeMs: flags.maxAge,
    maxAgeOfProgressMs: flags.maxAgeOfProgress,
    kubeQps: flags.kubeApiQps,
    kubeBurst: flags.kubeApiBurst,
    allowInsecureHttp,
    chatApiUrl: flags.chatApiUrl,
    botApiUrl: flags.botApiUrl,
    egressDeny: flags.egressDeny,
    egressAllow: flags.egressAllow,
    showPrivateAnswers: flags.showPrivateAnswers,
    ca: flags.caFile === undefined ? undefined : readPem(flags.caFile),
    metricsAddress: flags.metricsAddress,
    healthAddress: flags.healthAddress,
    metricsAuth: flags.metricsAuth,
    secretTtlMs,
    recheckUnreadyMs,
    recheckReadyMs,
    env,
  };
}

/** A switch in the environment says true or false: commander would take any text, `false` too, for a yes. */
function isTrue(env: ControllerOptions['env'], name: string): boolean {
  const text = (env[name] ?? '').toLowerCase();
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0' || text === '') return false;
  throw new FlagError(`${name} is neither true nor false`);
}

function readPem(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new FlagError(`--ca-file${shownPath(file)} cannot be read: ${code}`);
  }
  if (!text.includes('-----BEGIN CERTIFICATE-----'))
    throw new FlagError(
      `--ca-file${shownPath(file)} holds no certificate: give a PEM file (-----BEGIN CERTIFICATE-----)`,
    );
  return text;
}
