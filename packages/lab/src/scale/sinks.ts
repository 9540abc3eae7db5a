import type { SinkType } from '@hnotif/core/resources';
import { configMapObject, notificationObject, secretObject } from '../objects.ts';
import { hash, uidOf } from './objects.ts';

/** A notification with one sink of its name, in each namespace of a scale. */
export interface ScaleSink {
  readonly name: string;
  readonly type: SinkType;
  readonly onEvents: readonly string[];
  /** Default: all plans of the namespace. */
  readonly matchLabels?: Readonly<Record<string, string>>;
  /** In its texts NAMESPACE stands for the name of the namespace, and NUMBER for its number of three digits. */
  readonly config: object;
  readonly template?: string | undefined;
  /** Whether only the first namespace has it. */
  readonly firstOnly?: boolean;
}

const ALL_PLANS = { 'app.kubernetes.io/managed-by': 'argocd' };

/** The objects of these sinks in a namespace, by resource, as an API server stores them. */
export function sinkObjects(
  sinks: readonly ScaleSink[],
  namespace: string,
  index: number,
): [resource: string, object: object][] {
  const stored = (kind: string, object: object): object => {
    const { metadata } = object as { readonly metadata: { readonly name: string } };
    const uid = uidOf(hash(`${kind} ${namespace}/${metadata.name}`));
    const creationTimestamp = '2026-01-01T00:00:00Z';
    return { ...object, metadata: { ...metadata, namespace, uid, generation: 1, creationTimestamp } };
  };
  return sinks
    .filter(({ firstOnly }) => index === 0 || firstOnly !== true)
    .flatMap(({ name, type, onEvents, matchLabels = ALL_PLANS, config, template }) => {
      const text = JSON.stringify(config)
        .replaceAll('NAMESPACE', namespace)
        .replaceAll('NUMBER', String(index).padStart(3, '0'));
      const { stringData, ...secret } = secretObject(name, text) as {
        readonly stringData: { config: string };
      };
      const data = { config: Buffer.from(stringData.config).toString('base64') };
      const templateRef = template === undefined ? undefined : { name };
      const notification = notificationObject(name, {
        ...{ onEvents, selector: { matchLabels } },
        sinks: [{ name, type, ...(templateRef && { templateRef }) }],
      });
      const map = template === undefined ? [] : [configMapObject(name, { 'template.gotpl': template })];
      return [
        ['secrets', stored('secret', { ...secret, type: 'Opaque', data })],
        ...map.map((object): [string, object] => ['configmaps', stored('configmap', object)]),
        ['hibernatenotifications', stored('notification', notification)],
      ];
    });
}
