import type { EventKind, SinkType } from './kinds.ts';

/** A `HibernateNotification`, as hnotif keeps it (its fields are described in `crds/notification.ts`). */
export interface Notification {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation: number;
  /** Those that links are made of: see `links.ts`. */
  readonly annotations?: Readonly<Record<string, string>>;
  readonly selector: LabelSelector;
  readonly onEvents: readonly EventKind[];
  readonly sinks: readonly SinkEntry[];
  readonly status: NotificationStatus;
}

export interface LabelSelector {
  readonly matchLabels: Readonly<Record<string, string>>;
  readonly matchExpressions: readonly LabelExpression[];
}

/** The operators of a label selector's expressions, as Kubernetes has them. */
export const SELECTOR_OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'] as const;

export interface LabelExpression {
  readonly key: string;
  readonly operator: (typeof SELECTOR_OPERATORS)[number];
  readonly values: readonly string[];
}

export interface SinkEntry {
  readonly name: string;
  readonly type: SinkType;
  readonly secretRef: { readonly name: string };
  readonly templateRef: { readonly name: string; readonly key: string } | undefined;
}

export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  /** RFC 3339. */
  readonly lastTransitionTime: string;
  readonly observedGeneration: number;
  /** CamelCase. */
  readonly reason: string;
  /** For a human: what is wrong and what to do. Never a credential. */
  readonly message: string;
}

export interface SinkStatus {
  readonly name: string;
  /** RFC 3339. */
  readonly lastSuccess?: string;
  /** RFC 3339. */
  readonly lastFailure?: string;
  readonly consecutiveFailures: number;
  readonly reason?: string;
  readonly message?: string;
  /** The configuration that the receiver refused for good: type, secret and its version. */
  readonly refused?: string;
}

export interface NotificationStatus {
  readonly matched?: number;
  readonly observedGeneration?: number;
  readonly conditions?: readonly Condition[];
  readonly sinks?: readonly SinkStatus[];
}

export const DEFAULT_TEMPLATE_KEY = 'template.gotpl';
