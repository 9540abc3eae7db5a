import type { Source } from '@hnotif/core/render';

/** An event as JSON that `readEventJson` reads: the `context` of what a webhook receives, with the targets of every event. */
export function eventJson({ event, plan }: Source): string {
  const targetOf = ({ name, executor, state, message }: Source['event']['targets'][number]) => ({
    ...{ name, executor, state, message, connector: plan.connector(name) },
  });
  const { kind, timestamp, phase, previousPhase, operation, cycle, errorMessage, retryCount } = event;
  const { labels, annotations } = plan;
  const context = {
    event: kind,
    plan: { name: event.plan, namespace: event.namespace, labels, annotations },
    ...{ timestamp, operation, phase, previousPhase, cycleId: cycle, errorMessage, retryCount },
    targets: event.targets.map(targetOf),
    ...(event.targetExecution && { targetExecution: targetOf(event.targetExecution) }),
  };
  return JSON.stringify(context, null, 2);
}
