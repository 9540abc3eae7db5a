import type { ResourceType } from './group.ts';
import type { Metadata } from './metadata.ts';

export const SECRETS: ResourceType = { group: '', version: 'v1', plural: 'secrets' };
export const CONFIG_MAPS: ResourceType = { group: '', version: 'v1', plural: 'configmaps' };
export const EVENTS: ResourceType = { group: '', version: 'v1', plural: 'events' };
export const NAMESPACES: ResourceType = { group: '', version: 'v1', plural: 'namespaces' };
export const LEASES: ResourceType = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases' };

export type Raw = Readonly<Record<string, unknown>>;

export const isRaw = (value: unknown): value is Raw =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The identity and version of an object. Absent fields are `''`. */
export function identityOf(raw: unknown): Metadata {
  const metadata = isRaw(raw) && isRaw(raw.metadata) ? raw.metadata : {};
  return {
    namespace: text(metadata.namespace),
    name: text(metadata.name),
    uid: text(metadata.uid),
    resourceVersion: text(metadata.resourceVersion),
  };
}

export const keyOf = ({ namespace, name }: Pick<Metadata, 'namespace' | 'name'>): string =>
  `${namespace}/${name}`;

/** The path of a collection, of an object in it, or of a subresource of that. */
export function pathOf(
  type: ResourceType,
  namespace: string | undefined,
  name?: string,
  subresource?: string,
): string {
  const steps = type.group === '' ? ['api', type.version] : ['apis', type.group, type.version];
  if (namespace !== undefined && namespace !== '') steps.push('namespaces', namespace);
  steps.push(type.plural);
  if (name !== undefined) steps.push(name);
  if (subresource !== undefined) steps.push(subresource);
  return `/${steps.map(encodeURIComponent).join('/')}`;
}
