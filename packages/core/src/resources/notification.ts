import type { EventKind, SinkType } from './kinds.ts';
import type { ReplayStatus } from './replay.ts';
import type { Silences } from './suspension.ts';

/** A `HibernateNotification`. Its fields are described in `crds/notification.ts`. */
export interface Notification extends Silences {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation: number;
  /** The annotations for links: see `links.ts`. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** `spec.labels`: constant texts for its messages. Absent: none. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly selector: LabelSelector;
  readonly onEvents: readonly EventKind[];
  readonly sinks: readonly SinkEntry[];
  /** The annotation that asks for a replay, as it is; a long one is cut to a length that still shows that. */
  readonly replay?: string;
  readonly status: NotificationStatus;
}

export interface LabelSelector {
  readonly matchLabels: Readonly<Record<string, string>>;
  readonly matchExpressions: readonly LabelExpression[];
}

/** The operators of Kubernetes' label selectors. */
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
  /** For a person: what is wrong and what to do, without credentials. */
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
  /** Why deliveries wait; absent: none waits for long. */
  readonly state?: SinkState;
  /** Deliveries that wait. */
  readonly waiting?: number;
  /** When the oldest of them was accepted, RFC 3339. */
  readonly waitingSince?: string;
  /** When the next try is due or, if it is `Behind`, when about everything will be sent; RFC 3339. */
  readonly nextTry?: string;
  /** Deliveries that were dropped or rejected since the last success, by reason. */
  readonly dropped?: readonly DroppedCount[];
  /** The configuration that the receiver refused: type, secret and its version. */
  readonly refused?: string;
}

/** Why deliveries of a sink wait, from states that pass by themselves to states that need a correction. */
export const SINK_STATES = ['Late', 'Behind', 'Blocked', 'Paused', 'Held', 'Parked', 'Quarantined'] as const;

export type SinkState = (typeof SINK_STATES)[number];

/** The number of reasons for drops that a status shows. */
export const MOST_REASONS = 16;

export interface DroppedCount {
  readonly reason: string;
  readonly count: number;
  /** When the last of them was dropped, RFC 3339. */
  readonly last: string;
}

export interface NotificationStatus {
  readonly matched?: number;
  /** Deliveries of all sinks that wait for longer than a moment. */
  readonly waiting?: number;
  /** When hnotif last confirmed this status, RFC 3339; at least once an hour. */
  readonly observedAt?: string;
  readonly observedGeneration?: number;
  /** The instance that writes this status. */
  readonly instance?: string;
  /** The plan resource that it watches, as `PLURAL.VERSION.GROUP`; absent: the default one. */
  readonly planResource?: string;
  readonly conditions?: readonly Condition[];
  readonly sinks?: readonly SinkStatus[];
  /** The answer to the last replay that was asked for. */
  readonly replay?: ReplayStatus;
}

export const DEFAULT_TEMPLATE_KEY = 'template.gotpl';
