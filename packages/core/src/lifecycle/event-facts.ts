import type { LifecycleEvent } from './event.ts';
import { shortLine, type FailedTargets } from './failed-targets.ts';
import { parseTime } from './time.ts';

/** What was true of a plan at an event. */
export interface EventFacts {
  /** RFC 3339. */
  readonly time: string;
  readonly operation: string;
  readonly phase: string;
  /** How long the run had taken (seconds). */
  readonly took?: number;
  /** Its beginning. */
  readonly error?: string;
  readonly failed?: FailedTargets;
}

/** Characters of an error. */
const ERROR = 240;

export function eventFacts(
  event: Pick<LifecycleEvent, 'timestamp' | 'operation' | 'phase' | 'startedAt' | 'errorMessage'>,
  failed: FailedTargets | undefined,
): EventFacts {
  const { errorMessage, operation, phase, startedAt = '', timestamp } = event;
  const tookMs = (parseTime(timestamp) ?? NaN) - (parseTime(startedAt) ?? NaN);
  return {
    ...{ time: timestamp, operation, phase },
    ...(tookMs >= 0 && { took: Math.round(tookMs / 1_000) }),
    ...(errorMessage !== '' && { error: shortLine(errorMessage, ERROR) }),
    ...(failed && { failed }),
  };
}
