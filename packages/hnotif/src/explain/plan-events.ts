import {
  type EventFacts,
  eventFacts,
  executingPhase,
  failedTargets,
  latestEnd,
  parseTime,
  restingPhase,
  runStart,
  stateOf,
} from '@hnotif/core/lifecycle';
import type { EventKind, PlanStatus } from '@hnotif/core/resources';

/** The kinds of events that a plan's present status must have made, and when (RFC 3339). The newest is the last. */
export function eventsShownBy(status: PlanStatus): ReadonlyMap<EventKind, string> {
  const { lastRetryTime = '', lastTransitionTime, phase } = status;
  const shown = new Map<EventKind, string>();
  const note = (kind: EventKind, at: string, isShown = true): void => {
    if (isShown && at !== '') shown.set(kind, at);
  };
  note('Start', runStart(status));
  note('ExecutionProgress', latestEnd(status));
  note('PhaseChange', lastTransitionTime);
  note('Recovery', lastRetryTime);
  note('Failure', lastTransitionTime, phase === 'Error');
  note('Success', latestEnd(status), phase === 'Hibernated' || phase === 'Active');
  return shown;
}

/** What was true of a plan at an event that its present status shows. */
export function factsShownBy(status: PlanStatus, kind: EventKind, time: string): EventFacts {
  const { errorMessage, executions, operation } = status;
  const isEnd = kind === 'Failure' || kind === 'Success';
  const hasError = kind === 'Failure' || kind === 'Recovery';
  const event = {
    ...{ timestamp: time, operation, phase: phaseAt(kind, status) },
    ...{ startedAt: isEnd ? runStart(status) : undefined, errorMessage: hasError ? errorMessage : '' },
  };
  return eventFacts(event, isEnd ? failedTargets(executions.map(stateOf)) : undefined);
}

/** The phase after an event. The present one may be that of a later event. */
function phaseAt(
  kind: EventKind,
  { lastRetryTime = '', lastTransitionTime, operation, phase }: PlanStatus,
): string {
  if (kind === 'Failure') return 'Error';
  if (kind === 'Success') return restingPhase(operation) ?? phase;
  if (kind !== 'PhaseChange') return executingPhase(operation) ?? phase;
  // A retry leaves Error without writing the time of a transition.
  return (parseTime(lastRetryTime) ?? 0) > (parseTime(lastTransitionTime) ?? 0) ? 'Error' : phase;
}
