import { DEFAULT_API_GROUP as GROUP } from '../../hnotif/src/resources/group.ts';
import type { SinkType } from '../../hnotif/src/resources/kinds.ts';

/** The label of the tests’ own team. */
export const NAMESPACE = 'team-a';

const CUSTOM = `${GROUP}/v1alpha1`;

/** A sink of a notification. Its secret has the same name by default. */
export interface SinkSpec {
  readonly name: string;
  readonly type?: SinkType;
  readonly secret?: string;
  readonly templateRef?: { readonly name: string; readonly key?: string };
}

/** The settings of a notification. Default: one webhook with the notification's name. */
export interface NotificationSpec {
  readonly onEvents: readonly string[];
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

/** The path of a collection in a namespace, of our own group or of the core. */
export function collection(namespace: string, plural: string): string {
  const isCore = ['secrets', 'configmaps', 'events'].includes(plural);
  return `${isCore ? '/api/v1' : `/apis/${CUSTOM}`}/namespaces/${namespace}/${plural}`;
}

/** A sink's secret. */
export const secretObject = (name: string, config: string): object => ({
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name } },
  stringData: { config },
});

/** A config map with templates by key. */
export const configMapObject = (name: string, data: Readonly<Record<string, string>>): object => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data },
});

export function notificationObject(name: string, spec: NotificationSpec): object {
  const { onEvents, sinks = [name], selector = { matchLabels: {} } } = spec;
  return {
    ...{ apiVersion: CUSTOM, kind: 'HibernateNotification', metadata: { name } },
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
    ...{ apiVersion: CUSTOM, kind: 'HibernatePlan', metadata: { name, labels, annotations } },
    spec: {
      targets: targets.map((target) => ({
        ...{ name: target, type: 'rds', connectorRef: { kind: 'CloudProvider', name: 'aws' } },
      })),
      ...spec,
    },
  };
}
