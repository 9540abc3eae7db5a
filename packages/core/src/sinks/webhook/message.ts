import type { TargetState } from '../../lifecycle/event.ts';
import type { EventKind } from '../../resources/kinds.ts';
import type { Connector } from '../../resources/connectors.ts';
import type { Delivery } from '../sink.ts';

/** The JSON that a webhook receives; its JSON Schema is published in `schemas/webhook-payload.schema.json`. */
export interface WebhookPayload {
  readonly context: WebhookContext;
  /** With `enable_renderer` only. */
  readonly rendered?: string;
}

interface WebhookContext {
  readonly plan: {
    readonly name: string;
    readonly namespace: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
  };
  readonly event: EventKind;
  /** RFC 3339 in UTC with milliseconds. */
  readonly timestamp: string;
  readonly phase: string;
  /** Not on ExecutionProgress; `''` on Start. */
  readonly previousPhase?: string;
  /** `Hibernate`, `WakeUp`, or the plan's own word for another operation. */
  readonly operation: string;
  readonly cycleId: string;
  /** Success and Failure only. */
  readonly targets?: readonly WebhookTarget[];
  /** ExecutionProgress only. */
  readonly targetExecution?: WebhookTarget;
  /** Failure and Recovery only. */
  readonly errorMessage?: string;
  /** Failure and Recovery only. */
  readonly retryCount?: number;
  readonly sinkName: string;
  readonly sinkType: 'webhook';
  /** `--cluster-name`, if it is set. */
  readonly cluster?: string;
  /** `spec.labels` of the notification, if it has any. */
  readonly labels?: Readonly<Record<string, string>>;
}

interface WebhookTarget {
  readonly name: string;
  readonly executor: string;
  readonly state: string;
  readonly message: string;
  readonly connector: Connector;
}

/** The fields that depend on the event's kind. */
const FIELDS: Readonly<Record<EventKind, { previousPhase: boolean; targets: boolean; error: boolean }>> = {
  Start: { previousPhase: true, targets: false, error: false },
  Success: { previousPhase: true, targets: true, error: false },
  Failure: { previousPhase: true, targets: true, error: true },
  Recovery: { previousPhase: true, targets: false, error: true },
  PhaseChange: { previousPhase: true, targets: false, error: false },
  ExecutionProgress: { previousPhase: false, targets: false, error: false },
};

/** The payload of a delivery. The event's kind decides which fields are there, never their values. */
export function payloadOf({
  event,
  plan,
  sinkName,
}: Pick<Delivery, 'event' | 'plan' | 'sinkName'>): WebhookPayload {
  const has = FIELDS[event.kind];
  const { cluster = '', notificationLabels = {} } = plan;
  const targetOf = (target: TargetState): WebhookTarget => ({
    name: target.name,
    executor: target.executor,
    state: target.state,
    message: target.message,
    connector: plan.connector(target.name),
  });
  return {
    context: {
      plan: {
        name: event.plan,
        namespace: event.namespace,
        labels: plan.labels,
        annotations: plan.annotations,
      },
      event: event.kind,
      timestamp: event.timestamp,
      phase: event.phase,
      previousPhase: has.previousPhase ? (event.kind === 'Start' ? '' : event.previousPhase) : undefined,
      operation: operationOf(event.operation),
      cycleId: event.cycle,
      targets: has.targets ? event.targets.map(targetOf) : undefined,
      targetExecution:
        event.kind === 'ExecutionProgress' && event.targetExecution
          ? targetOf(event.targetExecution)
          : undefined,
      errorMessage: has.error ? event.errorMessage : undefined,
      retryCount: has.error ? event.retryCount : undefined,
      sinkName,
      sinkType: 'webhook',
      ...(cluster !== '' && { cluster }),
      ...(Object.keys(notificationLabels).length > 0 && { labels: notificationLabels }),
    },
  };
}

/** The documented names of the known operations. Other texts do not change. */
function operationOf(operation: string): string {
  if (operation === 'shutdown') return 'Hibernate';
  if (operation === 'wakeup') return 'WakeUp';
  return operation;
}
