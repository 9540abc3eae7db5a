import { identityOf } from '@hnotif/core/resources';
import { listAt, numberAt, objectAt, textAt } from '../fields.ts';

/** The label of hnotif's pods in the chart and in deploy/kustomize. */
export const POD_LABELS: Readonly<Record<string, string>> = { 'app.kubernetes.io/name': 'hnotif' };

/** What a Deployment of hnotif tells of the installation. */
export interface Deployment {
  readonly name: string;
  readonly replicas: number;
  readonly ready: number;
  readonly image: string;
  readonly account: string;
  readonly podLabels: Readonly<Record<string, string>>;
  /** The flags of `hnotif run`, without the dashes. */
  readonly flags: ReadonlyMap<string, string>;
}

/** Reads a Deployment; undefined: its pods are not hnotif's. Fields of a wrong type count as absent. */
export function deploymentOf(raw: unknown): Deployment | undefined {
  const pod = objectAt(raw, 'spec', 'template');
  const labels = Object.entries(objectAt(pod, 'metadata', 'labels')).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const podLabels = Object.fromEntries(labels);
  if (Object.entries(POD_LABELS).some(([key, value]) => podLabels[key] !== value)) return undefined;
  const containers = listAt(pod, 'spec', 'containers');
  const container = containers.find((each) => textAt(each, 'name') === 'hnotif') ?? containers[0];
  return {
    name: identityOf(raw).name,
    replicas: numberAt(raw, 'spec', 'replicas') ?? 1,
    ready: numberAt(raw, 'status', 'readyReplicas') ?? 0,
    image: textAt(container, 'image'),
    account: textAt(pod, 'spec', 'serviceAccountName') || 'default',
    podLabels,
    flags: flagsOf(listAt(container, 'args').map((arg) => textAt(arg))),
  };
}

/** Of arguments such as `--flag=value`, `--flag value` and `--flag`. */
const flagsOf = (args: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    args.flatMap((arg, at) => {
      const [, flag = '', value] = /^--([\w-]+)(?:=([^]*))?$/.exec(arg) ?? [];
      const next = args[at + 1] ?? '';
      return flag === '' ? [] : [[flag, value ?? (next.startsWith('-') ? '' : next)] as const];
    }),
  );

/** Whether a selector of an object matches the pods: an empty one matches all, as in Kubernetes. Expressions are not read. */
export function selectsPods(selector: unknown, podLabels: Readonly<Record<string, string>>): boolean {
  if (listAt(selector, 'matchExpressions').length > 0) return false;
  return Object.entries(objectAt(selector, 'matchLabels')).every(([key, value]) => podLabels[key] === value);
}
