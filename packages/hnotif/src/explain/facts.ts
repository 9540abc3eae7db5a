import type { Leader } from '@hnotif/core/page';
import type { StoredPlan } from '../journal/entry.ts';
import type { Notification, ParseError, Plan } from '@hnotif/core/resources';

/** A plan with what its journal keeps. */
export interface PlanFacts {
  readonly plan: Plan;
  /** Undefined: it has none. A text: why it could not be read. */
  readonly journal: StoredPlan | undefined | string;
}

/** What was read of a namespace. */
export interface Facts {
  readonly namespace: string;
  /** The API server's time (milliseconds since the epoch). */
  readonly now: number;
  readonly leader: Leader;
  /** All of the namespace, or the one that was asked for. */
  readonly notifications: readonly Notification[];
  /** Notifications that cannot be read, of the same. */
  readonly invalid?: readonly ParseError[];
  /** All of the namespace; a text: why they could not be read. */
  readonly plans: readonly Plan[] | string;
  /** What the user asked about: it is explained in more detail. Undefined: the whole namespace. */
  readonly asked: 'plan' | 'notification' | undefined;
  /** Those whose deliveries are shown. */
  readonly shown: readonly PlanFacts[];
}
