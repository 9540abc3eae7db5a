import type { LabelSelector } from '../resources/notification.ts';

export type Labels = Readonly<Record<string, string>>;

/**
 * One requirement of a selector for one label. All of them must be met. `in` and `notIn` test the value of the label, `present` and
 * `absent` its existence.
 */
export interface Requirement {
  readonly key: string;
  readonly kind: 'in' | 'notIn' | 'present' | 'absent';
  /** Of `in` and `notIn`; without repetitions. */
  readonly values: readonly string[];
}

const KINDS = { In: 'in', NotIn: 'notIn', Exists: 'present', DoesNotExist: 'absent' } as const;

/** A selector as a flat list: `matchLabels` is `in` with a single value. */
export function requirementsOf(selector: LabelSelector): Requirement[] {
  const equalities = Object.entries(selector.matchLabels).map(([key, value]): Requirement => ({
    key,
    kind: 'in',
    values: [value],
  }));
  const expressions = selector.matchExpressions.map(({ key, operator, values }): Requirement => ({
    key,
    kind: KINDS[operator],
    values: [...new Set(values)],
  }));
  return [...equalities, ...expressions];
}

/** The value of a label; undefined: there is none. A label may be called `constructor`. */
export const labelOf = (labels: Labels, key: string): string | undefined =>
  Object.hasOwn(labels, key) ? labels[key] : undefined;

/**
 * Whether labels meet a requirement, as in Kubernetes: without the label, `NotIn` and `DoesNotExist` are met
 * (https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/).
 */
export function meets(labels: Labels, { key, kind, values }: Requirement): boolean {
  const value = labelOf(labels, key);
  switch (kind) {
    case 'in':
      return value !== undefined && values.includes(value);
    case 'notIn':
      return value === undefined || !values.includes(value);
    case 'present':
      return value !== undefined;
    case 'absent':
      return value === undefined;
  }
}

export const meetsAll = (labels: Labels, requirements: readonly Requirement[]): boolean =>
  requirements.every((requirement) => meets(labels, requirement));

/** Whether a selector matches labels. An empty selector matches everything. */
export const matches = (selector: LabelSelector, labels: Labels): boolean =>
  meetsAll(labels, requirementsOf(selector));
