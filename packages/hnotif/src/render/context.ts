import { fromJS, type Value } from '@hnotif/gotemplate';
import type { LifecycleEvent, TargetState } from '../lifecycle/event.ts';
import type { EventKind, SinkType } from '../resources/kinds.ts';
import type { PlanView } from '../resources/plan-view.ts';
import { PAYLOAD } from './types.ts';

/** What a message is made from. */
export interface Source {
  readonly event: LifecycleEvent;
  readonly plan: PlanView;
  readonly sinkName: string;
  readonly sinkType: SinkType;
}

/** The events that tell of an error. */
const WITH_ERROR: ReadonlySet<EventKind> = new Set(['Failure', 'Recovery']);

/**
 * The data of a template: dot. `.Targets` is always there; `.TargetExecution` on ExecutionProgress alone, `.ErrorMessage`
 * and `.RetryCount` on Failure and Recovery alone, `.PreviousPhase` on all but Start and ExecutionProgress: elsewhere they
 * are nil, empty and 0, whatever the plan's status still says. `.Operation` is the plan's own word.
 */
export function templateContext({ event, plan, sinkName, sinkType }: Source): Value {
  const hasError = WITH_ERROR.has(event.kind);
  const isProgress = event.kind === 'ExecutionProgress';
  const progress = isProgress ? event.targetExecution : undefined;
  return fromJS(
    {
      Plan: {
        Name: event.plan,
        Namespace: event.namespace,
        Labels: plan.labels,
        Annotations: plan.annotations,
      },
      Event: event.kind,
      Timestamp: new Date(event.timestamp),
      Phase: event.phase,
      PreviousPhase: event.kind === 'Start' || isProgress ? '' : event.previousPhase,
      Operation: event.operation,
      CycleID: event.cycle,
      Targets: event.targets.map((target) => targetInfo(target, plan)),
      TargetExecution: progress === undefined ? null : targetInfo(progress, plan),
      ErrorMessage: hasError ? event.errorMessage : '',
      RetryCount: hasError ? event.retryCount : 0,
      SinkName: sinkName,
      SinkType: sinkType,
    },
    PAYLOAD,
  );
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
