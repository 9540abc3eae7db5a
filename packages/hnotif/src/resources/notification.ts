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
  /** What keeps deliveries waiting; absent: nothing does, or not for long. */
  readonly state?: SinkState;
  /** Deliveries that wait. */
  readonly waiting?: number;
  /** When the oldest of them was accepted, RFC 3339. */
  readonly waitingSince?: string;
  /** When the next try is due, or, of a sink that is `Behind`, when about all of them will be sent; RFC 3339. */
  readonly nextTry?: string;
  /** What was dropped, or refused for good, since the last success, by reason. */
  readonly dropped?: readonly DroppedCount[];
  /** The configuration that the receiver refused for good: type, secret and its version. */
  readonly refused?: string;
}

/** Why deliveries of a sink wait, from what passes by itself to what has to be corrected. */
export const SINK_STATES = ['Late', 'Behind', 'Blocked', 'Paused', 'Held', 'Parked', 'Quarantined'] as const;

export type SinkState = (typeof SINK_STATES)[number];

/** Reasons of losses that a status has room for; receivers have more words than that. */
export const MOST_REASONS = 16;

export interface DroppedCount {
  readonly reason: string;
  readonly count: number;
  /** When the last of them was dropped, RFC 3339. */
  readonly last: string;
}

export interface NotificationStatus {
  readonly matched?: number;
  /** Deliveries that wait for longer than a moment, of all sinks. */
  readonly waiting?: number;
  /** When hnotif last confirmed this status, RFC 3339; at least once an hour. */
  readonly observedAt?: string;
  readonly observedGeneration?: number;
  readonly conditions?: readonly Condition[];
  readonly sinks?: readonly SinkStatus[];
}

export const DEFAULT_TEMPLATE_KEY = 'template.gotpl';
