import type { Manifest, Path, Position } from './manifests.ts';

/** What a check found. */
export interface Problem extends Position {
  readonly severity: 'error' | 'warning' | 'note';
  readonly file: string;
  /** The kind of problem, for machines. */
  readonly rule: Rule;
  /** `HibernateNotification shop/night`; `''`: a file that cannot be read. */
  readonly object: string;
  /** What is wrong and what to do, without credentials. */
  readonly message: string;
}

export const RULES = {
  yaml: 'The file is valid YAML, and holds Kubernetes objects.',
  schema: 'The resource fits its CustomResourceDefinition.',
  reference: 'Secrets and config maps that a notification names are there.',
  config: 'The configuration of a sink is valid.',
  template: 'A template can be read, and its fields and functions exist.',
  message: 'The messages of a sink would be accepted, for all kinds of events.',
  advice: 'People can follow a night of all plans. It is a recommendation, and never fails.',
} as const;

export type Rule = keyof typeof RULES;

export const nameOf = ({ kind, namespace, name }: Manifest): string =>
  `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`.trimEnd();

/** A problem at a path of an object. */
export const problemAt = (
  manifest: Manifest,
  path: Path,
  severity: Problem['severity'],
  rule: Rule,
  message: string,
): Problem => ({
  ...manifest.position(path),
  ...{ file: manifest.file, object: nameOf(manifest), severity, rule, message },
});
