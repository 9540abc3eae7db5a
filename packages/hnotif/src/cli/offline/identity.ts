import { nearest } from '@hnotif/gotemplate';
import {
  crds,
  API_VERSION,
  DEFAULT_API_GROUP,
  FOREIGN_GROUPS,
  isDnsLabel,
  isDnsName,
} from '@hnotif/core/resources';
import type { Manifest } from './manifests.ts';
import type { Objects } from './objects.ts';
import { LABEL_NAME_WORDS, OBJECT_NAME_WORDS } from './pattern-words.ts';
import { problemAt, type Problem } from './problems.ts';

const KIND = 'HibernateNotification';
/** What else hnotif reads. */
const READ_KINDS: readonly string[] = ['Secret', 'ConfigMap'];

/** `''`: the core group, or none. */
const groupOf = ({ apiVersion }: Manifest): string =>
  apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/')));

/** Whether hnotif would read the object as a notification, in some version. */
export const isNotification = (manifest: Manifest, apiGroup: string): boolean =>
  manifest.kind === KIND && groupOf(manifest) === apiGroup;

/** Why an object is not, or not alone, what its author means by it: its group, version, kind and name. */
export function identityProblems(
  manifests: readonly Manifest[],
  objects: Objects,
  apiGroup: string,
): readonly Problem[] {
  const kinds = crds(apiGroup, { withPlans: true }).map(({ spec }) => spec.names.kind);
  const seen = new Map<string, Manifest>();
  return manifests.flatMap((manifest) => {
    const problems = [...groupProblems(manifest, apiGroup), ...kindProblems(manifest, apiGroup, kinds)];
    if (!isNotification(manifest, apiGroup) && !READ_KINDS.includes(manifest.kind)) return problems;
    const key = JSON.stringify([manifest.kind, objects.namespaceOf(manifest), manifest.name]);
    const twin = seen.get(key);
    if (twin === undefined) seen.set(key, manifest);
    return [
      ...problems,
      ...nameProblems(manifest),
      ...(twin === undefined ? [] : [repeated(manifest, twin)]),
    ];
  });
}

function groupProblems(manifest: Manifest, apiGroup: string): readonly Problem[] {
  const { apiVersion, kind } = manifest;
  const group = groupOf(manifest);
  const problem = (severity: Problem['severity'], message: string): readonly Problem[] => [
    problemAt(manifest, ['apiVersion'], severity, 'schema', `apiVersion: ${message}`),
  ];
  const right = `${apiGroup}/${API_VERSION}`;
  if (kind !== KIND || apiVersion === right || FOREIGN_GROUPS.has(group)) return [];
  if (group === apiGroup)
    return problem('error', `the API server does not serve this version: write ${right}`);
  if (group === '') return problem('error', `it names no group: write ${right}`);
  // Any other group may be that of another operator.
  if (group !== DEFAULT_API_GROUP && nearest(group, [apiGroup]) === undefined) return [];
  return problem(
    'warning',
    `the group ${group} is not ${apiGroup}, so the notification was not checked; did you mean ${apiGroup}? --api-group=${group} checks it`,
  );
}

function kindProblems(manifest: Manifest, apiGroup: string, kinds: readonly string[]): readonly Problem[] {
  const { kind } = manifest;
  if (groupOf(manifest) !== apiGroup || kinds.includes(kind) || nearest(kind, [KIND]) === undefined)
    return [];
  // The operator may have more kinds in this group.
  const isSure = kind.toLowerCase() === KIND.toLowerCase();
  const [severity, rest] = isSure
    ? (['error', ''] as const)
    : (['warning', ', so the object was not checked'] as const);
  return [
    problemAt(
      manifest,
      ['kind'],
      severity,
      'schema',
      `kind: ${kind} is not known${rest}; did you mean ${KIND}?`,
    ),
  ];
}

function nameProblems(manifest: Manifest): readonly Problem[] {
  const { name, namespace } = manifest;
  const problem = (field: string, message: string): Problem =>
    problemAt(manifest, ['metadata', field], 'error', 'schema', `metadata.${field}: ${message}`);
  return [
    ...(namespace === '' || isDnsLabel(namespace)
      ? []
      : [problem('namespace', `${LABEL_NAME_WORDS}, at most 63 characters`)]),
    ...(name === '' || isDnsName(name)
      ? []
      : [problem('name', `${OBJECT_NAME_WORDS}, at most 253 characters`)]),
  ];
}

function repeated(manifest: Manifest, twin: Manifest): Problem {
  const place = `${twin.file}:${twin.position([]).line}`;
  return problemAt(
    manifest,
    [],
    'warning',
    'schema',
    `the same object is at ${place} already: the last one counts; keep one of them`,
  );
}
