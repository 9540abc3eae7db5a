/**
 * The API group of hnotif's own resources. It and the resource of plans are parameters of an installation, so that hnotif can watch the
 * plans of another operator.
 */
export const DEFAULT_API_GROUP = 'hibernation.dev';
export const API_VERSION = 'v1alpha1';

/**
 * The API groups of operators that have a resource with the plural of our notifications, and the plan resource of each. With such a group
 * our CRD would overwrite theirs.
 */
export const FOREIGN_GROUPS: ReadonlyMap<string, string> = new Map([
  ['hibernator.ardikabs.com', 'hibernateplans.v1alpha1.hibernator.ardikabs.com'],
]);

/** A short name of notifications that no other operator has. `hnotif` may be ambiguous. */
export const OWN_SHORT_NAME = 'hnote';

/** A resource as in URLs: `/apis/{group}/{version}/…/{plural}`; the core group is `''`. */
export interface ResourceType {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
}

export const notificationsOf = (group: string): ResourceType => ({
  group,
  version: API_VERSION,
  plural: 'hibernatenotifications',
});

export const journalsOf = (group: string): ResourceType => ({
  group,
  version: API_VERSION,
  plural: 'hibernatenotificationjournals',
});

export const defaultPlanResource = (group: string): ResourceType => ({
  group,
  version: API_VERSION,
  plural: 'hibernateplans',
});

/** Connectors have the group and version of the plans. */
export const cloudProvidersOf = (plans: ResourceType): ResourceType => ({
  ...plans,
  plural: 'cloudproviders',
});

export const k8sClustersOf = (plans: ResourceType): ResourceType => ({ ...plans, plural: 'k8sclusters' });

const DNS_LABEL = '[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?';
const GROUP = new RegExp(`^${DNS_LABEL}(\\.${DNS_LABEL})+$`);
const LABEL = new RegExp(`^${DNS_LABEL}$`);
const NAME = new RegExp(`^${DNS_LABEL}(\\.${DNS_LABEL})*$`);
const RESOURCE = new RegExp(`^(${DNS_LABEL})\\.(v[0-9]+(?:(?:alpha|beta)[0-9]+)?)\\.(.+)$`);

/** Whether `text` is an API group that a CRD may have: a DNS name with at least one dot. */
export const isApiGroup = (text: string): boolean => text.length <= 253 && GROUP.test(text);

/** Whether `text` can name a namespace. */
export const isDnsLabel = (text: string): boolean => LABEL.test(text);

/** Whether `text` can name an object. */
export const isDnsName = (text: string): boolean => text.length <= 253 && NAME.test(text);

/** Parses `PLURAL.VERSION.GROUP`, the value of `--plan-resource` (`hibernateplans.v1alpha1.hibernation.dev`). Undefined: not of that form. */
export function parseResourceType(text: string): ResourceType | undefined {
  const match = RESOURCE.exec(text);
  const [plural, version, group] = [match?.[1], match?.[3], match?.[4]];
  if (plural === undefined || version === undefined || group === undefined || !isApiGroup(group))
    return undefined;
  return { group, version, plural };
}

export const formatResourceType = (type: ResourceType): string =>
  [type.plural, type.version, type.group].filter((part) => part !== '').join('.');
