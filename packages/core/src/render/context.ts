import { fromTrusted, type Value } from '@hnotif/gotemplate';
import type { LifecycleEvent, TargetState } from '../lifecycle/event.ts';
import type { EventKind, SinkType } from '../resources/kinds.ts';
import type { PlanView } from '../resources/plan-view.ts';
import { PAYLOAD } from './types.ts';

/** The input of a message. */
export interface Source {
  readonly event: LifecycleEvent;
  readonly plan: PlanView;
  readonly sinkName: string;
  readonly sinkType: SinkType;
}

/** The events with an error message. */
const WITH_ERROR: ReadonlySet<EventKind> = new Set(['Failure', 'Recovery']);

/** The fields that depend on the kind of event. For other kinds they are absent, empty or 0, whatever the plan's status says. */
export interface Shown {
  readonly target: TargetState | undefined;
  readonly previousPhase: string;
  readonly errorMessage: string;
  readonly retryCount: number;
}

/**
 * The changed target on ExecutionProgress only, the error and its count on Failure and Recovery only, the previous phase
 * on all but Start and ExecutionProgress.
 */
export function shownOf(event: LifecycleEvent): Shown {
  const hasError = WITH_ERROR.has(event.kind);
  const isProgress = event.kind === 'ExecutionProgress';
  return {
    target: isProgress ? event.targetExecution : undefined,
    previousPhase: event.kind === 'Start' || isProgress ? '' : event.previousPhase,
    errorMessage: hasError ? event.errorMessage : '',
    retryCount: hasError ? event.retryCount : 0,
  };
}

/** A heading that names the cluster, if it is known: `Hibernation Failed · prod-eu`. */
export const withCluster = (heading: string, { cluster = '' }: Pick<PlanView, 'cluster'>): string =>
  cluster === '' ? heading : `${heading} · ${cluster}`;

/** The data of a template: dot. `.Targets` is always there, in the plan's order; `.Operation` is the plan's own word. */
export function templateContext({ event, plan, sinkName, sinkType }: Source): Value {
  const { target, previousPhase, errorMessage, retryCount } = shownOf(event);
  const payload = {
    Plan: {
      Name: event.plan,
      Namespace: event.namespace,
      Labels: plan.labels,
      Annotations: plan.annotations,
    },
    Event: event.kind,
    Timestamp: new Date(event.timestamp),
    Phase: event.phase,
    PreviousPhase: previousPhase,
    Operation: event.operation,
    CycleID: event.cycle,
    Targets: event.targets.map((each) => targetInfo(each, plan)),
    TargetExecution: target === undefined ? null : targetInfo(target, plan),
    ErrorMessage: errorMessage,
    RetryCount: retryCount,
    SinkName: sinkName,
    SinkType: sinkType,
    Cluster: plan.cluster ?? '',
    Labels: plan.notificationLabels ?? {},
  };
  return fromTrusted(payload, PAYLOAD);
}

function targetInfo(target: TargetState, plan: PlanView): object {
  const connector = plan.connector(target.name);
  return {
    Name: target.name,
    Executor: target.executor,
    State: target.state,
    Message: target.message,
    ErrorMessage: target.state === 'Failed' ? target.message : '',
    Connector: {
      Kind: connector.kind,
      Name: connector.name,
      Provider: connector.provider,
      AccountID: connector.accountId,
      ProjectID: connector.projectId,
      Region: connector.region,
      ClusterName: connector.clusterName,
    },
  };
}
