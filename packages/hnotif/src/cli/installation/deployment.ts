import { identityOf, isRaw, type Raw } from '@hnotif/core/resources';

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

const objectOf = (value: unknown): Raw => (isRaw(value) ? value : {});
const numberOf = (value: unknown, standard: number): number => (typeof value === 'number' ? value : standard);
const textOf = (value: unknown, standard = ''): string => (typeof value === 'string' ? value : standard);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Reads a Deployment; undefined: its pods are not hnotif's. Fields of a wrong type count as absent. */
export function deploymentOf(raw: unknown): Deployment | undefined {
  const { spec, status } = objectOf(raw);
  const template = objectOf(objectOf(spec).template);
  const pod = objectOf(template.spec);
  const labels = Object.entries(objectOf(objectOf(template.metadata).labels)).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const podLabels = Object.fromEntries(labels);
  if (Object.entries(POD_LABELS).some(([key, value]) => podLabels[key] !== value)) return undefined;
  const container = objectOf(
    listOf(pod.containers).find((each) => objectOf(each).name === 'hnotif') ?? listOf(pod.containers)[0],
  );
  return {
    name: identityOf(raw).name,
    replicas: numberOf(objectOf(spec).replicas, 1),
    ready: numberOf(objectOf(status).readyReplicas, 0),
    image: textOf(container.image),
    account: textOf(pod.serviceAccountName, 'default'),
    podLabels,
    flags: flagsOf(listOf(container.args).map((arg) => textOf(arg))),
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
  const { matchLabels, matchExpressions } = objectOf(selector);
  if (listOf(matchExpressions).length > 0) return false;
  return Object.entries(objectOf(matchLabels)).every(([key, value]) => podLabels[key] === value);
}
