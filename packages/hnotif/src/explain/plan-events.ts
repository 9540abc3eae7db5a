import { latestEnd, runStart } from '@hnotif/core/lifecycle';
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
