export { emptyBaseline, silentBaseline } from './baseline.ts';
export { DEFAULT_FAILURE_AFTER_MS, derive } from './derive.ts';
export { type EventFacts, eventFacts } from './event-facts.ts';
export {
  COUNT,
  EVENT,
  type Subject,
  TARGET_ROW,
  type TargetRow,
  eventOf,
  plainEvent,
  targetOf,
  targetRowOf,
  wholeEvent,
} from './event-json.ts';
export type { DerivedEvent, LifecycleEvent, TargetState } from './event.ts';
export { type FailedTargets, failedInWords, failedTargets } from './failed-targets.ts';
export { NO_MARKS } from './high-water-marks.ts';
export { deliveryId, idOf } from './ids.ts';
export { type Observed, isSameButVersion } from './observed.ts';
export {
  type OperatorStatus,
  type TargetChange,
  begin,
  fail,
  initialStatus,
  poll,
  recordFailure,
  retry,
  succeed,
} from './operator.ts';
export { rolledBack } from './past.ts';
export { executingPhase, restingPhase } from './phases.ts';
export { provenEvents } from './proof.ts';
export { type Rederived, rederive } from './rederive.ts';
export { stateOf } from './targets.ts';
export { formatSeconds, formatTime, parseTime } from './time.ts';
export { latestEnd, runStart } from './times.ts';
export { isNewer } from './version.ts';
