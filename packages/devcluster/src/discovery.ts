import type { Registry } from './registry.ts';
import type { Resource } from './resource.ts';
import { groupVersion } from './resource.ts';

/** The version of Kubernetes whose behaviour this server follows. */
const VERSION = {
  major: '1',
  minor: '32',
  gitVersion: 'v1.36.0+devcluster',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: '',
  platform: 'linux/amd64',
};

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

/** The pages besides resources, as JSON values; undefined for unknown paths. */
export function page(registry: Registry, path: string, host: string): object | undefined {
  switch (path.replace(/\/$/, '')) {
    case '':
      return {
        paths: ['/api', '/apis', '/healthz', '/livez', '/openapi/v2', '/openapi/v3', '/readyz', '/version'],
      };
    case '/version':
      return VERSION;
    case '/api':
      return {
        kind: 'APIVersions',
        versions: ['v1'],
        serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: host }],
      };
    case '/apis':
      return {
        kind: 'APIGroupList',
        apiVersion: 'v1',
        groups: groupNames(registry).map((name) => describeGroup(registry, name)),
      };
    default:
      return undefined;
  }
}

/** `/apis/{group}` */
export function groupPage(registry: Registry, group: string): object | undefined {
  if (!groupNames(registry).includes(group)) return undefined;
  return { kind: 'APIGroup', apiVersion: 'v1', ...describeGroup(registry, group) };
}

/** `/api/v1`, `/apis/{group}/{version}` */
export function versionPage(registry: Registry, group: string, version: string): object | undefined {
  if (!registry.serves(group, version)) return undefined;
  const resources = [...registry.all()].filter((each) => each.group === group && each.version === version);
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: groupVersion(group, version),
    resources: resources.flatMap(describeResource),
  };
}

const groupNames = (registry: Registry): string[] => [
  ...new Set([...registry.all()].map((each) => each.group).filter((group) => group !== '')),
];

function describeGroup(registry: Registry, name: string): object {
  const served = [...registry.all()].filter((each) => each.group === name).map((each) => each.version);
  const versions = [...new Set(served)]
    .sort(compareVersions)
    .map((version) => ({ groupVersion: groupVersion(name, version), version }));
  return { name, versions, preferredVersion: versions[0] };
}

function describeResource(resource: Resource): object[] {
  const { plural, singular, namespaced, kind, shortNames, categories } = resource;
  const main = {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs: resource.review
      ? ['create']
      : VERBS.filter((verb) => verb !== 'deletecollection' || resource.deletesCollections),
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
  };
  const status = {
    name: `${plural}/status`,
    singularName: '',
    namespaced,
    kind,
    verbs: ['get', 'patch', 'update'],
  };
  return resource.statusSubresource ? [main, status] : [main];
}

const STAGES = ['alpha', 'beta', ''];

/** Stable versions first, then beta, then alpha; the newest of each first ("Version priority" of CRDs). */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [rank(a), rank(b)];
  if (!left || !right) return left ? -1 : right ? 1 : a < b ? -1 : 1;
  return right[0] - left[0] || right[1] - left[1] || right[2] - left[2];
}

function rank(version: string): [number, number, number] | undefined {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  return match ? [STAGES.indexOf(match[2] ?? ''), Number(match[1]), Number(match[3] ?? 0)] : undefined;
}
