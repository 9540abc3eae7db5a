import type { Leader } from '@hnotif/core/page';
import { KubeError } from '../../cluster/error.ts';
import {
  identityOf,
  isRaw,
  type Raw,
  type ParseError,
  formatResourceType,
  type ResourceType,
  type Notification,
  parseNotification,
} from '@hnotif/core/resources';
import { mayUser, type Access } from '../../cluster/reviews.ts';
import { leaderOf, type FoundLease } from '../../explain/leader.ts';
import { findLeases, parsed } from '../gather.ts';
import { partOf, readOrWhy, type Read, type Session } from '../session.ts';
import { deploymentOf, type Deployment } from './deployment.ts';
import { rightsInNamespace, rightsOfLease } from './rights.ts';

/** All that a cluster shows about an installation of hnotif, read with the rights of the user. */
export interface Installation {
  readonly apiGroup: string;
  /** Where hnotif is installed. */
  readonly namespace: string;
  readonly leader: Leader;
  readonly deployment: Read<Deployment | undefined>;
  /** By name; those that exist. */
  readonly crds: Read<ReadonlyMap<string, Raw>>;
  readonly planResource: string;
  /** Their number; `isServed` is false if the cluster has no such resource. */
  readonly plans: Read<number> & { readonly isServed?: boolean };
  readonly notifications: Read<readonly Notification[]>;
  /** Notifications that cannot be read. */
  readonly invalid: readonly ParseError[];
  readonly journals: Read<readonly Raw[]>;
  /** The account of its pods, all rights that it needs, and those that it does not have. */
  readonly account: string;
  readonly needed: readonly Access[];
  readonly missing: Read<readonly Access[]>;
  readonly services: Read<readonly Raw[]>;
  /** ServiceMonitors and PodMonitors. */
  readonly monitors: readonly Raw[];
  readonly networkPolicies: Read<readonly Raw[]>;
  readonly admissionPolicies: Read<readonly Raw[]>;
}

const typeOf = (group: string, plural: string): ResourceType => ({ group, version: 'v1', plural });
const DEPLOYMENTS = typeOf('apps', 'deployments');
const CRDS = typeOf('apiextensions.k8s.io', 'customresourcedefinitions');
const SERVICES = typeOf('', 'services');
const NETWORK_POLICIES = typeOf('networking.k8s.io', 'networkpolicies');
const ADMISSION_POLICIES = typeOf('admissionregistration.k8s.io', 'validatingadmissionpolicies');
const MONITORS = ['servicemonitors', 'podmonitors'].map((plural) => typeOf('monitoring.coreos.com', plural));
const INSTANCE = 'hnotif';

/** Reads all of it. `given`: the namespace of hnotif; undefined: that of its Lease. Throws a `CommandError` if the cluster does not answer. */
export async function readInstallation(
  session: Session,
  apiGroup: string,
  given: string | undefined,
  signal: AbortSignal,
): Promise<Installation> {
  const { client } = session;
  const list = (type: ResourceType, namespace?: string) => listed(session, type, namespace, signal);

  // The first request: without an answer the command ends.
  const usual = await findLeases(session, new Set([INSTANCE]));
  const namespace = given ?? newestOf(usual)?.namespace ?? INSTANCE;
  const deployments = await list(DEPLOYMENTS, namespace);
  const deployment = partOf(deployments, (all) => all.map(deploymentOf).find((each) => each !== undefined));
  const { account, lease, watched } = settingsOf(deployment.ok ? deployment.value : undefined, namespace);
  const leases = lease === INSTANCE ? usual : await findLeases(session, new Set([lease]));
  const own = typeof leases === 'string' ? leases : leases.filter((each) => each.namespace === namespace);
  const needed = [
    ...watched.flatMap((each) => rightsInNamespace(apiGroup, session.plans, each)),
    ...rightsOfLease(namespace, lease),
  ];

  const [
    crds,
    plans,
    notifications,
    journals,
    missing,
    services,
    networkPolicies,
    admissionPolicies,
    ...monitors
  ] = await Promise.all([
    list(CRDS),
    list(session.plans),
    readOrWhy(session.list(session.notifications)),
    readOrWhy(session.list(session.journals)),
    reviewed(session, account, needed, signal),
    list(SERVICES, namespace),
    list(NETWORK_POLICIES, namespace),
    list(ADMISSION_POLICIES),
    ...MONITORS.map((type) => list(type, namespace)),
  ]);
  const invalid: ParseError[] = [];
  return {
    ...{ apiGroup, namespace, deployment, account, needed, missing },
    ...{ services, networkPolicies, admissionPolicies, invalid },
    leader: leaderOf(own, undefined, client.serverClock.now()),
    crds: partOf(crds, (all) => new Map(all.map((raw) => [identityOf(raw).name, raw]))),
    planResource: formatResourceType(session.plans),
    plans: { ...plans, ...partOf(plans, (all) => all.length) },
    notifications: partOf(notifications, (all) => parsed(all, parseNotification, (why) => invalid.push(why))),
    journals: partOf(journals, (all) => all.filter(isRaw)),
    monitors: monitors.flatMap((each) => (each.ok ? each.value : [])),
  };
}

/** The account of the pods, their Lease, and the namespaces that they watch, `''` for all. Without a Deployment: the default ones. */
function settingsOf(deployment: Deployment | undefined, namespace: string) {
  const flags = deployment?.flags;
  const watched = (flags?.get('watch-namespaces') ?? '').split(',').filter((each) => each !== '');
  return {
    account: `system:serviceaccount:${namespace}:${deployment?.account ?? INSTANCE}`,
    lease: flags?.get('lease-name') ?? flags?.get('instance') ?? INSTANCE,
    watched: watched.length === 0 ? [''] : watched,
  };
}

/** That of the installation that was heard last. */
const newestOf = (leases: readonly FoundLease[] | string): FoundLease | undefined =>
  typeof leases === 'string'
    ? undefined
    : [...leases].sort((a, b) => (a.lease.renewTime < b.lease.renewTime ? 1 : -1))[0];

/** Objects that are not hnotif's own: a cluster may be without them. */
async function listed(
  session: Session,
  type: ResourceType,
  namespace: string | undefined,
  signal: AbortSignal,
): Promise<Read<readonly Raw[]> & { readonly isServed?: boolean }> {
  const found: Raw[] = [];
  const item = (raw: unknown): void => {
    if (isRaw(raw)) found.push(raw);
  };
  try {
    await session.client.list(type, namespace, { limit: 0, item }, signal);
    return { ok: true, value: found };
  } catch (error) {
    const isServed = !(error instanceof KubeError && error.status === 404);
    return { ok: false, why: whyNot(error, `list ${type.plural}`, type), isServed };
  }
}

/** The rights that an account does not have. */
async function reviewed(
  { client }: Session,
  account: string,
  needed: readonly Access[],
  signal: AbortSignal,
): Promise<Read<readonly Access[]>> {
  try {
    const answers = await Promise.all(needed.map((each) => mayUser(client, account, each, { signal })));
    return { ok: true, value: needed.filter((_, index) => answers[index] !== true) };
  } catch (error) {
    return { ok: false, why: whyNot(error, 'create subjectaccessreviews') };
  }
}

function whyNot(error: unknown, act: string, type?: ResourceType): string {
  if (!(error instanceof KubeError)) throw error;
  if (error.status === 403) return `you have no right to ${act}`;
  return error.status === 404 && type !== undefined
    ? `the cluster does not serve ${formatResourceType(type)}`
    : error.message;
}
