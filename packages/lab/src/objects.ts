import type { SinkType } from '@hnotif/core/resources';
import { crds } from '@hnotif/core/resources';
import { DEFAULT_API_GROUP as GROUP } from '@hnotif/core/resources';
import type { Kube } from './kube.ts';

/** The namespace of most tests. */
export const NAMESPACE = 'team-a';

export const API_VERSION = `${GROUP}/v1alpha1`;

/** Every kind of event. */
export const ALL = ['Start', 'Success', 'Failure', 'Recovery', 'PhaseChange', 'ExecutionProgress'];

/** A rate limit that is never reached. */
export const PLENTY = { rate: 1_000, unit: 'second', burst: 1_000 };

/** A sink of a notification. Its secret has the same name by default. */
export interface SinkSpec {
  readonly name: string;
  readonly type?: SinkType;
  readonly secret?: string;
  readonly templateRef?: { readonly name: string; readonly key?: string };
}

/** The settings of a notification. Default: all events, and one webhook with the notification's name. */
export interface NotificationSpec {
  readonly onEvents?: readonly string[];
  /** A name alone is a webhook. */
  readonly sinks?: readonly (string | SinkSpec)[];
  readonly selector?: object;
}

/** Optional fields of a plan besides its targets. */
export interface PlanMore {
  readonly labels?: object;
  readonly annotations?: object;
  readonly spec?: object;
}

/** The path of a collection, of our own group or of the core; without a namespace, of all namespaces. */
export function collection(namespace: string | undefined, plural: string): string {
  const isCore = ['secrets', 'configmaps', 'events'].includes(plural);
  const within = namespace === undefined ? '' : `/namespaces/${namespace}`;
  return `${isCore ? '/api/v1' : `/apis/${API_VERSION}`}${within}/${plural}`;
}

/** A sink's secret. A text stands there as it is. */
export const secretObject = (name: string, config: object | string): object => ({
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name } },
  stringData: { config: typeof config === 'string' ? config : JSON.stringify(config) },
});

/** A config map with templates by key. */
export const configMapObject = (name: string, data: Readonly<Record<string, string>>): object => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data },
});

export function notificationObject(name: string, spec: NotificationSpec): object {
  const { onEvents = ALL, sinks = [name], selector = { matchLabels: {} } } = spec;
  return {
    ...{ apiVersion: API_VERSION, kind: 'HibernateNotification', metadata: { name } },
    spec: {
      ...{ selector, onEvents },
      sinks: sinks.map((sink) => {
        const full: SinkSpec = typeof sink === 'string' ? { name: sink } : sink;
        const { name, type = 'webhook', secret = name, templateRef } = full;
        return { name, type, secretRef: { name: secret }, ...(templateRef && { templateRef }) };
      }),
    },
  };
}

/** A plan with rds targets of these names, all of one account. `more.spec` overrides fields. */
export function planObject(name: string, targets: readonly string[], more: PlanMore = {}): object {
  const { labels = {}, annotations = {}, spec = {} } = more;
  return {
    ...{ apiVersion: API_VERSION, kind: 'HibernatePlan', metadata: { name, labels, annotations } },
    spec: {
      targets: targets.map((target) => ({
        ...{ name: target, type: 'rds', connectorRef: { kind: 'CloudProvider', name: 'aws' } },
      })),
      ...spec,
    },
  };
}

const NAMESPACES = '/api/v1/namespaces';

export async function createNamespace(kube: Kube, name: string, labels: object = {}): Promise<void> {
  await kube.post(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
}

/** Creates the CRDs of hnotif, and those of the operator. */
export async function installCrds(
  kube: Kube,
  definitions: readonly object[] = crds(GROUP, { withPlans: true }),
): Promise<void> {
  for (const crd of definitions)
    await kube.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd);
}
