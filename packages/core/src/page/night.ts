import type { FailedTargets } from '../lifecycle/failed-targets.ts';
import type { DeliveryRow } from './answer.ts';

/** What `hnotif night` answers: `--output json` prints it. */

/** `incomplete`: it came to its end, and targets failed. */
export type RunState = 'running' | 'completed' | 'incomplete' | 'failed';

/** What was different from the night before. */
export interface Difference {
  readonly kind: 'newly failed' | 'newly slow' | 'missing';
  readonly operation: string;
  /** For a person. */
  readonly message: string;
}

export type PlanState =
  /** The last run of an operation failed. */
  | 'failed'
  /** The last run of an operation came to its end, and some of its targets failed. */
  | 'incomplete'
  /** It ran the night before, and not in this one. */
  | 'missing'
  | 'running'
  | 'asleep'
  | 'awake'
  /** The last run was of another operation, and is done. */
  | 'done';

/** Whether a run, or the last one of a plan, had failures. */
export const hasFailed = (state: RunState | PlanState): boolean =>
  state === 'failed' || state === 'incomplete';

/** A run, as it is printed. */
export interface ShownRun {
  readonly operation: string;
  readonly state: RunState;
  readonly retries: number;
  /** RFC 3339. */
  readonly began: string;
  readonly ended?: string;
  readonly seconds?: number;
  readonly error?: string;
  readonly failed?: FailedTargets;
}

/** The night of one plan. */
export interface PlanNight {
  readonly namespace: string;
  readonly plan: string;
  readonly state: PlanState;
  readonly runs: readonly ShownRun[];
  /** What was different from the night before. */
  readonly differences: readonly Difference[];
  /** Of the events that say how the runs went. */
  readonly deliveries: readonly DeliveryRow[];
  /** Notifications that select the plan. None: nobody was told. */
  readonly notifications: readonly string[];
  /** Those of them that do not ask for Failure. */
  readonly withoutFailure: readonly string[];
}

/** Messages that did not arrive, or have not yet, for one reason. */
export interface NotTold {
  readonly namespace: string;
  readonly notification: string;
  readonly sink: string;
  readonly state: DeliveryRow['state'];
  readonly why: string;
  readonly count: number;
  readonly plans: readonly string[];
  /** The oldest: its event, its time (RFC 3339), and its id or the part that journals keep. */
  readonly event: string;
  readonly since: string;
  readonly id: string;
  /** Whether somebody should do something. */
  readonly isProblem: boolean;
}

export interface Night {
  readonly date: string;
  readonly zone: string;
  /** RFC 3339. */
  readonly from: string;
  readonly to: string;
  readonly isOver: boolean;
  /** The worst first. */
  readonly plans: readonly PlanNight[];
  readonly notTold: readonly NotTold[];
}
